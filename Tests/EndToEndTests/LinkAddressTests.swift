import Foundation
import TestServer
import Testing

/// Tests addresses inside links behind a proxy on loopback, whose log has every request that leaves the program.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct LinkProxyTests {
    @Test("Behind a proxy, a local address inside a link is refused by its host, and other addresses go to the proxy")
    func proxy() throws {
        let site = try FakeSite { request, _ in
            request.head.contains("http://cdn.test/a.gif ") ? try .gif("campfire") : .text("", status: 404)
        }
        let environment = ["GIFPLAY_OFFLINE": "0", "http_proxy": site.base, "https_proxy": site.base]
        let hosts = [
            "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0x7f.1.", "0177.0.0.1", "127.0.0.1.", "localhost",
            "LOCALHOST.", "a.localhost", "localhost.localdomain", "ip6-localhost", "[::1]", "[::ffff:127.0.0.1]",
            "10.0.0.1",
            "192.168.1.1", "169.254.169.254", "[fd00::1]", "u:p@127.0.0.1", "0",
        ]
        let links = hosts.flatMap { host in
            ["url", "URL", "imgurl"].map { "http://www.reddit.com/media?\($0)=http%3A%2F%2F\(host)%2Fa.gif" }
        }
        let refused = try runGifplay(links, environment: environment)
        let errors = refused.errors.split(separator: "\n")
        #expect(refused.status == 1 && refused.output.isEmpty && errors.count == links.count)
        for error in errors { #expect(error.contains("it is in the local network")) }
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

/// Tests which addresses a page can lead to, in a network with a public address.
@Suite(
    .ownThreads, .timeLimit(.minutes(15)),
    .enabled(if: PublicNetwork.isPossible, "this process may not create a network with a public address"))
struct LinkNetworkTests {
    @Test("A page from outside leads to no local address, and a local page that the user typed does")
    func localAddresses() throws {
        let (outside, inside, requests) = try PublicNetwork.perform {
            let site = try FakeSite(host: PublicNetwork.address) { request, base in
                let port = base.split(separator: ":").last ?? ""
                guard request.path == "/page" else { return try .gif("campfire") }
                return .text(
                    "<!doctype html>"
                        + ["127.0.0.1", "localhost", PublicNetwork.insideName, "[::1]", "2130706433"].map {
                            "<meta property=og:image content=http://\($0):\(port)/secret.gif>"
                        }.joined())
            }
            let port = site.base.split(separator: ":").last ?? ""
            let outside = try PublicNetwork.run(["--size", "2x2", "\(site.base)/page"])
            let requests = site.requestLines
            let inside = try PublicNetwork.run(["--size", "2x2", "http://127.0.0.1:\(port)/page"])
            return (outside, inside, requests)
        }
        #expect(outside.status == 1 && outside.errors.contains("it is in the local network"), "\(outside.errors)")
        #expect(requests.count == 1, "\(requests)")
        #expect(inside.status == 0 && !inside.output.isEmpty, "\(inside.errors)")
    }

    private static let local = [
        "127.0.0.1:PORT", "127.1:PORT", "2130706433:PORT", "0x7f.1:PORT", "0177.0.0.1:PORT", "127.0.0.1.:PORT",
        "0:PORT",
        "localhost:PORT", "LOCALHOST.:PORT", "a.localhost:PORT", "inside.test:PORT", "u:p@127.0.0.1:PORT", "[::1]:PORT",
        "[::ffff:127.0.0.1]:PORT", "[::ffff:7f00:1]:PORT", "127%2e0%2e0%2e1:PORT",
    ]

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// Links that contain `url`, by a server whose address is `base`.
    private static func carriers(_ base: String, _ url: String) -> [String] {
        let value = encoded(url)
        let wrapped = "\(base)/r?url=\(value)"
        return [
            wrapped, "\(base)/r?URL=\(value)", "\(base)/r?Url=\(url)", "\(base)/r?url=\(encoded(value))",
            "\(base)/imgres?x=1&imgurl=\(value)", "\(base)/l/?q=\(encoded(wrapped))", "\(base)/a/b/c?U=\(value)",
            "\(base)/page?\(value)", "\(base)/page?\(encoded(wrapped))", "\(base)/to?\(value)",
            "\(base)/to?\(encoded(wrapped))",
        ]
    }

    @Test("No address in a link, a page or an answer leads to this machine, in any spelling", arguments: local)
    func carriers(address: String) throws {
        let (outcome, count, requests, inside) = try PublicNetwork.perform {
            let site = try FakeSite(host: PublicNetwork.address) { request, _ in
                let place = request.query.removingPercentEncoding ?? ""
                switch request.path {
                case "/page": return .text("<!doctype html><meta property=og:image content='\(place)'>")
                case "/to": return FakeSite.Reply(status: 302, headers: "Location: \(place)\r\n")
                case "/secret.gif": return try .gif("campfire")
                default: return .text("<!doctype html>nothing")
                }
            }
            let port = String(site.base.split(separator: ":").last ?? "")
            let url = "http://\(address.replacingOccurrences(of: "PORT", with: port))/secret.gif"
            let links = Self.carriers(site.base, url)
            let outcome = try PublicNetwork.run(["--size", "2x2"] + links)
            let requests = site.requestLines
            // The user who types a local address trusts what it leads to.
            let trusted = Self.carriers("http://127.0.0.1:\(port)", "http://127.0.0.1:\(port)/secret.gif")
            return (outcome, links.count, requests, try PublicNetwork.run(["--size", "2x2"] + trusted.prefix(3)))
        }
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.split(separator: "\n").count == count, "\(outcome.errors)")
        #expect(!requests.contains { $0.hasPrefix("GET /secret") }, "\(requests)")
        #expect(inside.status == 0 && inside.errors.isEmpty, "\(inside.errors)")
    }
}
