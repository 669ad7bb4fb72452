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
        case .noKey, .nothingFound, .notOffered, .foreignPage, .outOfTime, .unknownSource, .exhausted, .cancelled:
            return nil
        }
    }
}
