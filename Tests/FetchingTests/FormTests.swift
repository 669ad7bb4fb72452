import Base
import TestServer
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(15))) struct FormTests {
    private func outcome(
        _ client: CurlHTTPClient, _ form: String, _ request: HTTPRequest
    ) async -> Result<HTTPResponse, Failure> {
        do throws(Failure) {
            return .success(try await client.post(form, to: request))
        } catch {
            return .failure(error)
        }
    }

    @Test("A form is sent with its headers, and its response is returned")
    func post() async throws {
        let server = try await LoopbackServer { _, _ in .init(201, text: "taken") }
        let form = "{\"a\":\"é\"}"
        let request = longTimeoutRequest(
            url: server.base + "/form", headers: ["Authorization": "Basic eDp5", "Content-Type": "application/json"])
        let response = try await CurlHTTPClient(options()).post(form, to: request)
        #expect(response.status == 201 && response.body == Array("taken".utf8))
        let seen = try #require(server.requests.first)
        #expect(seen.method == "POST" && seen.body == form)
        #expect(seen.headers["authorization"] == "Basic eDp5" && seen.headers["expect"] == nil)
        #expect(seen.headers["content-type"] == "application/json")
        #expect(seen.headers["content-length"] == String(form.utf8.count))
    }

    @Test("A redirect in response to a form is refused", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let server = try await LoopbackServer { _, _ in .init(status, headers: ["Location": "/elsewhere"]) }
        let result = await outcome(
            CurlHTTPClient(options()), "{}", longTimeoutRequest(url: server.base + "/form"))
        #expect(result == .failure(.responseRefused(host: "127.0.0.1", reason: "a redirect of a POST")))
        #expect(server.requests.map(\.path) == ["/form"])
    }

    @Test("A form is not sent again after status 503")
    func serverError() async throws {
        let clock = RecordingClock()
        let server = try await LoopbackServer { _, _ in .init(503) }
        let result = await outcome(
            CurlHTTPClient(options(clock)), "{}", longTimeoutRequest(url: server.base))
        #expect(try result.get().status == 503)
        #expect(server.requests.count == 1 && clock.waits.isEmpty)
    }

    @Test("A form is not sent again if the connection ends without a response")
    func closedConnection() async throws {
        let server = try RawServer { connection, number in
            connection.readHead()
            // The server responds to the first request and keeps the connection open. When the form arrives on this
            // connection, the server closes it without a response.
            if number == 0 {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                connection.readHead()
            }
        }
        let client = CurlHTTPClient(options())
        _ = try await client.get(longTimeoutRequest(url: server.base + "/page"))
        let result = await outcome(client, "{}", longTimeoutRequest(url: server.base + "/form"))
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.kind == .unreachable)
        #expect(server.requests.filter { $0.hasPrefix("POST /form") }.count == 1)
    }

    @Test("If a request must not be repeated, a response with status 429 is returned immediately")
    func unrepeatableRequest() async throws {
        let clock = RecordingClock()
        let server = try await LoopbackServer { _, _ in .init(429, headers: ["Retry-After": "1"], text: "no") }
        var request = longTimeoutRequest(url: server.base)
        request.mayRepeat = false
        #expect(try await CurlHTTPClient(options(clock)).get(request).status == 429)
        #expect(server.requests.count == 1 && clock.waits.isEmpty)
    }
}
