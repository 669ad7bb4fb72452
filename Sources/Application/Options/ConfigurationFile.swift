import Base
import Catalog
import Configuration
import FoundationEssentials
import Glibc

/// The user's configuration file. Its source names must be known sources; its community names must be valid.
struct ConfigurationFile {
    private(set) var configuration = Configuration()
    private var path = ""
    private var lines = ConfigurationLines()

    /// Reads the file. If there is none, all settings keep their defaults.
    init(environment: [String: String]) throws(CommandError) {
        guard let path = Configuration.path(environment: environment) else { return }
        var status = stat()
        if stat(path, &status) == 0, let kind = FileSystem.irregularKind(status.st_mode) {
            throw CommandError("\(path): is \(kind), not a regular file", status: .usage)
        }
        guard let bytes = contents(ofFile: path) else { return }
        self.path = path
        let rights = try checkRights()
        do throws(ConfigurationError) {
            (configuration, lines) = try Configuration.read(toml: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw CommandError("\(path), line \(error.line): \(Self.describe(error.problem))", status: .usage)
        }
        try checkNames()
        if hasKey, rights & 0o077 != 0 {
            printError("\(path): contains a key and other users can read it; run chmod 600 on it")
        }
    }

    private var hasKey: Bool {
        !configuration.keys.isEmpty || configuration.reddit.clientSecret != nil || configuration.reddit.feedToken != nil
    }

    /// Returns the permissions of the file. Throws if it belongs to neither root nor the current user, or if everyone
    /// can write it: another user could make gifplay send the keys to a foreign server.
    private func checkRights() throws(CommandError) -> UInt32 {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw CommandError(
                "\(path): belongs to another user; it must belong to you or root", status: .usage)
        }
        guard status.st_mode & S_IWOTH == 0 else {
            throw CommandError(
                "\(path): can be changed by every user; run chmod 600 on it", status: .usage)
        }
        return status.st_mode
    }

    private static func describe(_ problem: ConfigurationError.Problem) -> String {
        switch problem {
        case .syntax(let message): return "syntax error: \(message)"
        case .unknownKey(let key) where key.hasPrefix("reddit."):
            return
                "unknown setting '\(key)'; [reddit] has communities, client-id, client-secret, username, "
                + "feed and user"
        case .unknownKey(let key):
            return "unknown setting '\(key)'; the settings are sources, keys, endpoints, rating, language, every, "
                + "cache-size, color, mode, colors, dither, contact, report-use and reddit"
        case .wrongType(let key, let expected): return "\(key) should be \(expected)"
        }
    }

    private func checkNames() throws(CommandError) {
        for (index, name) in (configuration.sources ?? []).enumerated() where !GIFSources.names.contains(name) {
            throw error("sources.\(index)", ErrorMessages.describe(.unknownSource(name: name, known: GIFSources.names)))
        }
        let keyed = GIFSources.profiles.filter { $0.key != nil }.map(\.name)
        for name in configuration.keys.keys.sorted() where !keyed.contains(name) {
            throw error("keys.\(name)", "source '\(name)' has no key; only \(keyed.joined(separator: ", ")) have one")
        }
        let endpointNames = GIFSources.profiles.map(\.name) + [CommunitySettings.source]
        for name in configuration.endpoints.keys.sorted() where !endpointNames.contains(name) {
            throw error("endpoints.\(name)", "unknown source '\(name)'")
        }
        try checkReddit()
    }

    /// Throws if a community name is invalid, or if only one of two settings that belong together is present. Without
    /// the second check, the user would notice the missing setting only when Reddit refuses a request.
    private func checkReddit() throws(CommandError) {
        let table = configuration.reddit
        for (index, name) in table.communities.enumerated() where Community(name) == nil {
            throw error(
                "reddit.communities.\(index)",
                "'\(name)' is not a community name, which has 2 to 21 letters, digits and _")
        }
        try checkPair(
            [("client-id", table.clientIdentifier), ("client-secret", table.clientSecret)],
            "Reddit issues both for an app")
        try checkPair(
            [("feed", table.feedToken), ("user", table.feedUser)],
            "both are in the URL of your own feed")
    }

    private func checkPair(_ halves: [(String, String?)], _ origin: String) throws(CommandError) {
        let present = halves.filter { $0.1.flatMap(Secret.init) != nil }
        guard present.count == 1, let half = present.first?.0, let other = halves.first(where: { $0.0 != half })?.0
        else { return }
        throw error("reddit.\(half)", "\(half) needs \(other) too; \(origin)")
    }

    private func error(_ key: String, _ problem: String) -> CommandError {
        CommandError("\(path), line \(lines.line(of: key)): \(problem)", status: .usage)
    }

    // MARK: - Values in command-line syntax

    var rating: Rating? {
        get throws(CommandError) {
            try value("rating", configuration.rating, RatingValue.choices) { RatingValue(argument: $0)?.rating }
        }
    }

    var switchInterval: Int64? {
        get throws(CommandError) {
            try value("every", configuration.switchInterval, "a time such as 10s or 2m") {
                DurationValue(argument: $0)?.nanoseconds
            }
        }
    }

    var cacheBytes: Int? {
        get throws(CommandError) {
            try value("cache-size", configuration.cacheSize, "a size such as 512M") { CountValue(argument: $0)?.count }
        }
    }

    var language: String? {
        get throws(CommandError) {
            try value("language", configuration.language, "two letters such as de") {
                LanguageValue(argument: $0)?.code
            }
        }
    }

    var color: ColorRule? {
        get throws(CommandError) {
            try value("color", configuration.color, "auto or always") { ColorRule(rawValue: $0) }
        }
    }

    var mode: ModeValue? {
        get throws(CommandError) {
            try value("mode", configuration.mode, ModeValue.choices) { ModeValue(rawValue: $0) }
        }
    }

    var colors: ColorsValue? {
        get throws(CommandError) {
            try value("colors", configuration.colors, ColorsValue.choices) { ColorsValue(rawValue: $0) }
        }
    }

    var dither: DitherValue? {
        get throws(CommandError) {
            try value("dither", configuration.dither, DitherValue.choices) { DitherValue(rawValue: $0) }
        }
    }

    private func value<Value>(
        _ key: String, _ text: String?, _ expected: String, _ parse: (String) -> Value?
    ) throws(CommandError) -> Value? {
        guard let text else { return nil }
        guard let value = parse(text) else { throw error(key, "\(key) should be \(expected), not '\(text)'") }
        return value
    }
}

/// Returns nil if the file is missing, unreadable or empty.
func contents(ofFile path: String) -> Data? {
    // Check the size first, because Foundation (6.3) leaks its read buffer of one page when the file is empty.
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
    return FileManager.default.contents(atPath: path)
}
