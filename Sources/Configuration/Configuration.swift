import Base

/// The contents of the configuration file. Settings that the file does not contain are nil or empty.
public struct Configuration: Equatable, Sendable {
    /// The names of the sources, in the order in which they are queried.
    public var sources: [String]?
    /// The API keys by the name of the service.
    public var keys: [String: String] = [:]
    /// The addresses that replace the default addresses of services, by the name of the service. Each list contains the
    /// base address, followed by the other addresses of the service.
    public var endpoints: [String: [String]] = [:]
    public var rating: String?
    public var language: String?
    /// The display time of each random GIF, in the format of the option `--every`. In a playlist, it also limits the
    /// display time of a GIF that loops forever.
    public var switchInterval: String?
    /// The size limit of the media cache, in the format of the command line, such as `512M`.
    public var cacheSize: String?
    /// Whether to obey the environment variable NO_COLOR, as in the option `--color`: `auto` obeys the variable, and
    /// `always` ignores it.
    public var color: String?
    /// The way in which pictures are drawn, as in the option `--mode`.
    public var mode: String?
    /// The colour depth of the terminal, as in the option `--colors`.
    public var colors: String?
    /// The method of dithering, as in the option `--dither`.
    public var dither: String?
    /// The user's contact information for the operators of services. It becomes a part of the user agent.
    public var contact: String?
    public var reddit = RedditTable()

    public init() {}

    /// The settings for Reddit. This type does not check their values.
    public struct RedditTable: Equatable, Sendable {
        public var communities: [String] = []
        public var clientIdentifier: String?
        public var clientSecret: String?
        public var username: String?
        /// The token of the user's own Reddit feeds. The addresses of these feeds contain the token and ``feedUser``.
        public var feedToken: String?
        public var feedUser: String?

        public init() {}
    }

    /// Returns the path of the configuration file: gifplay/config.toml under XDG_CONFIG_HOME or ~/.config. Returns nil
    /// if neither directory is known.
    public static func path(environment: [String: String]) -> String? {
        XDGDirectory.configuration.path(environment: environment).map { $0 + "/gifplay/config.toml" }
    }
}

/// An error in a configuration file.
public struct ConfigurationError: Error, Equatable, Sendable {
    public enum Problem: Equatable, Sendable {
        /// The file is not valid TOML. The associated text is the parser's message.
        case syntax(String)
        case unknownKey(String)
        /// The value of the key is not of the expected type.
        case wrongType(key: String, expected: String)
    }

    /// The line of the error, counted from 1.
    public var line: Int
    public var problem: Problem

    public init(line: Int, problem: Problem) {
        self.line = line
        self.problem = problem
    }
}
