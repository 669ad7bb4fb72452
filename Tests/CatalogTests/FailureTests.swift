import Base
import TestSupport
import Testing

@testable import Catalog

@Suite struct FailureTests {
    private func error(_ name: String, _ response: HTTPResponse) async throws -> Failure? {
        let repository = try repository(name, ScriptedHTTPClient(.success(response)))
        return await failure { try await repository.search(SearchQuery("x"), page: nil) }
    }

    private static let services = ["giphy", "klipy", "commons", "gifcities", "openverse"]
    private static let giphy = "GIPHY_API_KEY"
    private static let limited = "API rate limit exceeded"
    private static let throttled = "Request was throttled. Expected available in 52 seconds."
    private static let unlike20 = "Ensure this value is less than or equal to 20."
    private static let sort = "Unrecognized value for parameter \"gsrsort\"."
    private static let agent = "Please set a user agent that says who you are."

    private static func refused(_ status: Int, _ message: String, after seconds: Int? = nil) -> Failure {
        .refused(status: status, message: message, retryAfterSeconds: seconds)
    }

    @Test(
        "Each form of error of each service is recognised, with its message and the wait that it requests",
        arguments: [
            // A refused key; a status 404 without a key error is none.
            ("giphy/error_401.json", 401, nil, .keyRefused(variable: giphy, message: "Unauthorized")),
            (
                "giphy/error_401_gateway.json", 401, nil,
                .keyRefused(variable: giphy, message: "Invalid authentication credentials")
            ),
            ("giphy/error_403.json", 403, nil, .keyRefused(variable: giphy, message: "BANNED")),
            ("klipy/error_404_bad_slug.json", 404, nil, refused(404, "404 Not Found")),
            ("giphy/error_404.json", 404, nil, refused(404, "Not Found")),
            ("giphy/error_414.json", 414, nil, refused(414, "URI Too Long")),
            // The wait is in a header, or else in the message of Openverse.
            ("giphy/error_429.json", 429, 30, refused(429, limited, after: 30)),
            ("giphy/error_429_gateway.json", 429, 30, refused(429, limited, after: 30)),
            ("openverse/error_429.json", 429, nil, refused(429, throttled, after: 52)),
            ("openverse/error_429.json", 429, 9, refused(429, throttled, after: 9)),
            ("openverse/error_400.json", 400, nil, refused(400, "Invalid input given for fields.")),
            ("openverse/error_401.json", 401, nil, refused(401, unlike20)),
            // Both formats of Wikimedia, even if the status is 200.
            ("commons/error_bc.json", 200, nil, .api(code: "badvalue", message: sort, retryAfterSeconds: nil)),
            (
                "commons/error_plaintext.json", 200, nil,
                .api(code: "ratelimited", message: "You've exceeded your rate limit.", retryAfterSeconds: nil)
            ),
            (
                "commons/error_maxlag.json", 200, 5,
                .api(code: "maxlag", message: "Waiting for a server: 6.1 seconds lagged.", retryAfterSeconds: 5)
            ),
            ("commons/error_429.json", 429, 18, refused(429, "429 Too Many Requests", after: 18)),
            ("commons/error_403.txt", 403, nil, refused(403, agent)),
            // GIPHY's "synthetic response" is an outage; an empty random response and a false result.
            ("giphy/synthetic.json", 200, nil, .outage), ("giphy/random_miss.json", 200, nil, nil),
            ("giphy/error_429.json", 200, nil, refused(429, limited)),
            (
                "klipy/result_false.json", 200, nil,
                .api(code: "result", message: "The q field is required.", retryAfterSeconds: nil)
            ),
        ] as [(String, Int, Int?, Failure?)])
    func forms(fixture: String, status: Int, retryAfter: Int?, expected: Failure?) async throws {
        var response = try Fixture.response(fixture, status: status)
        response.retryAfterSeconds = retryAfter
        #expect(try await error(String(fixture.prefix { $0 != "/" }), response) == expected)
    }

    @Test("A refused key is recognised in the error format of KLIPY, and is not repeated")
    func refusedKey() async throws {
        var echo = try Fixture.response("klipy/error_404_bad_key.json", status: 404)
        echo.body = Array(String(decoding: echo.body, as: UTF8.self).replacing("@KEY@", with: testKey).utf8)
        let message = "The provided API key is invalid: (key)"
        #expect(try await error("klipy", echo) == .keyRefused(variable: "KLIPY_API_KEY", message: message))
    }

    @Test("If a response is not a listing, the error reports the type of the content", arguments: services)
    func notAListing(name: String) async throws {
        let html = try Fixture.bytes("any/outage.html")
        let cut = Array(try Fixture.bytes("\(name)/search.json").dropLast(40))
        let bodies: [([UInt8], ReceivedBody)] = [
            (html, .html), (cut, .brokenJSON), ([], .nothing), (Array("Service busy".utf8), .text),
            (Array("GIF89a".utf8), .image), (Array("{\"surprise\":1}".utf8), .unexpectedJSON),
            (Array(repeating: 0x5B, count: 300_000), .brokenJSON), ([0xEF, 0xBB, 0xBF] + html, .html),
            ([0x7B, 0xFF, 0xFE, 0x7D], .brokenJSON),
        ]
        for (body, received) in bodies {
            let found = try await error(name, HTTPResponse(status: 200, body: body))
            #expect(found == .notJSON(status: 200, received: received))
        }
    }

    @Test("A server error is reported without the HTML of the response", arguments: services)
    func serverError(name: String) async throws {
        let html = try Fixture.bytes("any/outage.html")
        for (status, wait) in [(500, nil), (503, 120)] as [(Int, Int?)] {
            let response = HTTPResponse(status: status, body: wait == nil ? html : [], retryAfterSeconds: wait)
            #expect(try await error(name, response) == .refused(status: status, message: nil, retryAfterSeconds: wait))
        }
    }

    @Test("A listing that is truncated at any offset is an error and causes no crash", arguments: services)
    func cutListing(name: String) async throws {
        let whole = try Fixture.bytes("\(name)/search.json")
        for length in stride(from: 0, to: whole.count - 2, by: 211) {
            let found = try await error(name, HTTPResponse(status: 200, body: Array(whole.prefix(length))))
            #expect(found?.kind == .badAnswer, "cut at \(length): \(String(describing: found))")
        }
    }

    @Test("Damaged listings and extreme numbers cause no crash", arguments: services)
    func damagedListing(name: String) throws {
        let service = try #require(GIFSources.services.first { $0.profile.name == name })
        let whole = try Fixture.bytes("\(name)/search.json")
        var bodies: [[UInt8]] = []
        for number in ["9223372036854775807", "-9223372036854775808", "1e308", "18446744073709551616", "-1", "0.5"] {
            // Replace every integer value, quoted or not, with this number.
            let text = String(decoding: whole, as: UTF8.self)
            bodies.append(Array(text.replacing(/: ("?)\d+("?)(,?)\n/) { ": \($0.1)\(number)\($0.2)\($0.3)\n" }.utf8))
        }
        var generator = SeededRandom(11)
        for _ in 0..<30 {
            var body = whole
            for _ in 0..<3 {
                let at = Int.random(in: body.indices, using: &generator)
                body[at] = UInt8.random(in: .min ... .max, using: &generator)
            }
            bodies.append(body)
        }
        for body in bodies {
            let response = ServiceResponse(http: HTTPResponse(status: 200, body: body), redactor: Redactor())
            let request = ListingRequest(listing: .search(query: "x"), preferences: ListingPreferences(rating: .r))
            for item in (try? service.decode(response, to: request))?.items ?? [] {
                #expect(!item.renditions.isEmpty)
                _ = RenditionChoice(width: 80, height: 48).ordered(item.renditions)
            }
        }
    }

    @Test("Transport errors and cancellations are reported to the caller")
    func transportErrors() async throws {
        let timeout = Failure.timedOut(host: "api.giphy.com", milliseconds: 6_000)
        for (given, expected) in [(timeout, timeout), (.cancelled, .cancelled)] {
            let repository = try repository("giphy", ScriptedHTTPClient(.failure(given)))
            #expect(await failure { try await repository.random(ListingPreferences()) } == expected)
        }
    }

    @Test("A service that needs a key is not queried if the key is missing")
    func missingKey() async throws {
        let client = ScriptedHTTPClient(.success(HTTPResponse(status: 200)))
        for (name, variable) in [("giphy", "GIPHY_API_KEY"), ("klipy", "KLIPY_API_KEY")] {
            let repository = try repository(name, client, .test(keyed: false))
            let found = await failure { try await repository.search(SearchQuery("x"), page: nil) }
            #expect(found == .noKey(variable: variable))
        }
        #expect(client.requests.isEmpty)
    }

    @Test("A service that does not list trending GIFs is not queried for them")
    func missingTrending() async throws {
        let client = ScriptedHTTPClient(.success(HTTPResponse(status: 200)))
        for name in ["commons", "gifcities", "openverse"] {
            let repository = try repository(name, client)
            let found = await failure { try await repository.trending(ListingPreferences(), page: nil) }
            #expect(found == .notOffered)
        }
        #expect(client.requests.isEmpty)
    }
}
