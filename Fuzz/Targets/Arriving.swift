import Glibc
import Pixels

/// A simulated download. Before each read, the next piece of the bytes arrives.
final class ArrivingDownload: ByteSource {
    private let download = GrowingByteSource()
    private var rest: ArraySlice<UInt8>
    private var pieces: SeededPieces

    init(_ bytes: [UInt8], _ pieces: SeededPieces) {
        rest = bytes[...]
        self.pieces = pieces
        if bytes.isEmpty { download.finish() }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int {
        if !rest.isEmpty {
            let piece = rest.prefix(pieces.next(maximum: rest.count))
            piece.withUnsafeBytes { download.append($0) }
            rest = rest.dropFirst(piece.count)
            if rest.isEmpty { download.finish() }
        }
        return try download.read(into: buffer)
    }

    func rewind() throws(GIFError) { download.rewind() }
}

/// A pipe whose content arrives in pieces. Before each read, the next piece is written to the pipe.
final class ArrivingPipe: ByteSource {
    private let pipe: PipeByteSource
    private let reading: Int32
    private var writing: Int32
    private var rest: ArraySlice<UInt8>
    private var pieces: SeededPieces

    /// Creates the pipe. Returns nil if the system cannot create it.
    init?(_ bytes: [UInt8], _ pieces: SeededPieces) {
        var ends: (Int32, Int32) = (-1, -1)
        let status = withUnsafeMutableBytes(of: &ends) {
            Glibc.pipe($0.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        guard status == 0 else { return nil }
        (reading, writing) = ends
        pipe = PipeByteSource(descriptor: reading, name: "pipe", limit: 128 << 20)
        rest = bytes[...]
        self.pieces = pieces
    }

    deinit {
        close(reading)
        if writing >= 0 { close(writing) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int {
        // The write does not block, because a piece has at most 4096 bytes, and the pipe is read before the next piece
        // is written.
        if !rest.isEmpty {
            let piece = rest.prefix(pieces.next(maximum: rest.count))
            let written = piece.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
            rest = rest.dropFirst(max(0, written))
        }
        if rest.isEmpty, writing >= 0 {
            close(writing)
            writing = -1
        }
        return try pipe.read(into: buffer)
    }

    func rewind() throws(GIFError) { pipe.rewind() }
}
