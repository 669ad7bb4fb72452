import Base
import Testing

@testable import Catalog

@Suite struct FailureTests {
    private func error(_ name: String, _ response: HTTPResponse) async throws -> Failure? {
        let repository = try repository(name, ScriptedHTTPClient(.success(response)))
        return await failure { () async throws(Failure) in try await repository.search(SearchQuery("x"), page: nil)
        }
    }

    private func error(
        _ name: String, _ fixture: String, _ status: Int, retryAfter: Int? = nil
    ) async throws -> Failure? {
        var response = try Fixture.response("\(name)/\(fixture)", status: status)
        response.retryAfterSeconds = retryAfter
        return try await error(name, response)
    }

    @Test("A refused key is recognised in the error formats of GIPHY and KLIPY")
    func refusedKey() async throws {
        let giphy = "GIPHY_API_KEY"
        #expect(
            try await error("giphy", "error_401.json", 401) == .keyRefused(variable: giphy, message: "Unauthorized"))
        #expect(
            try await error("giphy", "error_401_gateway.json", 401)
                == .keyRefused(variable: giphy, message: "Invalid authentication credentials"))
        #expect(
            try await error("giphy", "error_403.json", 403)
                == .keyRefused(variable: giphy, message: "BANNED"))
        var echo = try Fixture.response("klipy/error_404_bad_key.json", status: 404)
        echo.body = Array(String(decoding: echo.body, as: UTF8.self).replacing("@KEY@", with: testKey).utf8)
        #expect(
            try await error("klipy", echo)
                == .keyRefused(variable: "KLIPY_API_KEY", message: "The provided API key is invalid: (key)"))
    }

    @Test("A status 404 without a key error is not reported as a refused key")
    func notFound() async throws {
        #expect(
            try await error("klipy", "error_404_bad_slug.json", 404)
                == .refused(status: 404, message: "404 Not Found", retryAfterSeconds: nil))
        #expect(
            try await error("giphy", "error_404.json", 404)
                == .refused(status: 404, message: "Not Found", retryAfterSeconds: nil))
    }

    @Test("A status 414 is reported as a refused request")
    func tooLongQuery() async throws {
        #expect(
            try await error("giphy", "error_414.json", 414)
                == .refused(status: 414, message: "URI Too Long", retryAfterSeconds: nil))
    }

    @Test("The wait that GIPHY requests is reported in both error formats")
    func retryAfter() async throws {
        for fixture in ["error_429.json", "error_429_gateway.json"] {
            #expect(
                try await error("giphy", fixture, 429, retryAfter: 30)
                    == .refused(status: 429, message: "API rate limit exceeded", retryAfterSeconds: 30))
        }
    }

    @Test("If an Openverse error has no Retry-After header, the retry time is read from the message")
    func openverseWait() async throws {
        let message = "Request was throttled. Expected available in 52 seconds."
        #expect(
            try await error("openverse", "error_429.json", 429)
                == .refused(status: 429, message: message, retryAfterSeconds: 52))
        #expect(
            try await error("openverse", "error_429.json", 429, retryAfter: 9)
                == .refused(status: 429, message: message, retryAfterSeconds: 9))
    }

    @Test("An Openverse error contains the message of the service")
    func openverseErrors() async throws {
        #expect(
            try await error("openverse", "error_400.json", 400)
                == .refused(status: 400, message: "Invalid input given for fields.", retryAfterSeconds: nil))
        #expect(
            try await error("openverse", "error_401.json", 401)
                == .refused(
                    status: 401, message: "Ensure this value is less than or equal to 20.", retryAfterSeconds: nil))
    }

    @Test("Wikimedia errors are recognised in both error formats, even if the status is 200")
    func wikimediaErrors() async throws {
        #expect(
            try await error("commons", "error_bc.json", 200)
                == .api(
                    code: "badvalue", message: "Unrecognized value for parameter \"gsrsort\".", retryAfterSeconds: nil))
        #expect(
            try await error("commons", "error_plaintext.json", 200)
                == .api(code: "ratelimited", message: "You've exceeded your rate limit.", retryAfterSeconds: nil))
        #expect(
            try await error("commons", "error_maxlag.json", 200, retryAfter: 5)
                == .api(code: "maxlag", message: "Waiting for a server: 6.1 seconds lagged.", retryAfterSeconds: 5))
        #expect(
            try await error("commons", "error_429.json", 429, retryAfter: 18)
                == .refused(status: 429, message: "429 Too Many Requests", retryAfterSeconds: 18))
        #expect(
            try await error("commons", "error_403.txt", 403)
                == .refused(
                    status: 403, message: "Please set a user agent that says who you are.", retryAfterSeconds: nil))
    }

    @Test("GIPHY's \"synthetic response\" is reported as an outage, and an empty random response is no error")
    func giphySyntheticResponse() async throws {
        #expect(try await error("giphy", "synthetic.json", 200) == .outage)
        #expect(try await error("giphy", "random_miss.json", 200) == nil)
        #expect(
            try await error("giphy", "error_429.json", 200)
                == .refused(status: 429, message: "API rate limit exceeded", retryAfterSeconds: nil))
    }

    @Test("A KLIPY response is an error if its result field is false")
    func klipyFalseResult() async throws {
        #expect(
            try await error("klipy", "result_false.json", 200)
                == .api(code: "result", message: "The q field is required.", retryAfterSeconds: nil))
    }

    @Test(
        "If a response is not a listing, the error reports the type of the content",
        arguments: ["giphy", "klipy", "commons", "gifcities", "openverse"])
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

    @Test(
        "A server error is reported without the HTML of the response",
        arguments: ["giphy", "klipy", "commons", "gifcities", "openverse"])
    func serverError(name: String) async throws {
        let html = try Fixture.bytes("any/outage.html")
        #expect(
            try await error(name, HTTPResponse(status: 500, body: html))
                == .refused(status: 500, message: nil, retryAfterSeconds: nil))
        #expect(
            try await error(name, HTTPResponse(status: 503, retryAfterSeconds: 120))
                == .refused(status: 503, message: nil, retryAfterSeconds: 120))
    }

    @Test(
        "A listing that is truncated at any offset is an error and causes no crash",
        arguments: ["giphy", "klipy", "commons", "gifcities", "openverse"])
    func cutListing(name: String) async throws {
        let whole = try Fixture.bytes("\(name)/search.json")
        for length in stride(from: 0, to: whole.count - 2, by: 211) {
            let found = try await error(name, HTTPResponse(status: 200, body: Array(whole.prefix(length))))
            guard found?.kind == .badAnswer else {
                Issue.record("cut at \(length): \(String(describing: found))")
                continue
            }
        }
    }

    @Test(
        "Damaged listings and extreme numbers cause no crash",
        arguments: ["giphy", "klipy", "commons", "gifcities", "openverse"])
    func damagedListing(name: String) throws {
        let service = try #require(GIFSources.services.first { $0.profile.name == name })
        let whole = try Fixture.bytes("\(name)/search.json")
        var bodies: [[UInt8]] = []
        for number in ["9223372036854775807", "-9223372036854775808", "1e308", "18446744073709551616", "-1", "0.5"] {
            // Replace every integer value, quoted or not, with this number.
            let text = String(decoding: whole, as: UTF8.self)
            bodies.append(Array(text.replacing(/: ("?)\d+("?)(,?)\n/) { ": \($0.1)\(number)\($0.2)\($0.3)\n" }.utf8))
        }
        var generator = SeededGenerator(state: 11)
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
            #expect(
                await failure { () async throws(Failure) in try await repository.random(ListingPreferences()) }
                    == expected)
        }
    }

    @Test("A service that needs a key is not queried if the key is missing")
    func missingKey() async throws {
        let client = ScriptedHTTPClient(.success(HTTPResponse(status: 200)))
        for (name, variable) in [("giphy", "GIPHY_API_KEY"), ("klipy", "KLIPY_API_KEY")] {
            let repository = try repository(name, client, .test(keyed: false))
            let found = await failure { () async throws(Failure) in
                try await repository.search(SearchQuery("x"), page: nil)
            }
            #expect(found == .noKey(variable: variable))
        }
        #expect(client.requests.isEmpty)
    }

    @Test("A service that does not list trending GIFs is not queried for them")
    func missingTrending() async throws {
        let client = ScriptedHTTPClient(.success(HTTPResponse(status: 200)))
        for name in ["commons", "gifcities", "openverse"] {
            let repository = try repository(name, client)
            let found = await failure { () async throws(Failure) in
                try await repository.trending(ListingPreferences(), page: nil)
            }
            #expect(found == .notOffered)
        }
        #expect(client.requests.isEmpty)
    }
}
