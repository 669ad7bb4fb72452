/// The cool-downs of the sources of a chain.
actor Cooldowns {
    private var rests: [String: (until: ContinuousClock.Instant, reason: CatalogError)] = [:]

    /// Returns a source's remaining cool-down in seconds; nil if the source may be queried.
    func seconds(_ source: String, at now: ContinuousClock.Instant) -> Int? {
        guard let rest = rests[source] else { return nil }
        guard rest.until > now else {
            rests[source] = nil
            return nil
        }
        return (rest.until - now).wholeSeconds
    }

    /// Starts a cool-down, unless the error says nothing about the source's health.
    func note(_ error: CatalogError, of source: String, at now: ContinuousClock.Instant) {
        guard let pause = Self.pause(after: error) else { return }
        rests[source] = (now + pause, error)
    }

    func lift() { rests = [:] }

    /// The sources in a cool-down, each with the failure that started it.
    func failures(at now: ContinuousClock.Instant) -> [SourceFailure] {
        rests.filter { $0.value.until > now }.sorted { $0.key < $1.key }
            .map { SourceFailure(source: $0.key, reason: $0.value.reason) }
    }

    /// Returns the cool-down after an error: the time that the service asks for, else ten minutes, or one minute after
    /// a transport error.
    ///
    /// A failed connection says nothing about the service, and an unattended player should recover soon after the
    /// connection does.
    static func pause(after error: CatalogError) -> Duration? {
        let usual = Duration.seconds(600)
        switch error {
        case .transport(.cancelled), .transport(.invalidURL): return nil
        case .transport: return .seconds(60)
        case .refused(let status, _, let seconds):
            guard status == 401 || status == 403 || status == 429 || status >= 500 else { return nil }
            return seconds.map { .seconds($0) } ?? usual
        case .api(_, _, let seconds): return seconds.map { .seconds($0) } ?? usual
        case .notJSON, .outage, .keyRefused: return usual
        case .coolingDown(let seconds): return .seconds(seconds)
        case .noKey, .nothingFound, .notOffered, .foreignPage, .outOfTime, .unknownSource, .exhausted, .cancelled:
            return nil
        }
    }
}
