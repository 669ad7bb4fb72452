import Base

/// The contents of the configuration file. Settings that it does not contain are nil or empty.
public struct Configuration: Equatable, Sendable {
    /// The names of the sources in the order in which they are queried.
    public var sources: [String]?
    /// The API keys by the name of the service.
    public var keys: [String: String] = [:]
    /// By the name of the service: its base address, followed by further ones.
    public var endpoints: [String: [String]] = [:]
    public var rating: String?
    public var language: String?
    /// How long each GIF of an endless list is displayed, in the form of the command line.
    public var switchInterval: String?
    /// The size limit of the media cache, in the form of the command line.
    public var cacheSize: String?
    /// Whether to draw although NO_COLOR is set, in the form of the command line.
    public var color: String?
    /// The contact of the user for the operators of services.
    public var contact: String?
    public var reddit = RedditTable()

    public init() {}

    /// The settings of Reddit, unchecked.
    public struct RedditTable: Equatable, Sendable {
        public var communities: [String] = []
        public var clientIdentifier: String?
        public var clientSecret: String?
        public var username: String?
        /// The token of the user's own feeds. It and its user name, ``feedUser``, are part of a feed's address.
        public var feedToken: String?
        public var feedUser: String?

        public init() {}
    }

    /// The path of the file: gifplay/config.toml under XDG_CONFIG_HOME or ~/.config; nil if neither is known.
    public static func path(environment: [String: String]) -> String? {
        XDGDirectory.configuration.path(environment: environment).map { $0 + "/gifplay/config.toml" }
    }
}

/// An error in a configuration file, and its line.
public struct ConfigurationError: Error, Equatable, Sendable {
    public enum Problem: Equatable, Sendable {
        /// The file is not TOML; the text is the message of the parser.
        case syntax(String)
        case unknownKey(String)
        /// The value of the key is not of the expected type.
        case wrongType(key: String, expected: String)
    }

    /// Counted from 1.
    public var line: Int
    public var problem: Problem

    public init(line: Int, problem: Problem) {
        self.line = line
        self.problem = problem
    }
}
