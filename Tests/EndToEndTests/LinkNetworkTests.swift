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
}
