import FoundationEssentials
import Synchronization

@testable import Catalog

/// The project's own fixtures, read from the source tree.
enum Fixture {
    static func bytes(_ path: String, file: String = #filePath) throws -> [UInt8] {
        let tests = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: tests.appending(path: "Fixtures").appending(path: path)))
    }

    static func response(_ path: String, status: Int = 200, headers: [String: String] = [:]) throws -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: try bytes(path))
    }
}

/// Answers by the beginning of the URL, in the order of the script, and remembers what was asked.
final class ScriptedHTTPClient: HTTPClient {
    typealias Outcome = Result<HTTPResponse, HTTPError>
    private let state: Mutex<(script: [(prefix: String, outcome: Outcome)], requests: [HTTPRequest])>
    private let effect: @Sendable (HTTPRequest) -> Void

    /// The last line for a prefix answers again and again.
    init(_ script: [(String, Outcome)], effect: @escaping @Sendable (HTTPRequest) -> Void = { _ in }) {
        state = Mutex((script.map { (prefix: $0.0, outcome: $0.1) }, []))
        self.effect = effect
    }

    convenience init(_ outcome: Outcome) { self.init([("", outcome)]) }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    var urls: [String] { requests.map(\.url) }

    func get(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
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

/// Lets others run while it answers, and remembers how many asked at once.
final class CrowdedHTTPClient: HTTPClient {
    private let response: HTTPResponse
    private let asking = Mutex((now: 0, most: 0))

    init(_ response: HTTPResponse) { self.response = response }

    var most: Int { asking.withLock { $0.most } }

    func get(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        asking.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        for _ in 0..<20 { await Task.yield() }
        asking.withLock { $0.now -= 1 }
        return response
    }
}

/// A clock that stands still until it is moved.
final class ManualClock: Sendable {
    private let instant = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { instant.withLock { $0 } }
    func advance(_ duration: Duration) { instant.withLock { $0 += duration } }
}

extension HedgedAttempts {
    /// Takes nobody for silent, however slow the machine is.
    static let patient = HedgedAttempts { _ in
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw CancellationError()
    }
}

/// The dice of a table: one number after the other, round and round.
final class Dice: Sendable {
    private let rest: Mutex<[UInt64]>
    init(_ numbers: UInt64...) { rest = Mutex(numbers) }
    func draw() -> UInt64 {
        rest.withLock { numbers in
            let number = numbers.removeFirst()
            numbers.append(number)
            return number
        }
    }
}

/// A repository that gives prepared outcomes, the last one for ever, and counts the askings.
final class PreparedRepository: GIFRepository {
    let name: String
    private let state: Mutex<(outcomes: [Result<ResultPage, CatalogError>], preferences: [Preferences])>
    private let effect: @Sendable () -> Void

    init(_ name: String, _ outcomes: Result<ResultPage, CatalogError>..., effect: @escaping @Sendable () -> Void = {}) {
        self.name = name
        state = Mutex((outcomes, []))
        self.effect = effect
    }

    var asked: [Preferences] { state.withLock { $0.preferences } }

    func search(_ query: SearchQuery, page: PageToken?) throws(CatalogError) -> ResultPage {
        try answer(query.preferences)
    }
    func trending(_ preferences: Preferences, page: PageToken?) throws(CatalogError) -> ResultPage {
        try answer(preferences)
    }
    func random(_ preferences: Preferences) throws(CatalogError) -> ResultPage { try answer(preferences) }

    private func answer(_ preferences: Preferences) throws(CatalogError) -> ResultPage {
        effect()
        let outcome = state.withLock { state in
            state.preferences.append(preferences)
            return state.outcomes.count > 1 ? state.outcomes.removeFirst() : state.outcomes[0]
        }
        return try outcome.get()
    }
}

/// A generator whose numbers are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator, Sendable {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A key that no other text holds.
let testKey = "SeCrEt-0123/abc+def"

extension CatalogSettings {
    /// With both keys, a still clock and known dice.
    static func test(
        clock: ManualClock = ManualClock(), dice: Dice = Dice(7), endpoints: [String: ServiceEndpoint] = [:],
        keyed: Bool = true
    ) -> CatalogSettings {
        var keys: [String: Secret] = [:]
        if keyed, let secret = Secret(testKey) { keys = ["giphy": secret, "klipy": secret] }
        var settings = CatalogSettings(
            keys: keys, endpoints: endpoints, now: { clock.now }, draw: { dice.draw() })
        settings.hedge = .patient
        return settings
    }
}

/// One service over a scripted client.
func repository(
    _ name: String, _ client: ScriptedHTTPClient, _ settings: CatalogSettings = .test()
) throws -> any GIFRepository {
    try GIFSources.repository(named: name, settings: settings, client: client)
}

/// A reference with nothing but an identity.
func reference(_ id: String, provider: String = "test") -> GIFReference {
    GIFReference(
        provider: provider, id: id, title: id, attribution: "",
        renditions: [Rendition(url: "https://example.org/\(id).gif")], cachePolicy: .persistent)
}

/// The names and values of a URL's query, as they stand there.
func query(_ url: String) -> [String: String] {
    let pairs = url.drop { $0 != "?" }.dropFirst().split(separator: "&").map { pair in
        (String(pair.prefix { $0 != "=" }), String(pair.drop { $0 != "=" }.dropFirst()))
    }
    return Dictionary(pairs) { first, _ in first + " (twice)" }
}

/// The error of an asking that must fail.
func failure(_ asking: () async throws(CatalogError) -> ResultPage) async -> CatalogError? {
    do throws(CatalogError) {
        _ = try await asking()
        return nil
    } catch {
        return error
    }
}
