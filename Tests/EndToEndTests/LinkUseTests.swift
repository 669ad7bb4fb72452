import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct LinkUseTests {
    @Test("'--list' and 'browse --plain' print the GIF, the title and the link of a page")
    func lists() throws {
        let site = try LinkTableTests.site()
        let environment = LinkTableTests.environment(site)
        let list = try runGifplay(["--list", "--json", "http://p.test/og"], environment: environment)
        #expect(list.status == 0 && list.errors.isEmpty)
        for part in ["\"title\":\"A & B\"", "\"page\":\"http://p.test/og\"", "a.gif?x=1&y=2\""] {
            #expect(list.text.contains(part), "\(list.text)")
        }
        let plain = try runGifplay(["browse", "--plain", "http://p.test/og"], environment: environment)
        #expect(plain.status == 0 && plain.text.contains("A & B"), "\(plain.text) \(plain.errors)")
        let nothing = try runGifplay(["browse", "--plain", "http://p.test/nothing"], environment: environment)
        #expect((nothing.text + nothing.errors).contains("this page shows no GIF"), "\(nothing.text) \(nothing.errors)")
        #expect(LinkTableTests.requests(site).allSatisfy { $0.hasPrefix("p.test/") || $0.hasPrefix("cdn.test/") })
    }

    @Test("'record' and lists of files take links; a failed link does not stop the others")
    func recordAndLists() throws {
        let site = try LinkTableTests.site()
        let environment = LinkTableTests.environment(site)
        let cast = try runGifplay(
            ["record", "http://p.test/og", "--format", "cast", "-o", "-", "--size", "8x4"], environment: environment)
        #expect(
            cast.status == 0 && cast.text.prefix(300).contains("A & B"), "\(cast.text.prefix(200)) \(cast.errors)")
        let still = try runGifplay(["--size", "8x4", Binary.sample("campfire")])
        let both = try runGifplay(
            ["--size", "8x4", "http://p.test/nothing", Binary.sample("campfire"), "http://p.test/link"],
            environment: environment)
        #expect(both.status == 1 && both.text == still.text + still.text && both.errors.contains("shows no GIF"))
    }

    @Test("The status line shows the title of the page; 'y' copies the link and 'Y' the file")
    func keys() throws {
        let site = try LinkTableTests.site()
        let terminal = try PseudoTerminal(["http://p.test/og"], environment: LinkTableTests.environment(site))
        try terminal.read(until: "A & B")
        for (key, text) in [("y", "http://p.test/og"), ("Y", "http://cdn.test/a.gif?x=1&y=2")] {
            try terminal.send(key, until: "\u{1B}]52;c;" + Data(text.utf8).base64EncodedString())
        }
        try terminal.quit()
    }

    @Test("A link that is pasted into the gallery shows its GIF, and no service is queried")
    func gallery() throws {
        let site = try LinkTableTests.site()
        let terminal = try PseudoTerminal(
            ["browse", "--source", "samples"], environment: LinkTableTests.environment(site), until: "Dancing cat")
        try terminal.send("\u{1B}[200~http://p.test/og\u{1B}[201~\r", until: "A & B")
        try terminal.quit("\u{3}", status: 130)
        #expect(LinkTableTests.requests(site).allSatisfy { $0.hasPrefix("p.test/") || $0.hasPrefix("cdn.test/") })
    }

    @Test("The GIF of a page is cached, unless the service of the link or of the file forbids it")
    func cache() throws {
        let folder = try TemporaryFolder()
        let site = try LinkTableTests.site()
        let environment = LinkTableTests.environment(site).merging(["XDG_CACHE_HOME": folder.url.path]) { $1 }
        for (link, file) in [("http://p.test/link", "cdn.test/a.gif"), ("http://p.test/rule", "i.giphy.com/")] {
            for _ in 0..<2 {
                #expect(try runGifplay(["--animate", "--size", "8x4", link], environment: environment).status == 0)
            }
            let count = LinkTableTests.requests(site).count { $0.hasPrefix(file) }
            #expect(count == (file == "i.giphy.com/" ? 2 : 1), "\(file)")
        }
    }

    @Test(
        "file: and data: URLs, a name that begins with '-', and a query with the name of a folder play without a network"
    )
    func local() throws {
        let folder = try TemporaryFolder()
        let bytes = try Binary.bytes("campfire")
        let path = try folder.write(bytes, to: "-a b#1.gif")
        try folder.makeFolder("cat")
        let still = ["--size", "8x4"]
        let expected = try runGifplay(still + [path]).output
        let encoded = folder.path("-a%20b%231.gif")
        let small = try Binary.bytes("pixel-slime")
        let base64 = Data(small).base64EncodedString()
        let slime = try runGifplay(still + [Binary.sample("pixel-slime")]).output
        let cat = try runGifplay(still + [Binary.sample("dancing-cat")]).output
        let hexadecimal = small.map { String(format: "%%%02x", $0) }.joined()
        let cases: [([String], [UInt8])] = [
            (["file://\(encoded)"], expected), (["FILE://localhost\(encoded)"], expected), (["file:\(path)"], expected),
            (["--file", "-a b#1.gif"], expected), (["data:image/gif;base64,\(base64)"], slime),
            (["data:;base64," + base64.replacingOccurrences(of: "=", with: "%3D")], slime),
            (["data:image/gif,\(hexadecimal)"], slime), (["dancing", "cat"], cat),
        ]
        for (arguments, output) in cases {
            let outcome = try runGifplay(still + arguments, folder: folder.url)
            #expect(outcome.status == 0 && outcome.output == output, "\(arguments[0].prefix(40)): \(outcome.errors)")
        }
        for (argument, message) in [
            ("file://elsewhere/a.gif", "not a file of this machine"), ("data:;base64,!", "not valid base64"),
            ("data:text/html,<!DOCTYPE html><p>", "data: URL: not a GIF (HTML page)"),
        ] {
            try expectError([argument], message, folder: folder.url)
        }
    }

    @Test("With a key, a link of KLIPY plays the GIF that its API describes; the key is in no message")
    func klipy() throws {
        let folder = try TemporaryFolder()
        let site = try FakeSite { request, base in
            guard request.path.hasPrefix("/klipy/") else { return try .gif("campfire") }
            let isKnown = request.query.contains("slugs=known")
            return isKnown
                ? try FakeSite.fixture("klipy/search.json", base) : .text("{\"result\":true,\"data\":{\"data\":[]}}")
        }
        let environment = site.environment(["KLIPY_API_KEY": "kEy-123456789", "XDG_CACHE_HOME": folder.url.path])
        let still = try runGifplay(["--size", "8x4", Binary.sample("campfire")])
        let found = try runGifplay(["--size", "8x4", "https://klipy.com/gifs/known"], environment: environment)
        #expect(found.status == 0 && found.output == still.output, "\(found.errors)")
        #expect(site.requestLines.first?.contains("/klipy/kEy-123456789/gifs/items?slugs=known ") == true)
        let other = try runGifplay(["https://klipy.com/gifs/other"], environment: environment)
        #expect(other.status == 1 && other.errors.contains("KLIPY: no result"), "\(other.errors)")
        #expect(!other.errors.contains("kEy-123456789"))
    }
}
