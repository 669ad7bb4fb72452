import Base

/// Knows what failed recently: the listings of services, the files of services, and the hosts of files.
///
/// There is one object per run. A service's own limit on requests is not a failure, so `SerialGate` stores it.
public final class SourceHealth: Sendable {
    /// The parts fail independently. For example, a service can answer although the host of its files does not.
    public enum Part: Hashable, Sendable {
        /// The listings of the service with this name.
        case listings(String)
        /// The files of the service with this name, from any host.
        case files(String)
        /// A server of files, as host and port.
        case host(String)
    }

    public enum Reason: Equatable, Sendable {
        case listing(CatalogError)
        /// The message about a file that could not be fetched.
        case file(String)
    }

    private struct CoolDown {
        var until: ContinuousClock.Instant
        var reason: Reason
    }

    private struct State {
        var coolDowns: [Part: CoolDown] = [:]
        /// The number of successive failures. Failures of listings are not counted.
        var failures: [Part: Int] = [:]
        /// The services that failed in the last run; nil until it is needed, because reading the log takes time.
        var queriedLastUntil: [String: ContinuousClock.Instant]?
    }

    /// The number of successive failed files after which other services come first.
    private static let failedFiles = 4
    /// Above this number of cool-downs, those that have ended are forgotten. Random GIFs come from any number of hosts.
    private static let maximumParts = 200
    static let shortestCoolDown = Duration.seconds(60)
    static let longestCoolDown = Duration.seconds(600)

    public let now: @Sendable () -> ContinuousClock.Instant
    private let lastRun: @Sendable () -> [String: Int]
    private let log: @Sendable (SourceFailure) -> Void
    private let state = Monitor(State())

    /// - Parameters:
    ///   - lastRun: returns the services that failed in the last run, each with the number of seconds for which it
    ///     still comes after the other services.
    ///   - log: stores a failure for the next run. It is never called twice at the same time.
    public init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        lastRun: @escaping @Sendable () -> [String: Int] = { [:] },
        log: @escaping @Sendable (SourceFailure) -> Void = { _ in }
    ) {
        self.now = now
        self.lastRun = lastRun
        self.log = log
    }

    // MARK: - Usable now?

    /// The reason not to use this part now, and the remaining seconds; nil if it is usable.
    public func coolDown(of part: Part) -> (seconds: Int, reason: Reason)? {
        let present = now()
        return state.withLock { state in
            guard let coolDown = state.coolDowns[part], coolDown.until > present else { return nil }
            return ((coolDown.until - present).wholeSeconds, coolDown.reason)
        }
    }

    public func isUsable(_ part: Part) -> Bool { coolDown(of: part) == nil }

    /// Whether to query the service after the others, because it failed shortly before this run. It is not left out as
    /// after a failure in this run, because the cause might have been another network.
    func isQueriedLast(_ service: String) -> Bool {
        let present = now()
        return state.withLock { state in
            let known = state.queriedLastUntil ?? lastRun().mapValues { present + .seconds($0) }
            state.queriedLastUntil = known
            return known[service].map { $0 > present } ?? false
        }
    }

    /// The services that are not queried now, each with the failure that started its cool-down.
    public var failures: [SourceFailure] {
        let present = now()
        return state.withLock(\.coolDowns).compactMap { part, coolDown in
            guard case (.listings(let name), .listing(let error)) = (part, coolDown.reason), coolDown.until > present
            else { return nil }
            return SourceFailure(source: name, reason: error)
        }.sorted { $0.source < $1.source }
    }

    // MARK: - Outcomes

    public func recordFailure(_ error: CatalogError, of service: String) {
        state.withLock { state in
            if let duration = error.coolDown {
                state.coolDowns[.listings(service)] = CoolDown(until: now() + duration, reason: .listing(error))
            }
            if error.isServiceProblem { log(SourceFailure(source: service, reason: error)) }
        }
    }

    /// There is no cool-down, because the request continues and its response is used.
    func recordSilence(_ failure: SourceFailure) { state.withLock { _ in log(failure) } }

    /// Starts a cool-down of the host: one minute, doubled by each further failure up to ten minutes. A host that fails
    /// during its cool-down was queried before, so this failure does not count.
    public func recordFailure(ofHost host: String, _ message: String) {
        let present = now()
        state.withLock { state in
            if let known = state.coolDowns[.host(host)], known.until > present { return }
            if state.coolDowns.count >= Self.maximumParts {
                state.coolDowns = state.coolDowns.filter { $0.value.until > present }
                state.failures = state.failures.filter { state.coolDowns[$0.key] != nil }
            }
            let count = state.failures[.host(host), default: 0]
            state.failures[.host(host)] = count + 1
            let duration = min(Self.longestCoolDown, Self.shortestCoolDown * (1 << min(count, 4)))
            state.coolDowns[.host(host)] = CoolDown(until: present + duration, reason: .file(message))
        }
    }

    /// The fourth failed file in succession starts a cool-down.
    public func recordFailedFile(of service: String, _ message: String) {
        let count = state.withLock { state in
            state.failures[.files(service), default: 0] += 1
            return state.failures[.files(service), default: 0]
        }
        if count >= Self.failedFiles { setAsideFiles(of: service, message) }
    }

    /// Starts a cool-down of the service's files, for example because all hosts of a file are in a cool-down.
    public func setAsideFiles(of service: String, _ message: String) {
        let until = now() + Self.shortestCoolDown
        state.withLock { $0.coolDowns[.files(service)] = CoolDown(until: until, reason: .file(message)) }
    }

    public func recordSuccess(of part: Part) {
        state.withLock { state in
            state.coolDowns[part] = nil
            state.failures[part] = nil
        }
    }

    // MARK: - Retries

    /// Makes the files of all services usable, because there are no others. The next failure ends this again.
    public func retryFiles() {
        state.withLock { state in
            state.coolDowns = state.coolDowns.filter { if case .files = $0.key { false } else { true } }
        }
    }

    public func endCoolDowns() { state.withLock { $0.coolDowns = [:] } }
}

extension CatalogError {
    /// Whether the error indicates a problem of the service. An empty result, for example, does not.
    var isServiceProblem: Bool {
        switch self {
        case .transport(.cancelled), .nothingFound, .notOffered, .noKey, .coolingDown, .outOfTime, .cancelled: false
        default: true
        }
    }

    /// The time for which the service is not queried: the time that it states, or a default time. Nil if it could
    /// answer another query, for example after status 414.
    ///
    /// The default time is short after a transport error, because the fault might be in the network. An unattended
    /// player should continue soon after the network works again.
    var coolDown: Duration? {
        switch self {
        case .transport(.cancelled), .transport(.invalidURL): return nil
        case .transport: return SourceHealth.shortestCoolDown
        case .refused(let status, _, let seconds):
            guard status == 401 || status == 403 || status == 429 || status >= 500 else { return nil }
            return seconds.map { .seconds($0) } ?? SourceHealth.longestCoolDown
        case .api(_, _, let seconds): return seconds.map { .seconds($0) } ?? SourceHealth.longestCoolDown
        case .notJSON, .outage, .keyRefused: return SourceHealth.longestCoolDown
        case .coolingDown(let seconds): return .seconds(seconds)
        case .noKey, .nothingFound, .notOffered, .foreignPage, .outOfTime, .unknownSource, .link, .exhausted,
            .cancelled:
            return nil
        }
    }
}
