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
