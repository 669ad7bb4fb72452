import Base
import Catalog
import Glibc
import Pixels
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Argument") struct ArgumentTests {
    @Test("An argument is recognised once: what it addresses is a part of it")
    func address() throws {
        let folder = try TemporaryDirectory()
        try folder.write([1], to: "cats")
        let (file, missing) = (Argument(folder.path + "/cats"), Argument(folder.path + "/dogs.gif"))
        #expect(file.exists && file.address == nil && file.paths == [file.text] && file.isNamed && !file.isAddress)
        #expect(!missing.exists && missing.paths == [missing.text] && missing.isNamed && !missing.isAddress)
        #expect(Argument("file://" + file.text).paths == [file.text])
        #expect(Argument("https://a.example/b c.gif").address == .web("https://a.example/b%20c.gif"))
        #expect(Argument("data:;base64,R0lG").address == .data(Array("GIF".utf8)) && Argument("ftp://a/b").isAddress)
        let words = ["cats and dogs", "and/or", "what?"].map(Argument.init)
        #expect(words.allSatisfy { !$0.isNamed && $0.address == nil && !$0.exists })
    }

    @Test("A link that leads nowhere is a file that exists, and a name that is too long is none")
    func unreachable() throws {
        let folder = try TemporaryDirectory()
        #expect(symlink("nowhere", folder.path + "/link") == 0)
        #expect(Argument(folder.path + "/link").exists)
        #expect(!Argument(String(repeating: "x", count: 5_000)).exists)
    }

    @Test("A data: URL is played from its bytes, without a download")
    func data() throws {
        let bytes = Array("GIF89a".utf8)
        var errors: [Failure] = []
        let items = try PlaylistResolver.items(at: Argument("data:image/gif,GIF89a"), &errors)
        #expect(items == [.data("data:image/gif,GIF89a", bytes)] && errors.isEmpty)
        #expect(FetchedItem(items[0]).bytes(limit: 100) == bytes && !items[0].needsDownload && !items[0].isResult)
        let error = thrown(GIFError.self) {
            try FetchedItem(items[0]).reader(limits: DecodeLimits()).next(into: IndexedFrame())
        }
        #expect(error != .empty)
    }
}
