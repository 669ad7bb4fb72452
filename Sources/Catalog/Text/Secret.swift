/// A key that goes into a request and into nothing else: printing it gives a placeholder.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    /// Nil for a key of nothing but white space, which an unset variable may well be.
    public init?(_ value: String) {
        let trimmed = value.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        guard !trimmed.isEmpty else { return nil }
        self.value = String(trimmed)
    }

    public var description: String { Redactor.placeholder }
    public var debugDescription: String { Redactor.placeholder }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The key itself, for the one place that writes the request.
    package func reveal() -> String { value }
}

/// Takes keys out of texts: error messages of services (KLIPY echoes the key), traces, addresses.
public struct Redactor: Sendable, CustomReflectable {
    /// What stands where a key stood.
    static let placeholder = "(key)"
    /// In lower case, since a service may echo the key in a case of its own.
    private let needles: [[UInt8]]
    private let beginnings: Set<UInt8>

    public init(_ secrets: [Secret] = []) {
        let forms = secrets.flatMap { [$0.reveal(), WebAddress.component($0.reveal())] }
        needles = Set(forms).map { $0.utf8.map(Self.lowered) }.sorted { $0.count > $1.count }
        beginnings = Set(needles.compactMap(\.first))
    }

    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The text with every key replaced, plain or percent-encoded.
    ///
    /// Compares bytes: as characters a key with a combining mark behind it would be another text.
    public func callAsFunction(_ text: String) -> String {
        guard isTouched(text) else { return text }
        let bytes = Array(text.utf8)
        let lowered = bytes.map(Self.lowered)
        var kept: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let needle = needle(at: index, in: lowered) {
                kept += Self.placeholder.utf8
                index += needle.count
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Whether a key stands in the text.
    public func isTouched(_ text: String) -> Bool {
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
