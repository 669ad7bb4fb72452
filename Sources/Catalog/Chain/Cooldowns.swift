/// The cool-downs of the sources of a chain.
actor Cooldowns {
    private var cooldowns: [String: (until: ContinuousClock.Instant, reason: CatalogError)] = [:]

    /// Returns a source's remaining cool-down in seconds; nil if the source can be queried.
    func remainingSeconds(of source: String, at now: ContinuousClock.Instant) -> Int? {
        guard let cooldown = cooldowns[source] else { return nil }
        guard cooldown.until > now else {
            cooldowns[source] = nil
            return nil
        }
        return (cooldown.until - now).wholeSeconds
    }

    /// Starts a cool-down if ``duration(after:)`` returns a duration for the error.
    func start(after error: CatalogError, of source: String, at now: ContinuousClock.Instant) {
        guard let duration = Self.duration(after: error) else { return }
        cooldowns[source] = (now + duration, error)
    }

    func endAll() { cooldowns = [:] }

    /// The sources in a cool-down, each with the failure that started it.
    func failures(at now: ContinuousClock.Instant) -> [SourceFailure] {
        cooldowns.filter { $0.value.until > now }.sorted { $0.key < $1.key }
            .map { SourceFailure(source: $0.key, reason: $0.value.reason) }
    }

    /// Returns the duration of the cool-down after an error. Returns nil if the error does not indicate a problem of
    /// the source.
    ///
    /// If the service reports how long to wait, the duration is that time. Otherwise it is one minute after a transport
    /// error, and ten minutes after any other error.
    ///
    /// The cool-down after a transport error is shorter, because the fault might be in the network and not in the
    /// service. An unattended player should continue soon after the network works again.
    static func duration(after error: CatalogError) -> Duration? {
        let defaultDuration = Duration.seconds(600)
        switch error {
        case .transport(.cancelled), .transport(.invalidURL): return nil
        case .transport: return .seconds(60)
        case .refused(let status, _, let seconds):
            guard status == 401 || status == 403 || status == 429 || status >= 500 else { return nil }
            return seconds.map { .seconds($0) } ?? defaultDuration
        case .api(_, _, let seconds): return seconds.map { .seconds($0) } ?? defaultDuration
        case .notJSON, .outage, .keyRefused: return defaultDuration
        case .coolingDown(let seconds): return .seconds(seconds)
        case .noKey, .nothingFound, .notOffered, .foreignPage, .outOfTime, .unknownSource, .exhausted, .cancelled:
            return nil
        }
    }
}
