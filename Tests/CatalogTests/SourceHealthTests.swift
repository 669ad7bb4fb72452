import Base
import Testing

@testable import Catalog

@Suite("Source health") struct SourceHealthTests {
    private let clock = ManualClock()
    private let health: SourceHealth

    init() { health = SourceHealth(now: { [clock] in clock.now }) }

    private func seconds(_ part: CoolDowns.Part) -> Int? { health.coolDown(of: part)?.seconds }

    @Test("The first cool-down of a host takes a minute; each further one takes twice the time, up to ten minutes")
    func host() {
        for expected in [60, 120, 240, 480, 600, 600] {
            health.update { $0.recordFailure(ofHost: "h", Failure("403"), at: $1) }
            // The failure of a request that began before the cool-down changes nothing.
            health.update { $0.recordFailure(ofHost: "h", Failure("timed out"), at: $1) }
            #expect(seconds(.host("h")) == expected && health.coolDown(of: .host("h"))?.reason == Failure("403"))
            clock.advance(.seconds(expected - 1))
            #expect(!health.isUsable(.host("h")) && health.isUsable(.host("h:8443")))
            clock.advance(.seconds(1))
            #expect(health.isUsable(.host("h")))
        }
        health.update { coolDowns, _ in coolDowns.recordSuccess(of: .host("h")) }
        health.update { $0.recordFailure(ofHost: "h", Failure("403"), at: $1) }
        #expect(seconds(.host("h")) == 60)
    }

    @Test("The fourth failed file in succession sets the files of a service aside for a minute")
    func files() {
        for _ in 0..<3 { health.update { $0.recordFailedFile(of: "a", Failure("404"), at: $1) } }
        health.update { coolDowns, _ in coolDowns.recordSuccess(of: .files("a")) }
        for _ in 0..<3 { health.update { $0.recordFailedFile(of: "a", Failure("404"), at: $1) } }
        #expect(health.isUsable(.files("a")))
        health.update { $0.recordFailedFile(of: "a", Failure("404"), at: $1) }
        #expect(seconds(.files("a")) == 60 && health.isUsable(.files("b")))
        // The service can still list GIFs.
        #expect(health.isUsable(.listings("a")))
        clock.advance(.seconds(60))
        #expect(health.isUsable(.files("a")))
    }

    @Test("If there are no other files, those set aside are tried again, and the next failure sets them aside again")
    func retry() {
        for _ in 0..<4 { health.update { $0.recordFailedFile(of: "a", Failure("404"), at: $1) } }
        health.update { $0.recordFailure(ofHost: "h", Failure("403"), at: $1) }
        health.update { coolDowns, _ in coolDowns.retryFiles() }
        #expect(health.isUsable(.files("a")) && !health.isUsable(.host("h")))
        health.update { $0.recordFailedFile(of: "a", Failure("404"), at: $1) }
        #expect(!health.isUsable(.files("a")))
    }

    @Test("All cool-downs can be ended")
    func endCoolDowns() {
        health.recordFailure(.outage, of: "a")
        health.update { $0.recordFailure(ofHost: "h", Failure("403"), at: $1) }
        #expect(health.coolDown(of: .listings("a"))?.reason == .outage)
        health.endCoolDowns()
        #expect(health.isUsable(.listings("a")) && health.isUsable(.host("h")))
    }

    @Test("A service that failed in the last run is queried last for the remaining time; the log is read once")
    func lastRun() {
        let count = Monitor(0)
        let health = SourceHealth(
            now: { [clock] in clock.now },
            lastRun: {
                count.withLock { $0 += 1 }
                return ["a": 20]
            })
        clock.advance(.seconds(1))
        #expect(health.isQueriedLast("a") && !health.isQueriedLast("b") && health.isUsable(.listings("a")))
        clock.advance(.seconds(20))
        #expect(!health.isQueriedLast("a") && count.withLock { $0 } == 1)
    }

    @Test("Failures of services are logged for the next run, but not outcomes that say nothing about their health")
    func log() {
        let logged = Monitor<[Failure]>([])
        let health = SourceHealth(log: { failure in logged.withLock { $0.append(failure) } })
        let unrelated: [Failure] = [
            .cancelled, .nothingFound, .notOffered, .noKey(variable: "K"), .coolingDown(seconds: 3),
            .outOfTime, .cancelled,
        ]
        for reason in unrelated { health.recordFailure(reason, of: "a") }
        #expect(logged.withLock { $0 }.isEmpty)
        let failures = [
            Failure.outage.of("a"),
            // A service that refuses one query may answer another one in this run.
            Failure.refused(status: 414, message: nil, retryAfterSeconds: nil).of("b"),
        ]
        for failure in failures { health.recordFailure(failure, of: failure.source) }
        #expect(logged.withLock { $0 } == failures)
        #expect(!health.isUsable(.listings("a")) && health.isUsable(.listings("b")))
    }
}

@Suite struct QueryCompletionTests {
    private static let giphy = "https://api.giphy.com/v1/gifs/search/tags?"
    private static let klipy = "https://api.klipy.com/v2/autocomplete?"

    private func completions(
        _ client: ScriptedHTTPClient, order: [String]? = nil, _ settings: CatalogSettings = .test()
    ) async -> [String] {
        var settings = settings
        settings.order = order
        return await GIFSources.completions(for: " dancing ca ", settings: settings, client: client)
    }

    @Test("GIPHY's completions come from one request with the key")
    func giphy() async throws {
        let client = ScriptedHTTPClient(.success(try Fixture.response("giphy/autocomplete.json")))
        #expect(await completions(client) == ["dancing cat", "dancing cats"])
        #expect(client.urls.count == 1 && client.urls[0].hasPrefix(Self.giphy))
        #expect(query(client.urls[0]) == ["api_key": "SeCrEt-0123%2Fabc%2Bdef", "q": "dancing%20ca", "limit": "5"])
    }

    @Test("KLIPY's completions come from its second API version; unusable and explicit terms are dropped")
    func klipy() async throws {
        let client = ScriptedHTTPClient(.success(try Fixture.response("klipy/autocomplete.json")))
        let terms = await completions(client, order: ["samples", "commons", "klipy", "giphy"])
        #expect(terms == ["dancing cat", "dancing cats", "7", "dancing cat party", "dancing dog"])
        #expect(client.urls.count == 1 && client.urls[0].hasPrefix(Self.klipy))
        #expect(query(client.urls[0]) == ["key": "SeCrEt-0123%2Fabc%2Bdef", "q": "dancing%20ca", "limit": "5"])
    }

    @Test(
        "If a service fails or knows no completion, the next one is queried",
        arguments: [
            .failure(.unreachable(host: "api.giphy.com", reason: "refused")),
            .failure(.timedOut(host: "api.giphy.com", milliseconds: 6_000)),
            .success(HTTPResponse(status: 429, body: Array(#"{"message":"API rate limit exceeded"}"#.utf8))),
            .success(HTTPResponse(status: 200, body: Array("<html>".utf8))),
            .success(HTTPResponse(status: 200, body: Array(#"{"data":[{"nome":"x"},{}]}"#.utf8))),
            .success(HTTPResponse(status: 200, body: Array(#"{"data":{},"results":{}}"#.utf8))),
            .success(HTTPResponse(status: 200)),
        ] as [ScriptedHTTPClient.Outcome])
    func fallback(outcome: ScriptedHTTPClient.Outcome) async throws {
        let both = ScriptedHTTPClient([
            (Self.giphy, outcome), (Self.klipy, .success(try Fixture.response("klipy/autocomplete.json"))),
        ])
        #expect(await completions(both).first == "dancing cat")
        #expect(await completions(ScriptedHTTPClient([(Self.giphy, outcome)])).isEmpty)
    }

    @Test("Without a key, without text and for services without completion, nothing is requested")
    func nothing() async {
        let client = ScriptedHTTPClient([])
        #expect(await completions(client, .test(keyed: false)).isEmpty)
        #expect(await completions(client, order: ["commons", "openverse", "gifcities", "samples"]).isEmpty)
        #expect(await GIFSources.completions(for: " \t", settings: .test(), client: client).isEmpty)
        let mirror = ["klipy": ServiceEndpoint(base: "https://mirror.example/klipy")]
        #expect(await completions(client, order: ["klipy"], .test(endpoints: mirror)).isEmpty)
        #expect(client.urls.isEmpty)
    }
}

@Suite("Credits of GIFs") struct SourceCreditTests {
    private func credit(
        _ provider: String, author: String? = "Ada", licence: String? = nil, community: String? = nil
    ) -> String {
        var reference = reference("a", provider: provider)
        (reference.author, reference.licence, reference.community) = (author, licence, community)
        reference.attribution = "Ann · https://example.org/a"
        return reference.credit
    }

    @Test("The mark of a service is the credit of its GIFs, whatever their authors")
    func mark() {
        #expect(credit("giphy") == "Powered By GIPHY" && credit("klipy") == "Powered by KLIPY")
        #expect(credit("gifcities") == "GifCities · Internet Archive")
        #expect(reference("a", provider: "giphy").sourceMark == "Powered By GIPHY")
        #expect(reference("a", provider: "gifcities").sourceMark == nil && reference("a").sourceMark == nil)
    }

    @Test("The credit of a licensed work consists of the author and the licence")
    func licensedWork() {
        for provider in ["commons", "openverse", "emoji"] {
            #expect(credit(provider, licence: "CC BY 4.0") == "Ada (CC BY 4.0)")
        }
        #expect(credit("commons", author: nil, licence: "CC0") == "(CC0)")
    }

    @Test("Without a licence, the credit is the author, with the site or the community that the source requires")
    func author() {
        #expect(credit("commons") == "Ada" && credit("commons", author: nil).isEmpty)
        #expect(credit("nekos") == "Ada (nekos.best)" && credit("nekos", author: nil) == "(nekos.best)")
        #expect(credit("r/cats", community: "r/cats") == "u/Ada on r/cats")
        #expect(credit("r/cats", author: nil, community: "r/cats") == "on r/cats")
    }

    @Test("The credit of another GIF is its own, or its attribution")
    func others() {
        #expect(credit("url") == "Ann · https://example.org/a")
        var cached = reference("a", provider: "cache")
        cached.ownCredit = "Ann (CC0)"
        #expect(cached.credit == "Ann (CC0)")
    }
}
