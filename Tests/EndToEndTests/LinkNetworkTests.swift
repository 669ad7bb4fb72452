import Foundation
import TestServer
import Testing

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
