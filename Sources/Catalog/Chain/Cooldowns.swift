/// Which sources are left alone, and until when.
actor Cooldowns {
    private var rests: [String: (until: ContinuousClock.Instant, reason: CatalogError)] = [:]

    /// How long a source still rests, in seconds; nil if it may be asked.
    func seconds(_ source: String, at now: ContinuousClock.Instant) -> Int? {
        guard let rest = rests[source] else { return nil }
        guard rest.until > now else {
            rests[source] = nil
            return nil
        }
        return (rest.until - now).wholeSeconds
    }

    /// Notes a failure; nothing for one that says nothing about the source's health.
    func note(_ error: CatalogError, of source: String, at now: ContinuousClock.Instant) {
        guard let pause = Self.pause(after: error) else { return }
        rests[source] = (now + pause, error)
    }

    func lift() { rests = [:] }

    /// The sources that rest, with the failures that sent them to it.
    func failures(at now: ContinuousClock.Instant) -> [SourceFailure] {
        rests.filter { $0.value.until > now }.sorted { $0.key < $1.key }
            .map { SourceFailure(source: $0.key, reason: $0.value.reason) }
    }

    /// Ten minutes, or what the service asks for; one minute where no answer came at all.
    ///
    /// A line that is down says nothing about the service, and an unattended player should be back
    /// soon after the line is.
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
