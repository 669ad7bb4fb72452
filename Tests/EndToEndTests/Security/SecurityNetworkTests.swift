import Catalog
import Foundation
import TestServer
import Testing

/// Tests which addresses the real program connects to. The network has a public address and loopback addresses.
@Suite(
    .ownThreads, .timeLimit(.minutes(15)),
    .enabled(if: PublicNetwork.isPossible, "this process may not create a network with a public address"))
struct SecurityNetworkTests {
    /// Returns a fake server that redirects `/to?LRU` to `URL`, which is written backwards, because gifplay itself follows
    /// a URL inside a URL. In `URL`, the server's own port replaces `PORT`.
    /// The server responds to all other requests with a GIF.
    private static func site() throws -> FakeSite {
        try FakeSite(host: PublicNetwork.address) { request, base in
            let port = base.split(separator: ":").last ?? ""
            guard request.path == "/to" else { return try .gif("campfire") }
            let place = String((request.query.removingPercentEncoding ?? "").reversed())
                .replacingOccurrences(of: "PORT", with: port)
            return FakeSite.Reply(status: 302, headers: "Location: \(place)\r\n")
        }
    }

    private static let local = [
        "http://127.0.0.1:PORT/secret", "http://127.9.9.9:PORT/secret", "http://127.1:PORT/secret",
        "http://2130706433:PORT/secret", "http://0x7f000001:PORT/secret", "http://0177.0.0.1:PORT/secret",
        "http://0x7f.1:PORT/secret", "http://[::1]:PORT/secret", "http://[::ffff:127.0.0.1]:PORT/secret",
        "http://[::ffff:7f00:1]:PORT/secret", "http://[::127.0.0.1]:PORT/secret", "http://0.0.0.0:PORT/secret",
        "http://0:PORT/secret", "http://[::]:PORT/secret", "http://10.0.0.1:PORT/secret", "http://192.168.1.1/secret",
        "http://172.16.0.1/secret", "http://169.254.169.254/secret", "http://[fe80::1]/secret",
        "http://[fd00::1]/secret",
        "http://localhost:PORT/secret", "http://a.localhost:PORT/secret", "http://LOCALHOST.:PORT/secret",
        "http://inside.test:PORT/secret", "http://user:pass@127.0.0.1:PORT/secret", "//127.0.0.1:PORT/secret",
    ]
    private static let schemes = [
        "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "dict://127.0.0.1/x",
    ]

    @Test("A redirect from a public server to a local address or to another scheme is refused and reported")
    func redirects() throws {
        let (outcome, requests) = try PublicNetwork.perform {
            let site = try Self.site()
            let targets = Self.local + Self.schemes + ["data:image/gif;base64,R0lGOD=="]
            let addresses = targets.map {
                "\(site.base)/to?"
                    + (String($0.reversed()).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
            }
            return (try PublicNetwork.run(["--size", "2x2"] + addresses), site.requestLines)
        }
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        let refusals = outcome.errors.components(
            separatedBy: "sent a redirect into the local network, which is refused")
        #expect(refusals.count - 1 == Self.local.count, "\(outcome.errors)")
        for scheme in Self.schemes.map({ $0.prefix { $0 != ":" } }) {
            #expect(outcome.errors.contains("sent a redirect to \(scheme):"), "\(outcome.errors)")
        }
        #expect(requests.count == Self.local.count + Self.schemes.count + 1)
        #expect(requests.allSatisfy { $0.contains("/to?") }, "\(requests)")
    }

    @Test("Redirects are followed between public addresses, and from a local URL that the user typed")
    func followed() throws {
        let outcomes = try PublicNetwork.perform {
            let site = try Self.site()
            let port = site.base.split(separator: ":").last ?? ""
            let outside = String("http://outside.test:PORT/a.gif".reversed())
            let inside = String("http://127.0.0.2:PORT/a.gif".reversed())
            return [
                try PublicNetwork.run(["--size", "2x2", "\(site.base)/to?\(outside)"]),
                try PublicNetwork.run(["--size", "2x2", "http://inside.test:\(port)/to?\(inside)"]),
                try PublicNetwork.run(["--size", "2x2", "http://127.0.0.1:\(port)/to?\(inside)"]),
            ]
        }
        for outcome in outcomes { #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(outcome.errors)") }
    }

    /// Runs the player with a query for a fake Commons. The endpoint of the service is `service`, and the file URLs in
    /// its response begin with `media`. Returns the program's result and the request lines of all file requests.
    private static func play(service: String, media: String) throws -> (outcome: ProgramResult, pictures: [String]) {
        try PublicNetwork.perform {
            let site = try FakeSite(host: PublicNetwork.address) { request, base in
                guard request.path.hasPrefix("/commons") else { return try .gif("campfire") }
                let port = base.split(separator: ":").last ?? ""
                return try FakeSite.fixture("commons/search.json", media.replacingOccurrences(of: "PORT", with: port))
            }
            let port = site.base.split(separator: ":").last ?? ""
            let endpoint = service.replacingOccurrences(of: "PORT", with: port) + "/commons"
            let outcome = try PublicNetwork.run(
                ["--size", "2x2", "--source", "commons", "octopus"], ["GIFPLAY_ENDPOINT_COMMONS": endpoint])
            return (outcome, site.requestLines.filter { !$0.hasPrefix("GET /commons/w/api") })
        }
    }

    @Test(
        "A local media URL in the response of a public service is not fetched",
        arguments: ["http://127.0.0.1:PORT", "http://[::1]:PORT", "http://0x7f.1:PORT", "http://inside.test:PORT"])
    func mediaInside(media: String) throws {
        let (outcome, pictures) = try Self.play(service: "http://\(PublicNetwork.address):PORT", media: media)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("it is in the local network, and you did not specify it yourself"))
        #expect(pictures.isEmpty, "\(pictures)")
    }

    @Test(
        "A local media URL is fetched if the user configured a local address for the service",
        arguments: ["http://127.0.0.1:PORT http://127.0.0.3:PORT", "http://inside.test:PORT http://inside.test:PORT"])
    func mediaOfOwnService(endpoints: String) throws {
        let parts = endpoints.split(separator: " ").map(String.init)
        let (outcome, pictures) = try Self.play(service: parts[0], media: parts[1])
        #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(outcome.errors)")
        #expect(!pictures.isEmpty)
    }

    @Test("A local URL of a GIF in the library is not fetched")
    func stored() throws {
        let requests = try PublicNetwork.perform {
            let site = try Self.site()
            let port = site.base.split(separator: ":").last ?? ""
            let folder = try TemporaryFolder()
            let environment = [
                "XDG_DATA_HOME": folder.path("data"), "GIFPLAY_OFFLINE": "0",
                // The gallery queries only Openverse, for which the fake server stands in.
                "GIFPLAY_ENDPOINT_OPENVERSE": site.base,
            ]
            let file = Rendition(url: "http://127.0.0.1:\(port)/secret.gif", width: 9, height: 9)
            let trojan = StoredLibrary.gif("1", title: "Trojan", files: [file])
            try StoredLibrary.fill(folder.path("data"), favourites: [trojan])
            let gallery = try GalleryDriver(
                ["--source", "openverse", "--reduced-motion"], folder: folder, environment: environment)
            try gallery.wait(forText: "search GIFs")
            try gallery.send("\u{1B}[Z\u{1B}[Z\u{1B}[Z", until: "failed")
            #expect(try gallery.quit() == 0)
            return site.requestLines
        }
        #expect(!requests.contains { $0.contains("secret") }, "\(requests)")
    }
}
