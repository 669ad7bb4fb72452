import Foundation
import Testing

/// Tests addresses inside links behind a proxy on loopback, whose log has every request that leaves the program.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct LinkProxyTests {
    @Test("Behind a proxy, a local address inside a link is refused by its host, and other addresses go to the proxy")
    func proxy() throws {
        let site = try FakeSite { request, _ in
            request.head.contains("http://cdn.test/a.gif ") ? try .gif("campfire") : .text("", status: 404)
        }
        let environment = ["GIFPLAY_OFFLINE": "0", "http_proxy": site.base, "https_proxy": site.base]
        for host in [
            "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0x7f.1.", "0177.0.0.1", "127.0.0.1.", "localhost",
            "LOCALHOST.",
            "a.localhost", "localhost.localdomain", "ip6-localhost", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1",
            "192.168.1.1",
            "169.254.169.254", "[fd00::1]", "u:p@127.0.0.1", "0",
        ] {
            for name in ["url", "URL", "imgurl"] {
                let outcome = try runGifplay(
                    ["http://www.reddit.com/media?\(name)=http%3A%2F%2F\(host)%2Fa.gif"], environment: environment)
                #expect(
                    outcome.status == 1 && outcome.errors.contains("it is in the local network"),
                    "\(host): \(outcome.errors)")
            }
        }
        #expect(site.requestLines.isEmpty, "\(site.requestLines)")
        let outcome = try runGifplay(
            ["--size", "2x2", "http://www.reddit.com/media?URL=http%3A%2F%2Fcdn.test%2Fa.gif"], environment: environment
        )
        #expect(outcome.status == 0 && site.requestLines == ["GET http://cdn.test/a.gif HTTP/1.1"], "\(outcome.errors)")
    }

    @Test("Paths reach no service, on the command line and in the gallery, where a paste sends nothing before Enter")
    func paths() throws {
        let folder = try TemporaryFolder()
        let site = try FakeSite { _, _ in .text("{}") }
        try folder.write([1], to: "dancing.gif")
        for (text, message) in [
            ("\"C:\\Users\\me\\cat.gif\"", ""), ("'/no/such cat.gif'", ""), ("~/no/cat", ""),
            ("\\\\server\\a.gif", ""), ("dancing cat.gif", ""), ("cats/dogs", "looks like a path"),
            ("dancng.gif", "did you mean dancing.gif?"), ("cat.mp4", "No such file"), ("*.png", "No such file"),
        ] {
            let outcome = try runGifplay([text], environment: site.environment(), folder: folder.url)
            #expect(outcome.status == 1 && outcome.output.isEmpty && !outcome.errors.isEmpty, "\(outcome)")
            #expect(message.isEmpty || outcome.errors.contains(message), "\(outcome)")
        }
        let cat = try folder.write(
            Array(Data(Binary.bytes("campfire"))), to: "my cat.gif")
        let driver = try GalleryDriver(["--source", "samples"], folder: folder, environment: site.environment())
        try driver.wait(forText: "Dancing cat")
        driver.terminal.send("\u{1B}[200~'\(cat)'\u{1B}[201~")
        // A dropped file opens at once.
        try driver.wait(forText: "my cat.gif")
        try driver.wait(forText: "already on this machine", pressing: "s")
        try driver.terminal.quit("\u{3}", status: 130)
        #expect(site.requestLines.isEmpty, "\(site.requestLines)")
    }

    @Test("A hyphen in front of words, a misspelt command and a pasted prompt are understood")
    func commandLine() throws {
        let hyphen = try runGifplay(["- hat"])
        #expect(hyphen.status == 2 && hyphen.output.isEmpty && hyphen.errors.contains("--search='- hat'"))
        try expectError(["serach", "dancing", "cat"], "did you mean 'gifplay --search 'dancing cat''?", status: 2)
        let expected = try runGifplay(["--size", "8x4", "dancing cat"])
        for arguments in [
            ["$", "gifplay", "--size", "8x4", "dancing cat"], ["gifplay", "--size", "8x4", "dancing", "cat"],
            ["❯ gifplay --size 8x4 \"dancing cat\""],
        ] {
            let outcome = try runGifplay(arguments)
            #expect(outcome.status == 0 && outcome.output == expected.output && !outcome.output.isEmpty, "\(arguments)")
        }
    }
}
