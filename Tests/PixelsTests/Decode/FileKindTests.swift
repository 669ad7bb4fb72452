import TestSupport
import Testing

@testable import Pixels

@Suite("Files that are not GIFs")
struct FileKindTests {
    private func error(of bytes: [UInt8]) -> GIFError? {
        do throws(GIFError) {
            _ = try GIFReader(MemoryByteSource(bytes)).allFrames()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "Text formats are recognised by their first characters",
        arguments: [
            ("<!DOCTYPE html><html>", FileKind.html), ("\u{FEFF}  \n<!doctype HTML>", .html), ("<HTML lang=en>", .html),
            ("<head><title>", .html), ("<body>", .html), ("<?xml version=\"1.0\"?>", .xml), ("<svg/>", .xml),
            ("{\"error\": 404}", .json), (" [1, 2]", .json), ("Not found", .text), ("gif89a", .text), ("GI", .text),
        ])
    func texts(text: String, kind: FileKind) {
        #expect(error(of: Array(text.utf8)) == .notGIF(kind))
    }

    @Test(
        "Binary formats are recognised by their signature",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], FileKind.png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
            (Array("RIFF....WEBPVP8 ".utf8), .webp), (Array("RIFF....WAVEfmt ".utf8), .text),
            ([0, 0, 0, 0x20] + Array("ftypisom".utf8), .mp4), ([0x1A, 0x45, 0xDF, 0xA3], .webm),
            ([0x1F, 0x8B, 8], .gzip), ([0, 1, 2, 3], .unknown),
        ])
    func signatures(bytes: [UInt8], kind: FileKind) {
        #expect(error(of: bytes) == .notGIF(kind))
    }

    @Test("The format is recognised even if the bytes arrive one at a time")
    func arriving() {
        let bytes = Array("Some words first,".utf8) + [0] + Array("and then none.".utf8)
        #expect(error(of: bytes) == .notGIF(.unknown))
        #expect(throws: GIFError.notGIF(.unknown)) { try GIFReader(SingleByteSource(bytes)).allFrames() }
    }

    @Test("An empty file is reported as empty")
    func empty() {
        #expect(error(of: []) == .empty)
    }

    @Test("A GIF that ends within its header or palette is reported as truncated", arguments: [3, 6, 10, 13, 20])
    func headerCut(count: Int) {
        let gif = GIFBuilder(width: 1, height: 1).image(width: 1, height: 1, [0])
        #expect(error(of: gif.truncated(to: count).bytes) == .headerCut)
    }

    @Test("The error for a GIF without an image lists the damage of the file")
    func noImage() {
        let head = GIFBuilder(width: 1, height: 1)
        #expect(error(of: head.trailer().bytes) == .noImage([]))
        #expect(error(of: head.bytes) == .noImage([Damage(frame: 0, kind: .fileCut)]))
        #expect(error(of: head.raw([0x77]).bytes) == .noImage([Damage(frame: 0, kind: .unknownBlock)]))
    }

    @Test("A GIF with an unknown version is read")
    func version() throws {
        let reader = GIFBuilder(width: 1, height: 1, version: "GIF99z").image(width: 1, height: 1, [0]).trailer()
            .reader()
        #expect(try reader.allFrames().count == 1)
        #expect(reader.summary.version == "GIF99z")
    }

    @Test("A file that cannot be opened is reported with its path and the system error")
    func missing() {
        let path = "/nonexistent/picture.gif"
        let expected = GIFError.system(call: "open", errno: 2)
        #expect(throws: expected) { try GIFReader(FileByteSource(path: path)).allFrames() }
    }

    @Test("A file that cannot be read is not reported as empty")
    func unreadable() throws {
        let source = FileByteSource(path: "/")
        let expected = GIFError.system(call: "read", errno: 21)
        #expect(throws: expected) { try GIFReader(source).allFrames() }
    }
}

/// A byte source that returns one byte per read.
private final class SingleByteSource: ByteSource {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int {
        guard position < bytes.count else { return 0 }
        buffer[0] = bytes[position]
        position += 1
        return 1
    }

    func rewind() throws(GIFError) { position = 0 }
}
