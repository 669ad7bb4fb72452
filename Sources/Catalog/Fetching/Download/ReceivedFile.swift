import Base
import Pixels

/// The bytes of a file that all responses of a download have delivered together.
struct ReceivedFile {
    private(set) var count = 0
    /// Nil until a response reports it.
    var expectedCount: Int?
    /// Whether the end of the file can be distinguished from a broken connection.
    var isFramed = false
    /// Whether the latest response was a part of a file of unknown length.
    var isPart = false
    private(set) var isRecognised = false
    private var start: [UInt8] = []
    private var walk = BlockWalk()

    /// Whether the GIF is animated; nil if more bytes are needed to tell.
    var animation: BlockWalk.Kind? { walk.kind }
    /// Whether the trailer of the GIF has arrived. No further byte is needed, whatever the transport announces.
    var hasTrailer: Bool { isRecognised && walk.length != nil }

    var isShort: Bool { isPart || expectedCount.map { count < $0 } ?? false }

    /// If the end of the body cannot be distinguished from a broken connection, the GIF must have its trailer.
    var isStorable: Bool { isFramed && !isShort || hasTrailer }

    /// Whether the bytes so far show that the file is not a GIF.
    var isOtherKind: Bool { count > 0 && !isRecognised && !"GIF".utf8.starts(with: start) }
    /// Whether ``kind`` no longer changes.
    var isKindKnown: Bool { start.count >= FileKind.length }
    var kind: FileKind { FileKind(start: start.prefix(FileKind.length)) }

    /// Appends the bytes up to the trailer of the GIF, and returns them.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard isRecognised || "GIF".utf8.starts(with: (start + bytes.prefix(3)).prefix(3)) else {
            count += bytes.count
            return bytes
        }
        walk.add(bytes)
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(0, (walk.length ?? .max) - count)))
        count += part.count
        return part
    }

    /// The first bytes are held back until it is known whether they begin with "GIF".
    mutating func recognise(_ fresh: some Sequence<UInt8>) {
        start.append(contentsOf: fresh)
        isRecognised = start.starts(with: "GIF".utf8)
    }

    /// The bytes of a file that is not recognised as a GIF.
    var heldBack: [UInt8] { start }

    mutating func removeStart() -> [UInt8] {
        defer { start = [] }
        return start
    }
}

/// The Content-Range header: "bytes 100-199/1000", "bytes 100-199/*" or "bytes */1000".
struct ContentRange: Equatable {
    /// Nil if the header contains no range.
    var start: Int?
    /// Nil if the server does not know the size.
    var total: Int?

    /// - Returns: nil if the value is not a byte range.
    init?(_ value: String?) {
        guard let value, value.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = value.dropFirst(6).split(separator: "/")
        guard parts.count == 2 else { return nil }
        start = parts[0].split(separator: "-").first.flatMap { Int(outside: $0, in: 0...Int.outsideRange.upperBound) }
        total = Int(outside: parts[1], clampedTo: 0...Int.outsideRange.upperBound)
    }
}

/// Measures bytes per second over the last two seconds. All times are in milliseconds on the caller's clock.
struct SpeedMeter {
    private static let slot = 250
    private static let window = 2_000

    private var slots: [(start: Int, bytes: Int)] = []
    private let started: Int

    init(at now: Int) { started = now }

    mutating func add(_ bytes: Int, at now: Int) {
        if let last = slots.indices.last, now - slots[last].start < Self.slot {
            slots[last].bytes += bytes
        } else {
            slots.removeAll { now - $0.start >= Self.window }
            slots.append((now, bytes))
        }
    }

    func bytesPerSecond(at now: Int) -> Int {
        let recent = slots.filter { now - $0.start < Self.window }
        // Divide by the window's length, or by the download's age if that is shorter. Divide by at least one slot, so
        // that a small chunk that arrives immediately does not appear as a high speed.
        let span = max(Self.slot, min(Self.window, now - started))
        return recent.reduce(0) { $0 + $1.bytes } * 1000 / span
    }
}

/// The header Content-Disposition (RFC 6266).
package enum ContentDisposition {
    /// The file name without folders, from `filename*` or else from `filename`; nil if there is none.
    package static func fileName(_ header: String) -> String? {
        var names: [String: String] = [:]
        for field in fields(header) {
            guard let equals = field.firstIndex(of: "=") else { continue }
            let name = field[..<equals].filter { !$0.isWhitespace }.lowercased()
            names[name] = names[name] ?? String(field[field.index(after: equals)...])
        }
        // The charset, the language and the encoded name.
        let parts = names["filename*"]?.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false) ?? []
        let encoded = parts.count == 3 ? WebAddress.decodedBytes(parts[2]) : []
        let isLatin = parts.first?.lowercased() == "iso-8859-1"
        let extended =
            isLatin
            ? String(String.UnicodeScalarView(encoded.map { Unicode.Scalar($0) }))
            : String(decoding: encoded, as: UTF8.self)
        let name = extended.isEmpty ? names["filename"] ?? "" : extended
        let last = SafeText.line(String(name.split { "/\\".contains($0) }.last ?? ""))
        return last.isEmpty ? nil : last
    }

    /// The parts between semicolons, without quotes. A semicolon in quotes separates nothing.
    private static func fields(_ header: String) -> [String] {
        var (fields, isQuoted, isEscaped) = ([""], false, false)
        for character in header {
            switch character {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted:
                isEscaped = true
                continue
            case "\"":
                isQuoted.toggle()
                continue
            case ";" where !isQuoted:
                fields.append("")
                continue
            default: break
            }
            fields[fields.count - 1].append(character)
        }
        return fields
    }
}
