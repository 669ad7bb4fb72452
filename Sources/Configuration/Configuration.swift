import Base

/// Settings that the file does not contain are nil or empty.
public struct Configuration: Equatable, Sendable {
    /// The sources in the order in which they are queried.
    public var sources: [String]?
    /// The API keys by the name of the service.
    public var keys: [String: String] = [:]
    /// The addresses that replace the default ones, by service: the base address, then the other addresses.
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
    /// As in the options `--mode`, `--colors` and `--dither`.
    public var mode: String?
    public var colors: String?
    public var dither: String?
    /// For the operators of services; a part of the user agent.
    public var contact: String?
    /// Whether to report displayed and shared GIFs to the services that ask for it.
    public var reportsUse = false
    public var reddit = RedditTable()

    public init() {}

    /// The values are not checked here.
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

    /// The file gifplay/config.toml under XDG_CONFIG_HOME or ~/.config; nil if neither directory is known.
    public static func path(environment: [String: String]) -> String? {
        XDGDirectory.configuration.path(environment: environment).map { $0 + "/gifplay/config.toml" }
    }
}

public struct ConfigurationError: Error, Equatable, Sendable {
    public enum Problem: Equatable, Sendable {
        /// The parser's message about invalid TOML.
        case syntax(String)
        case unknownKey(String)
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
