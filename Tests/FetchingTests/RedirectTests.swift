import Base
import TestServer
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(15))) struct RedirectTests {
    private func redirected(to location: String) async throws -> Result<HTTPResponse, Failure> {
        let server = try await LoopbackServer { _, _ in .init(302, headers: ["Location": location], text: "moved") }
        return await outcome(CurlHTTPClient(options()), longTimeoutRequest(url: server.base + "/a/b"))
    }

    private func refusal(_ reason: String) -> Result<HTTPResponse, Failure> {
        .failure(.responseRefused(host: "127.0.0.1", reason: reason))
    }

    @Test("A redirect to a relative URL is followed for every redirect status", arguments: [301, 302, 303, 307, 308])
    func relativeRedirects(status: Int) async throws {
        let server = try await LoopbackServer { request, _ in
            request.path == "/a/b" ? .init(status, headers: ["Location": "../c?d=e#f"]) : .init(text: request.path)
        }
        let response = try await CurlHTTPClient(options()).get(longTimeoutRequest(url: server.base + "/a/b"))
        #expect(response.body == Array("/c".utf8))
        #expect(server.requests.last?.query == ["d": "e"])
    }

    @Test("Twenty redirects are followed, and the next one is an error")
    func redirectLimit() async throws {
        let server = try await LoopbackServer { _, number in
            number == 20 ? .init(text: "there") : .init(302, headers: ["Location": "/\(number)"])
        }
        let client = CurlHTTPClient(options())
        #expect(try await client.get(longTimeoutRequest(url: server.base)).body == Array("there".utf8))
        #expect(try await redirected(to: "/a/b") == refusal("more than 20 redirects"))
    }

    @Test("A redirect to another scheme is refused", arguments: ["file", "ftp", "gopher", "javascript", "data"])
    func otherScheme(scheme: String) async throws {
        #expect(try await redirected(to: "\(scheme)://127.0.0.1/etc/passwd") == refusal("a redirect to \(scheme):"))
    }

    @Test("A redirect to an invalid URL is refused")
    func invalidURL() async throws {
        let result = try await redirected(to: "http://a b\\c:99999999/")
        guard case .failure(let error) = result, error.message.hasSuffix(", which is refused") else {
            Issue.record("\(result)")
            return
        }
    }

    @Test("A redirect from https to http is refused")
    func downgrade() async throws {
        let plain = try await LoopbackServer { _, _ in .init(text: "plain") }
        let location = "HTTP/1.0 302 Found\r\nLocation: \(plain.base)/x\r\n\r\n"
        let server = try TLSServer(files: ["page": location])
        defer { withExtendedLifetime(server) {} }
        let client = CurlHTTPClient(options { $0.caFile = server.certificate })
        let result = await outcome(client, longTimeoutRequest(url: server.base + "/page"))
        #expect(result == refusal("a redirect from https to http"))
        #expect(plain.requests.isEmpty)
    }

    @Test("A redirect without a Location header is returned as the response")
    func missingLocation() async throws {
        let server = try await LoopbackServer { _, _ in .init(302, text: "lost") }
        let response = try await CurlHTTPClient(options()).get(longTimeoutRequest(url: server.base))
        #expect(response.status == 302)
    }

    @Test("A redirect with an endless body does not block the request")
    func endlessBody() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n")
            while connection.send([UInt8](repeating: 65, count: 10_000)) {}
        }
        let result = await outcome(CurlHTTPClient(options()), longTimeoutRequest(url: server.base))
        #expect(throws: Failure.self) { try result.get() }
    }

    @Test("The custom headers of a request are sent only to its origin")
    func originHeaders() async throws {
        let other = try await LoopbackServer { _, _ in .init(text: "other") }
        let target = other.base
        let server = try await LoopbackServer { request, _ in
            .init(302, headers: ["Location": request.path == "/" ? "/next" : target])
        }
        _ = try await CurlHTTPClient(options()).get(longTimeoutRequest(url: server.base, headers: ["X-Key": "k"]))
        #expect(server.requests.map { $0.headers["x-key"] } == ["k", "k"])
        #expect(other.requests.first?.headers["x-key"] == nil)
        #expect(other.requests.first?.headers["user-agent"] != nil)
    }

    // MARK: - Redirects into the local network. In these tests, 127.0.0.1 is public and the rest of 127/8 is local.

    private func client() -> CurlHTTPClient {
        CurlHTTPClient(options { $0.isLocalAddress = { $0 != "127.0.0.1" } })
    }

    @Test("A redirect from a public to a local address is refused, and the local server receives no request")
    func localAddress() async throws {
        let server = try await LoopbackServer { request, _ in
            let port = request.headers["host"]?.split(separator: ":").last ?? ""
            return request.path == "/" ? .init(302, headers: ["Location": "http://127.0.0.2:\(port)/x"]) : .init()
        }
        let result = await outcome(client(), longTimeoutRequest(url: server.base))
        #expect(result == refusal("a redirect into the local network"))
        #expect(server.requests.count == 1)
    }

    @Test("After a redirect from a public address, a host name that resolves to a local IP address is refused")
    func localPeer() async throws {
        let trail = RedirectTrail(from: try address("http://1.2.3.4/"), mayBeLocal: true) { LocalAddress.isLocal($0) }
        #expect(trail.allowsPeer("10.0.0.1"))
        var next = trail
        try next.follow("http://intranet.example/", peer: "1.2.3.4")
        #expect(!next.allowsPeer("10.0.0.1"))
        #expect(!next.allowsPeer("::1"))
        #expect(next.allowsPeer("5.6.7.8"))
    }

    @Test("No request is sent to a server whose IP address is refused")
    func refusedPeer() async throws {
        let server = try await LoopbackServer { _, _ in .init() }
        #expect(try await isPeerRefused(server.base))
        #expect(server.requests.isEmpty)
    }

    @Test("A redirect from one local address to another is followed")
    func localRedirect() async throws {
        let server = try await LoopbackServer { request, _ in
            let port = request.headers["host"]?.split(separator: ":").last ?? ""
            return request.path == "/" ? .init(302, headers: ["Location": "http://127.0.0.3:\(port)/x"]) : .init()
        }
        let response = try await client().get(longTimeoutRequest(url: "http://127.0.0.2:\(server.port)/"))
        #expect(response.status == 200)
    }

    @Test("A local address that the user did not specify is refused before a connection is made")
    func foreignAddress() async throws {
        let server = try RawServer { connection, number in
            connection.readHead()
            connection.send("\(number)")
        }
        let transport = CurlHTTPClient(options())
        let request = TransportRequest(address: try transport.address(server.base), mayBeLocal: false)
        guard
            case .failed(let error, false) = await transport.send(request, sink: DiscardingSink()),
            error.message.hasPrefix("127.0.0.1 cannot be reached: ")
        else {
            Issue.record("a request was sent")
            return
        }
        #expect(try server.sendEmptyRequest() == Array("0".utf8))
    }

    @Test("No connection is made to a server whose IP address is refused")
    func refusedConnection() async throws {
        let server = try RawServer { connection, number in
            connection.readHead()
            connection.send("\(number)")
        }
        #expect(try await isPeerRefused(server.base))
        // The server numbers connections in the order of arrival. If the test's own connection has number 0, the
        // client made no connection.
        #expect(try server.sendEmptyRequest() == Array("0".utf8))
    }

    @Test(
        "Local addresses are recognised in every spelling",
        arguments: [
            "http://127.1/", "http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://localhost./",
            "http://LOCALHOST/", "http://a.localhost/", "http://ip6-localhost/", "http://127.0.0.1./",
            "http://0x7f.1./", "http://2130706433./", "http://127%2e0.0.1/", "http://u:p@127.0.0.1/",
            "http://１２７.0.0.1/", "http://127。0。0。1/", "http://0x7f。1/", "http://[::1]/", "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:0:0:1]/", "http://0/",
        ])
    func spellings(location: String) throws {
        var trail = RedirectTrail(from: try address("http://1.2.3.4/"), mayBeLocal: true, usesProxy: { _ in true }) {
            LocalAddress.isLocal($0)
        }
        #expect(throws: Failure.responseRefused(host: "1.2.3.4", reason: "a redirect into the local network")) {
            try trail.follow(location, peer: "10.0.0.1")
        }
    }

    @Test(
        "Addresses of this machine and its network are recognised as local",
        arguments: [
            ("127.9.9.9", true), ("10.1.2.3", true), ("172.31.0.1", true), ("172.32.0.1", false), ("192.168.1.1", true),
            ("169.254.169.254", true), ("100.64.0.1", true), ("0.0.0.0", true), ("255.255.255.255", true),
            ("8.8.8.8", false), ("::1", true), ("fe80::1", true), ("fd00::1", true), ("::ffff:10.0.0.1", true),
            ("::ffff:8.8.8.8", false), ("64:ff9b::7f00:1", true), ("::ffff:0:10.0.0.1", true),
            ("64:ff9b:1::10.0.0.1", true), ("2002:7f00:1::1", true), ("2002:808:808::1", false),
            ("2606:4700::1", false), ("nonsense", false),
        ])
    func localAddresses(address: String, isLocal: Bool) {
        #expect(LocalAddress.isLocal(address) == isLocal)
    }

    private func address(_ url: String) throws -> ParsedURL { try CurlHTTPClient(options()).address(url) }

    /// Returns whether the transfer loop refuses a request because of the server's IP address. The earlier check of the
    /// URL's host is skipped.
    private func isPeerRefused(_ url: String) async throws -> Bool {
        let request = TransportRequest(address: try address(url), mayBeLocal: false)
        let trail = RedirectTrail(from: request.address, mayBeLocal: false) { _ in true }
        let exchange = Exchange(request, at: trail, wholeMilliseconds: nil, sink: DiscardingSink())
        return await TransferLoop(options()).run(exchange) == .failed(trail.localRefusal, isTransient: false)
    }
}

/// Accepts every response and discards it.
private final class DiscardingSink: ExchangeSink {
    func begin(_ head: ResponseHead) -> Bool { true }
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
}
