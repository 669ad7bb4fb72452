import Base

/// What failed recently: the listings of services, the files of services, and the hosts of files. A value without a
/// clock; each method gets the time.
public struct CoolDowns: Equatable, Sendable {
    /// The parts fail independently. For example, a service can answer although the host of its files does not.
    public enum Part: Hashable, Sendable {
        /// The listings of the service with this name.
        case listings(String)
        /// The files of the service with this name, from any host.
        case files(String)
        /// A server of files, as host and port.
        case host(String)
    }

    private struct CoolDown: Equatable {
        var until: ContinuousClock.Instant
        var reason: Failure
    }

    private var coolDowns: [Part: CoolDown] = [:]
    /// The number of successive failures. Failures of listings are not counted.
    private var counts: [Part: Int] = [:]

    /// The number of successive failed files after which other services come first.
    private static let failedFiles = 4
    /// Above this number of cool-downs, those that have ended are forgotten. Random GIFs come from any number of hosts.
    private static let maximumParts = 200
    static let shortest = Duration.seconds(60)
    static let longest = Duration.seconds(600)

    public init() {}

    /// The reason not to use this part now, and the remaining seconds; nil if it is usable.
    public func reason(of part: Part, at now: ContinuousClock.Instant) -> (seconds: Int, reason: Failure)? {
        guard let coolDown = coolDowns[part], coolDown.until > now else { return nil }
        return ((coolDown.until - now).wholeSeconds, coolDown.reason)
    }

    public func isUsable(_ part: Part, at now: ContinuousClock.Instant) -> Bool { reason(of: part, at: now) == nil }

    package mutating func recordFailure(_ error: Failure, of service: String, at now: ContinuousClock.Instant) {
        guard let duration = error.coolDown else { return }
        coolDowns[.listings(service)] = CoolDown(until: now + duration, reason: error)
    }

    /// Starts a cool-down of the host: one minute, doubled by each further failure up to ten minutes. A host that fails
    /// during its cool-down was queried before, so this failure does not count.
    public mutating func recordFailure(ofHost host: String, _ error: Failure, at now: ContinuousClock.Instant) {
        guard isUsable(.host(host), at: now) else { return }
        if coolDowns.count >= Self.maximumParts {
            coolDowns = coolDowns.filter { $0.value.until > now }
            counts = counts.filter { coolDowns[$0.key] != nil }
        }
        let count = counts[.host(host), default: 0]
        counts[.host(host)] = count + 1
        let duration = min(Self.longest, Self.shortest * (1 << min(count, 4)))
        coolDowns[.host(host)] = CoolDown(until: now + duration, reason: error)
    }

    /// The fourth failed file in succession starts a cool-down.
    public mutating func recordFailedFile(of service: String, _ error: Failure, at now: ContinuousClock.Instant) {
        counts[.files(service), default: 0] += 1
        if counts[.files(service), default: 0] >= Self.failedFiles { setAsideFiles(of: service, error, at: now) }
    }

    /// Starts a cool-down of the service's files, for example because all hosts of a file are in a cool-down.
    public mutating func setAsideFiles(of service: String, _ error: Failure, at now: ContinuousClock.Instant) {
        coolDowns[.files(service)] = CoolDown(until: now + Self.shortest, reason: error)
    }

    public mutating func recordSuccess(of part: Part) { (coolDowns[part], counts[part]) = (nil, nil) }

    /// Makes the files of all services usable, because there are no others. The next failure ends this again.
    public mutating func retryFiles() {
        coolDowns = coolDowns.filter { if case .files = $0.key { false } else { true } }
    }

    mutating func end() { coolDowns = [:] }
}

/// The ``CoolDowns`` of a run, which all searches and downloads share, and the clock of their times.
///
/// A service's own limit on requests is not a failure, so `SerialGate` stores it.
public final class SourceHealth: Sendable {
    private struct State {
        var coolDowns = CoolDowns()
        /// The services that failed in the last run; nil until it is needed, because reading the log takes time.
        var queriedLastUntil: [String: ContinuousClock.Instant]?
    }

    public let now: @Sendable () -> ContinuousClock.Instant
    private let lastRun: @Sendable () -> [String: Int]
    private let log: @Sendable (Failure) -> Void
    private let state = Monitor(State())

    /// - Parameters:
    ///   - lastRun: returns the services that failed in the last run, each with the number of seconds for which it
    ///     still comes after the other services.
    ///   - log: stores a failure for the next run. It is never called twice at the same time.
    public init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        lastRun: @escaping @Sendable () -> [String: Int] = { [:] },
        log: @escaping @Sendable (Failure) -> Void = { _ in }
    ) {
        (self.now, self.lastRun, self.log) = (now, lastRun, log)
    }

    public var coolDowns: CoolDowns { state.withLock(\.coolDowns) }

    public func update(_ change: (inout CoolDowns, _ now: ContinuousClock.Instant) -> Void) {
        let present = now()
        state.withLock { change(&$0.coolDowns, present) }
    }

    public func coolDown(of part: CoolDowns.Part) -> (seconds: Int, reason: Failure)? {
        coolDowns.reason(of: part, at: now())
    }

    public func isUsable(_ part: CoolDowns.Part) -> Bool { coolDown(of: part) == nil }

    /// Whether to query the service after the others, because it failed shortly before this run. It is not left out as
    /// after a failure in this run, because the cause might have been another network.
    public func isQueriedLast(_ service: String) -> Bool {
        let present = now()
        return state.withLock { state in
            let known = state.queriedLastUntil ?? lastRun().mapValues { present + .seconds($0) }
            state.queriedLastUntil = known
            return known[service].map { $0 > present } ?? false
        }
    }

    public func recordFailure(_ error: Failure, of service: String) {
        let present = now()
        state.withLock { state in
            state.coolDowns.recordFailure(error, of: service, at: present)
            if error.isServiceProblem { log(error.of(service)) }
        }
    }

    /// There is no cool-down, because the request continues and its response is used.
    public func recordSilence(_ failure: Failure) { state.withLock { _ in log(failure) } }

    public func endCoolDowns() { update { coolDowns, _ in coolDowns.end() } }
}
