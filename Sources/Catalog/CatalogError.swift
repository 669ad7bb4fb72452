/// Why a source gave no listing; carries evidence for a sentence, never a URL or a key.
public enum CatalogError: Error, Equatable, Sendable {
    /// No answer came.
    case transport(HTTPError)
    /// An answer of another status than success; the message is the service's, cleaned.
    case refused(status: Int, message: String?, retryAfterSeconds: Int?)
    /// What came is not a listing.
    case notJSON(status: Int, received: ReceivedBody)
    /// An error inside an answer that calls itself a success.
    case api(code: String, message: String, retryAfterSeconds: Int?)
    /// The service says by its own convention that it is out of order.
    case outage
    /// The service takes no call without a key, which this variable holds.
    case noKey(variable: String)
    /// The key was sent and not taken.
    case keyRefused(variable: String, message: String?)
    /// The source failed a short while ago and is left alone for this long.
    case coolingDown(seconds: Int)
    /// The source was asked and knows nothing that can be played.
    case nothingFound
    /// The source has no such listing.
    case notOffered
    /// The page belongs to another source.
    case foreignPage(source: String)
    /// The time for the whole call was used up before this source's turn.
    case outOfTime
    case unknownSource(name: String, known: [String])
    /// Every source of the chain failed or had nothing, in the order of asking.
    case exhausted([SourceFailure])
    case cancelled
}

/// What a body looks like that should have been JSON.
public enum ReceivedBody: String, Sendable {
    case nothing
    case html
    case text
    case image
    /// Begins as JSON and does not end as it.
    case brokenJSON
    /// Sound JSON in a shape that no listing has.
    case unexpectedJSON
    /// Begins as XML and is no feed, or one with what no feed needs.
    case brokenXML
}
