/// The waits between the attempts to query the services again while there is no connection.
package enum Reconnection {
    private static let waits = [2, 5, 15, 30]

    /// Returns the number of seconds to wait after this number of failed attempts.
    package static func seconds(after attempts: Int) -> Int { waits[min(max(1, attempts), waits.count) - 1] }
}

extension CatalogError {
    /// Whether the error means that the whole network is unavailable, and not only a single service.
    package var isOffline: Bool {
        switch self {
        case .transport(.unreachable): true
        case .exhausted(let failures): failures.indicateOffline
        default: false
        }
    }
}

extension [SourceFailure] {
    /// Whether the failures mean that the network was unavailable. This is so if at least one source was unreachable,
    /// and all other sources were unreachable, timed out or were not queried in time. Failures of four kinds are
    /// ignored: no key, listing not offered, nothing found, and a page token of another source.
    package var indicateOffline: Bool {
        let tried = filter { failure in
            switch failure.reason {
            case .noKey, .notOffered, .nothingFound, .foreignPage: false
            default: true
            }
        }
        return tried.contains { $0.reason.isOffline }
            && tried.allSatisfy { failure in
                switch failure.reason {
                case .transport(.unreachable), .transport(.timedOut), .outOfTime: true
                default: false
                }
            }
    }
}

extension ResultPage {
    /// Whether all GIFs of the page are on this machine.
    package var isLocal: Bool { items.allSatisfy(\.isLocal) }
}

extension GIFReference {
    /// The `provider` of the GIFs that only the media cache knows.
    package static let cacheProvider = "cache"

    package var isLocal: Bool { cachePolicy == .embedded || provider == Self.cacheProvider }
}
