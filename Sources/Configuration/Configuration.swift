import Base

/// What the configuration file says; nil and empty where it says nothing.
public struct Configuration: Equatable, Sendable {
    /// The names of the sources in the order of asking.
    public var sources: [String]?
    /// By the name of the service.
    public var keys: [String: String] = [:]
    /// By the name of the service: its base address, and further ones.
    public var endpoints: [String: [String]] = [:]
    public var rating: String?
    public var language: String?
    /// How long each GIF of an endless list stands, as the command line writes it.
    public var every: String?
    /// The media cache's bound, as the command line writes it.
    public var cacheSize: String?
    /// Whether to draw although NO_COLOR is set, as the command line writes it.
    public var color: String?
    /// How the operators of services reach whoever runs this.
    public var contact: String?
    public var reddit = RedditTable()

    public init() {}

    /// What it says of Reddit, as it was written.
    public struct RedditTable: Equatable, Sendable {
        public var communities: [String] = []
        public var clientIdentifier: String?
        public var clientSecret: String?
        public var username: String?
        /// The token of the user's own feeds, and the name that goes with it: both from a feed's address.
        public var feed: String?
        public var user: String?

        public init() {}
    }

    /// Its path: gifplay/config.toml under XDG_CONFIG_HOME or ~/.config; nil if neither is known.
    public static func path(environment: [String: String]) -> String? {
        XDGDirectory.configuration.path(environment: environment).map { $0 + "/gifplay/config.toml" }
    }
}

/// What is wrong with a configuration file, and in which line of it.
public struct ConfigurationError: Error, Equatable, Sendable {
    public enum Problem: Equatable, Sendable {
        /// It is no TOML; the words are the parser's.
        case syntax(String)
        case unknownKey(String)
        /// The key's value is of another type than this.
        case wrongType(key: String, expected: String)
    }

    /// From 1.
    public var line: Int
    public var problem: Problem

    public init(line: Int, problem: Problem) {
        self.line = line
        self.problem = problem
    }
}
