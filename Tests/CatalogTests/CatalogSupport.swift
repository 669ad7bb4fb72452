import Base
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import Application
@testable import Catalog

/// The project's own fixtures, read from the source tree.
enum Fixture {
    static func bytes(_ path: String, file: String = #filePath) throws -> [UInt8] {
        let tests = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: tests.appending(path: "Fixtures").appending(path: path)))
    }

    static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    static func response(_ path: String, status: Int = 200, headers: [String: String] = [:]) throws -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: try bytes(path))
    }
}

/// An HTTP client that records all requests, and answers each request with the next scripted outcome.
///
/// An outcome applies to URLs with a given prefix. The client throws `Failure.unreachable` if no prefix matches.
final class ScriptedHTTPClient: HTTPClient {
    typealias Outcome = Result<HTTPResponse, Failure>
    private let state: Mutex<(script: [(prefix: String, outcome: Outcome)], requests: [HTTPRequest])>
    private let effect: @Sendable (HTTPRequest) -> Void

    /// - Parameter script: URL prefixes and their outcomes. Each entry is used once, but the last entry of a prefix
    ///   is used for all further requests.
    init(_ script: [(String, Outcome)], effect: @escaping @Sendable (HTTPRequest) -> Void = { _ in }) {
        state = Mutex((script.map { (prefix: $0.0, outcome: $0.1) }, []))
        self.effect = effect
    }

    convenience init(_ outcome: Outcome) { self.init([("", outcome)]) }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    var urls: [String] { requests.map(\.url) }

    func get(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        effect(request)
        let outcome: Outcome? = state.withLock { state in
            state.requests.append(request)
            let fitting = state.script.indices.filter { request.url.hasPrefix(state.script[$0].prefix) }
            guard let first = fitting.first else { return nil }
            let outcome = state.script[first].outcome
            let same = fitting.filter { state.script[$0].prefix == state.script[first].prefix }
            if same.count > 1 { state.script.remove(at: first) }
            return outcome
        }
        guard let outcome else { throw .unreachable(host: "unscripted", reason: request.url) }
        return try outcome.get()
    }
}

/// An HTTP client that records the maximum number of concurrent requests. It yields to other tasks during each request.
final class CrowdedHTTPClient: HTTPClient {
    private let response: HTTPResponse
    private let concurrent = Mutex((now: 0, most: 0))

    init(_ response: HTTPResponse) { self.response = response }

    var maximumConcurrent: Int { concurrent.withLock { $0.most } }

    func get(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        concurrent.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        for _ in 0..<20 { await Task.yield() }
        concurrent.withLock { $0.now -= 1 }
        return response
    }
}

/// A clock that only the test advances.
final class ManualClock: Sendable {
    private let instant = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { instant.withLock { $0 } }
    func advance(_ duration: Duration) { instant.withLock { $0 += duration } }
}

/// A wait that ends only when it is cancelled: a silent source never gets a competitor, even on a slow machine.
let waitUntilCancelled: @Sendable (Duration) async throws -> Void = { _ in
    for await _ in AsyncStream<Void>.makeStream().stream {}
    throw CancellationError()
}

extension ServiceChain {
    /// The sources of these settings; `last` comes after the services.
    init(_ settings: CatalogSettings, _ client: any HTTPClient, last: any GIFRepository) throws {
        let repositories = try GIFSources.repositories(settings: settings, client: client, last: last)
        self.init(
            repositories.map { .init($0, isOnline: $0.name != last.name) }, health: SourceHealth(now: settings.now),
            wait: waitUntilCancelled)
    }

    init(only name: String, _ client: any HTTPClient) throws {
        let settings = CatalogSettings.test()
        self.init(
            [.init(try GIFSources.repository(named: name, settings: settings, client: client))],
            health: SourceHealth(now: settings.now), wait: waitUntilCancelled)
    }
}

/// A substitute for random numbers. It returns the given numbers in order, then starts again with the first one.
final class NumberSequence: Sendable {
    private let remaining: Mutex<[UInt64]>
    init(_ numbers: UInt64...) { remaining = Mutex(numbers) }
    func draw() -> UInt64 {
        remaining.withLock { numbers in
            let number = numbers.removeFirst()
            numbers.append(number)
            return number
        }
    }
}

/// A repository that returns the given outcomes in order, and then the last one again and again. It records the
/// preferences of each call.
final class PreparedRepository: GIFRepository {
    let name: String
    private let state: Mutex<(outcomes: [Result<ResultPage, Failure>], preferences: [ListingPreferences])>
    private let effect: @Sendable () -> Void

    init(_ name: String, _ outcomes: Result<ResultPage, Failure>..., effect: @escaping @Sendable () -> Void = {}) {
        self.name = name
        state = Mutex((outcomes, []))
        self.effect = effect
    }

    var queries: [ListingPreferences] { state.withLock { $0.preferences } }

    func search(_ query: SearchQuery, page: PageToken?) throws(Failure) -> ResultPage {
        try answer(query.preferences)
    }
    func trending(_ preferences: ListingPreferences, page: PageToken?) throws(Failure) -> ResultPage {
        try answer(preferences)
    }
    func random(_ preferences: ListingPreferences) throws(Failure) -> ResultPage { try answer(preferences) }

    private func answer(_ preferences: ListingPreferences) throws(Failure) -> ResultPage {
        effect()
        let outcome = state.withLock { state in
            state.preferences.append(preferences)
            return state.outcomes.count > 1 ? state.outcomes.removeFirst() : state.outcomes[0]
        }
        return try outcome.get()
    }
}

/// An API key that occurs in no other text.
let testKey = "SeCrEt-0123/abc+def"

extension CatalogSettings {
    /// Returns settings with a manual clock and with given numbers in place of random ones. If `keyed` is true, the
    /// settings contain keys for GIPHY and KLIPY.
    static func test(
        clock: ManualClock = ManualClock(), numbers: NumberSequence = NumberSequence(7),
        endpoints: [String: ServiceEndpoint] = [:],
        keyed: Bool = true
    ) -> CatalogSettings {
        var keys: [String: Secret] = [:]
        if keyed, let secret = Secret(testKey) { keys = ["giphy": secret, "klipy": secret] }
        var settings = CatalogSettings()
        settings.keys = keys
        settings.endpoints = endpoints
        settings.now = { clock.now }
        settings.randomNumber = { numbers.draw() }
        settings.visitorIdentifier = { "a-visitor" }
        return settings
    }
}

/// Returns the repository of one service, with a scripted HTTP client.
func repository(
    _ name: String, _ client: ScriptedHTTPClient, _ settings: CatalogSettings = .test()
) throws -> any GIFRepository {
    try GIFSources.repository(named: name, settings: settings, client: client)
}

/// Returns a reference with a title and a URL that are derived from the identifier.
func reference(_ id: String, provider: String = "test") -> GIFReference {
    GIFReference(
        provider: provider, id: id, title: id, attribution: "",
        renditions: [Rendition(url: "https://example.org/\(id).gif")], cachePolicy: .persistent)
}

/// Returns the query parameters of a URL without decoding them. If a name occurs more than once, " (twice)" is appended
/// to its first value.
func query(_ url: String) -> [String: String] {
    let pairs = url.drop { $0 != "?" }.dropFirst().split(separator: "&").map { pair in
        (String(pair.prefix { $0 != "=" }), String(pair.drop { $0 != "=" }.dropFirst()))
    }
    return Dictionary(pairs) { first, _ in first + " (twice)" }
}

/// Returns the error that the call throws; nil if the call succeeds.
func failure(_ body: () async throws -> ResultPage) async -> Failure? {
    await thrown(Failure.self) { try await body() }
}

/// Queries with the built-in GIFs of which one must be the first result, from lines such as `hi, hello: waving-hand`. "-":
/// nothing may be found.
func sampleRows(_ table: String) -> [(query: String, names: [String])] {
    table.split(separator: "\n").flatMap { line in
        let colon = line.lastIndex(of: ":") ?? line.endIndex
        let names = line[colon...].dropFirst().split(separator: " ").map(String.init)
        return line[..<colon].split(separator: ",").map { ($0.trimmingPrefix { $0 == " " }.description, names) }
    }
}

func expectFirstSamples(of rows: [(query: String, names: [String])], atLeast count: Int) {
    #expect(rows.count >= count && Set(rows.map(\.query)).count == rows.count)
    let known = Set(Sample.all.map(\.name) + ["-"])
    for (query, names) in rows {
        let first = SampleSearch().search(query).first?.name ?? "-"
        #expect(names.contains(first) && known.isSuperset(of: names), "\(query): \(first)")
    }
}
