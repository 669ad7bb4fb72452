/// What a service is, apart from its requests.
public struct ServiceProfile: Equatable, Sendable {
    /// For `--source` and the configuration: lower case, one word.
    public var name: String
    /// As the service writes itself.
    public var title: String
    /// In a sentence, what its terms ask of a player.
    public var terms: String
    /// Where the requests go, without a slash at the end.
    public var base: String
    /// Further addresses of the service, such as of media that answers name only in part.
    public var otherBases: [String] = []
    /// Nil for a service that takes anyone.
    public var key: KeyUse?
    public var cachePolicy: CachePolicy
    /// How long an answer may be used again, in seconds; 0 for not at all.
    public var answersKeptSeconds = 0
    /// For one request, in milliseconds.
    public var timeoutMilliseconds: Int
    public var maximumBytes = 4 << 20
    /// Whether the service sorts by rating itself; otherwise `ExplicitWords` passes over the labelled.
    public var rates = true
    /// Whether it lists what is watched now: what `Service.call(_:)` says, known without a question.
    public var hasTrending = false
    /// Headers that count what is left, with the seconds to rest when they say 0.
    public var quotaHeaders: [String: Int] = [:]
}

/// Where a service wants its key.
public struct KeyUse: Equatable, Sendable {
    /// The environment's variable.
    public var variable: String
    public var place: Place

    /// The part of the request that carries the key.
    public enum Place: Equatable, Sendable {
        case query(name: String)
        /// The first segment of the path.
        case path
    }
}
