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
    init(environment: [String: String]) throws(Complaint) {
        guard let path = Configuration.path(environment: environment),
            let bytes = contents(ofFile: path)
        else { return }
        self.path = path
        let rights = try checkRights()
        do throws(ConfigurationError) {
            (configuration, lines) = try Configuration.read(toml: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw Complaint("\(path), line \(error.line): \(Self.describe(error.problem))", exit: .usage)
        }
        try checkNames()
        if hasKey, rights & 0o077 != 0 {
            complain("\(path) has a key in it, and others on this machine may read it: chmod 600 keeps it yours")
        }
    }

    private var hasKey: Bool {
        !configuration.keys.isEmpty || configuration.reddit.clientSecret != nil || configuration.reddit.feed != nil
    }

    /// Returns the file's mode. Throws if the file belongs to another user except root, or if everyone can write it:
    /// a user who can change the file could send the keys to an address of their own.
    private func checkRights() throws(Complaint) -> UInt32 {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw Complaint("\(path) belongs to another user, who could change it; it should be yours", exit: .usage)
        }
        guard status.st_mode & S_IWOTH == 0 else {
            throw Complaint("\(path) may be changed by anyone on this machine: chmod 600 keeps it yours", exit: .usage)
        }
        return status.st_mode
    }

    private static func describe(_ problem: ConfigurationError.Problem) -> String {
        switch problem {
        case .syntax(let words): return "not understood: \(words)"
        case .unknownKey(let key) where key.hasPrefix("reddit."):
            return
                "there is no setting \"\(key)\"; of Reddit there are communities, client-id, client-secret, username, "
                + "feed and user"
        case .unknownKey(let key):
            return "there is no setting \"\(key)\"; there are sources, keys, endpoints, rating, language, every, "
                + "cache-size, color, contact and reddit"
        case .wrongType(let key, let expected): return "\(key) should be \(expected)"
        }
    }

    private func checkNames() throws(Complaint) {
        let known = GIFSources.profiles.map(\.name)
        for (index, name) in (configuration.sources ?? []).enumerated() where !(known + ["samples"]).contains(name) {
            throw complaint(
                "sources.\(index)",
                "there is no source \"\(name)\"; there are \(known.joined(separator: ", ")), samples")
        }
        let keyed = GIFSources.profiles.filter { $0.key != nil }.map(\.name)
        for name in configuration.keys.keys.sorted() where !keyed.contains(name) {
            throw complaint("keys.\(name)", "no source \"\(name)\" takes a key; \(keyed.joined(separator: ", ")) do")
        }
        let placed = known + [CommunitySettings.source]
        for name in configuration.endpoints.keys.sorted() where !placed.contains(name) {
            throw complaint("endpoints.\(name)", "there is no source \"\(name)\"")
        }
        try checkReddit()
    }

    /// Checks the community names and pairs of settings. An incomplete pair would otherwise only be noticed when Reddit
    /// refuses a request.
    private func checkReddit() throws(Complaint) {
        let table = configuration.reddit
        for (index, name) in table.communities.enumerated() where Community(name) == nil {
            throw complaint(
                "reddit.communities.\(index)",
                "\"\(name)\" is no name of a community; it has 2 to 21 letters, digits and _")
        }
        try checkPair(
            [("client-id", table.clientIdentifier), ("client-secret", table.clientSecret)],
            "Reddit gives both for an app")
        try checkPair(
            [("feed", table.feed), ("user", table.user)],
            "both stand in the address of a feed of your own")
    }

    private func checkPair(_ halves: [(String, String?)], _ origin: String) throws(Complaint) {
        let given = halves.filter { $0.1.flatMap(Secret.init) != nil }
        guard given.count == 1, let half = given.first?.0, let other = halves.first(where: { $0.0 != half })?.0 else {
            return
        }
        throw complaint("reddit.\(half)", "\(half) needs \(other) beside it; \(origin)")
    }

    private func complaint(_ key: String, _ words: String) -> Complaint {
        Complaint("\(path), line \(lines.line(of: key)): \(words)", exit: .usage)
    }

    // MARK: - Values in command-line syntax

    var rating: Rating? {
        get throws(Complaint) {
            try value("rating", configuration.rating, "g, pg, pg-13 or r") { RatingValue(argument: $0)?.rating }
        }
    }

    var every: Int64? {
        get throws(Complaint) {
            try value("every", configuration.every, "a time as 10s or 2m") { DurationValue(argument: $0)?.nanoseconds }
        }
    }

    var cacheBytes: Int? {
        get throws(Complaint) {
            try value("cache-size", configuration.cacheSize, "a size as 512M") { CountValue(argument: $0)?.count }
        }
    }

    var language: String? {
        get throws(Complaint) {
            try value("language", configuration.language, "two letters as de") { LanguageValue(argument: $0)?.code }
        }
    }

    var color: ColorRule? {
        get throws(Complaint) {
            try value("color", configuration.color, "auto or always") { ColorRule(rawValue: $0) }
        }
    }

    private func value<Value>(
        _ key: String, _ text: String?, _ expected: String, _ parse: (String) -> Value?
    ) throws(Complaint) -> Value? {
        guard let text else { return nil }
        guard let value = parse(text) else { throw complaint(key, "\(key) should be \(expected), not \"\(text)\"") }
        return value
    }
}
