import Base
import GIFDecode

/// The bytes of a file that all responses of a download have delivered together.
struct ReceivedFile {
    private(set) var count = 0
    /// Nil until a response reports it.
    var expectedCount: Int?
    /// Whether the end of the file can be distinguished from a broken connection.
    var isFramed = false
    private(set) var isRecognised = false
    private(set) var digest = SHA256()
    private var start: [UInt8] = []
    private var walk = BlockWalk()

    /// Whether the GIF is animated; nil if more bytes are needed to tell.
    var animation: BlockWalk.Kind? { walk.kind }
    /// Whether the trailer of the GIF has arrived. No further byte is needed, whatever the transport announces.
    var hasTrailer: Bool { isRecognised && walk.length != nil }

    var isShort: Bool { expectedCount.map { count < $0 } ?? false }

    /// If the end of the body cannot be distinguished from a broken connection, the GIF must have its trailer.
    var isStorable: Bool { isFramed || hasTrailer }

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
        digest.update(part)
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
