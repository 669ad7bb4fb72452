extension Configuration {
    public static func read(
        toml text: String
    ) throws(ConfigurationError) -> (configuration: Configuration, lines: ConfigurationLines) {
        var reader = ConfigurationReader()
        for (key, value) in try reader.members("", TOMLValue(parsing: text)) { try reader.readSetting(key, value) }
        return (reader.configuration, reader.lines)
    }
}

public struct ConfigurationLines: Sendable {
    private var lines: [String: Int] = [:]

    public init() {}

    /// Counted from 1; 1 if the file does not contain the setting. The path of a setting is for example `rating`,
    /// `keys.giphy` or, for an element of a list, `sources.0`.
    public func line(of path: String) -> Int { lines[path] ?? 1 }

    fileprivate mutating func setLine(_ line: Int, of path: String) { lines[path] = line }
}

/// Checks that each value has the type that its setting requires.
private struct ConfigurationReader {
    var configuration = Configuration()
    var lines = ConfigurationLines()

    mutating func readSetting(_ key: String, _ value: TOMLValue) throws(ConfigurationError) {
        switch key {
        case "sources": configuration.sources = try texts(key, value)
        case "rating": configuration.rating = try text(key, value)
        case "language": configuration.language = try text(key, value)
        case "every": configuration.switchInterval = try textOrNumber(key, value)
        case "color": configuration.color = try text(key, value)
        case "mode": configuration.mode = try text(key, value)
        case "colors": configuration.colors = try textOrNumber(key, value)
        case "dither": configuration.dither = try text(key, value)
        case "cache-size": configuration.cacheSize = try textOrNumber(key, value)
        case "contact": configuration.contact = try text(key, value)
        case "report-use":
            guard case .boolean(let isOn) = value.content else { throw wrongType(key, value, "true or false") }
            configuration.reportsUse = isOn
        case "keys":
            for (name, value) in try members(key, value) {
                configuration.keys[name] = try text("keys.\(name)", value)
            }
        case "endpoints":
            for (name, value) in try members(key, value) {
                let path = "endpoints.\(name)"
                let isList = if case .list = value.content { true } else { false }
                configuration.endpoints[name] = isList ? try texts(path, value) : [try text(path, value)]
            }
        case "reddit":
            for (name, value) in try members(key, value) { try readRedditSetting("reddit.\(name)", value) }
        default: throw ConfigurationError(line: value.line, problem: .unknownKey(key))
        }
    }

    private mutating func readRedditSetting(_ path: String, _ value: TOMLValue) throws(ConfigurationError) {
        switch path {
        case "reddit.communities": configuration.reddit.communities = try texts(path, value)
        case "reddit.client-id": configuration.reddit.clientIdentifier = try text(path, value)
        case "reddit.client-secret": configuration.reddit.clientSecret = try text(path, value)
        case "reddit.username": configuration.reddit.username = try text(path, value)
        case "reddit.feed": configuration.reddit.feedToken = try text(path, value)
        case "reddit.user": configuration.reddit.feedUser = try text(path, value)
        default: throw ConfigurationError(line: value.line, problem: .unknownKey(path))
        }
    }

    private mutating func text(
        _ path: String, _ value: TOMLValue, expected: String = "a string in quotes", of setting: String? = nil
    ) throws(ConfigurationError) -> String {
        lines.setLine(value.line, of: path)
        guard case .text(let text) = value.content else { throw wrongType(setting ?? path, value, expected) }
        return text
    }

    private mutating func textOrNumber(_ path: String, _ value: TOMLValue) throws(ConfigurationError) -> String {
        lines.setLine(value.line, of: path)
        switch value.content {
        case .text(let text): return text
        case .integer(let number): return String(number)
        case .number(let number): return String(number)
        default: throw wrongType(path, value, "a number or a string in quotes")
        }
    }

    private mutating func texts(_ path: String, _ value: TOMLValue) throws(ConfigurationError) -> [String] {
        lines.setLine(value.line, of: path)
        let expected = "a list of strings"
        guard case .list(let elements) = value.content else { throw wrongType(path, value, expected) }
        var texts: [String] = []
        for element in elements {
            texts.append(try text("\(path).\(texts.count)", element, expected: expected, of: path))
        }
        return texts
    }

    func members(
        _ path: String, _ value: TOMLValue
    ) throws(ConfigurationError) -> [(key: String, value: TOMLValue)] {
        guard case .table(let members) = value.content else { throw wrongType(path, value, "a table") }
        return members
    }

    private func wrongType(_ path: String, _ value: TOMLValue, _ expected: String) -> ConfigurationError {
        ConfigurationError(line: value.line, problem: .wrongType(key: path, expected: expected))
    }
}
