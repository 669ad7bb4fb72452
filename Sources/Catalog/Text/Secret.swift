/// A secret such as an API key. Its description is a placeholder, so that messages do not reveal the secret.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    /// Trims white space. Returns nil if nothing is left, because a blank setting counts as unset.
    public init?(_ value: String) {
        let trimmed = value.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        guard !trimmed.isEmpty else { return nil }
        self.value = String(trimmed)
    }

    public var description: String { Redactor.placeholder }
    public var debugDescription: String { Redactor.placeholder }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Only ``Redactor`` and the code that creates requests are allowed to call this function.
    package func reveal() -> String { value }
}

/// Removes keys from texts such as traces, addresses and error messages of services (KLIPY's messages repeat the key).
public struct Redactor: Sendable, CustomReflectable {
    static let placeholder = "(key)"
    /// The keys in lower case, because a service might repeat a key in a different case.
    private let needles: [[UInt8]]
    private let beginnings: Set<UInt8>

    public init(_ secrets: [Secret] = []) {
        let forms = secrets.flatMap { [$0.reveal(), WebAddress.component($0.reveal())] }
        needles = Set(forms).map { $0.utf8.map(Self.lowered) }.sorted { $0.count > $1.count }
        beginnings = Set(needles.compactMap(\.first))
    }

    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Returns the text with a placeholder in place of each key, whether the key is plain or percent-encoded.
    ///
    /// Compares bytes, because a comparison of characters would not find a key followed by a combining mark.
    public func callAsFunction(_ text: String) -> String {
        guard containsKey(text) else { return text }
        let bytes = Array(text.utf8)
        let lowered = bytes.map(Self.lowered)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let needle = needle(at: index, in: lowered) {
                result += Self.placeholder.utf8
                index += needle.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    public func containsKey(_ text: String) -> Bool {
        guard !needles.isEmpty else { return false }
        let lowered = text.utf8.map(Self.lowered)
        return lowered.indices.contains { needle(at: $0, in: lowered) != nil }
    }

    private func needle(at index: Int, in lowered: [UInt8]) -> [UInt8]? {
        guard beginnings.contains(lowered[index]) else { return nil }
        return needles.first { lowered[index...].starts(with: $0) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
