/// The associated values are details for an error message. They never contain a URL or a key.
public enum CatalogError: Error, Equatable, Sendable {
    /// The request failed without an HTTP response.
    case transport(HTTPError)
    /// `message` is the service's sanitized error message.
    case refused(status: Int, message: String?, retryAfterSeconds: Int?)
    /// The response body cannot be decoded as a listing.
    case notJSON(status: Int, received: ReceivedBody)
    /// The response had a success status, but its body reports an error.
    case api(code: String, message: String, retryAfterSeconds: Int?)
    /// The service reports an outage in its own format.
    case outage
    /// `variable` is the environment variable for the key.
    case noKey(variable: String)
    case keyRefused(variable: String, message: String?)
    /// After a recent failure, or because the quota is used up. `seconds` is the remaining time.
    case coolingDown(seconds: Int)
    /// The source was queried, but returned no playable GIF.
    case nothingFound
    case notOffered
    /// The page token belongs to `source`, which is not the queried source.
    case foreignPage(source: String)
    /// The time budget of the whole call was spent before the request was sent.
    case outOfTime
    case unknownSource(name: String, known: [String])
    /// A link in place of a query has no GIF, for the reason in this message.
    case link(String)
    /// Every source failed or had no results. The failures are in the order in which the sources were queried.
    case exhausted([SourceFailure])
    case cancelled
}

/// The kind of content detected in a response body that is not a valid listing.
public enum ReceivedBody: String, Sendable {
    case nothing
    case html
    case text
    case image
    /// The body begins like JSON, but cannot be parsed.
    case brokenJSON
    /// The body is valid JSON with an unexpected structure.
    case unexpectedJSON
    /// The body begins like XML, but the parser rejects it or it is not a feed.
    case brokenXML
}

/// The reason why a file of a GIF is not available.
public enum MediaError: Error, Hashable, Sendable {
    case cancelled
    case transport(HTTPError)
    case status(Int, host: String)
    /// The host is empty for a file on this machine.
    case notGIF(host: String)
    /// The server sent nothing, only a part of the file, or parts of different files.
    case incomplete(host: String)
    /// All files of the GIF are larger than the limit.
    case tooLarge
    case cacheFailed
    /// The GIF comes from the library, which stores no address for any of its files.
    case noAddress
    /// gifplay is offline, and the file is not in the media cache.
    case notCached
    case notAnimated
    /// A file on this machine cannot be read.
    case unreadable(reason: String)
}

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
