import Base
import GIFDecode

/// The bytes of a file that all responses of a download have delivered together.
struct ReceivedFile {
    private static let kindLength = 64

    private(set) var count = 0
    /// Nil until a response reports it.
    var expectedCount: Int?
    /// Whether the end of the file can be distinguished from a broken connection.
    var isFramed = false
    private(set) var isRecognised = false
    private(set) var digest = SHA256()
    private var start: [UInt8] = []
    private var lastByte: UInt8 = 0

    var isShort: Bool { expectedCount.map { count < $0 } ?? false }

    /// If the end of the body cannot be distinguished from a broken connection, the last byte must be the GIF trailer.
    var isStorable: Bool { isFramed || lastByte == 0x3B }

    /// Whether the bytes so far show that the file is not a GIF.
    var isOtherKind: Bool { count > 0 && !isRecognised && !"GIF".utf8.starts(with: start) }
    /// Whether ``kind`` no longer changes.
    var isKindKnown: Bool { start.count >= Self.kindLength }
    var kind: FileKind { FileKind(start: start) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        digest.update(bytes)
        count += bytes.count
        lastByte = bytes.last ?? lastByte
    }

    /// The first bytes are held back until it is known whether they begin with "GIF".
    mutating func recognise(_ fresh: some Sequence<UInt8>) {
        start.append(contentsOf: fresh)
        isRecognised = start.starts(with: "GIF".utf8)
    }

    mutating func removeStart() -> [UInt8] {
        defer { start = [] }
        return start
    }
}
