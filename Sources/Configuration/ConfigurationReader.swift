import TOMLKit

extension Configuration {
    /// Reads the text of a configuration file.
    public init(toml text: String) throws(ConfigurationError) {
        self.init()
        let lines = KeyLines(text)
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ConfigurationError(line: Int(error.source.begin.line), problem: .syntax(error.description))
        } catch {
            throw ConfigurationError(line: 1, problem: .syntax("\(error)"))
        }
        for key in table.keys {
            guard let value = table[key] else { continue }
            do throws(ConfigurationError.Problem) {
                try take(key, value)
            } catch {
                throw ConfigurationError(line: lines.line(of: error.path), problem: error)
            }
        }
    }

    private mutating func take(
        _ key: String, _ value: any TOMLValueConvertible
    ) throws(ConfigurationError.Problem) {
        switch key {
        case "sources": sources = try Self.texts(key, value)
        case "rating": rating = try Self.text(key, value)
        case "language": language = try Self.text(key, value)
        case "every": every = try Self.textOrNumber(key, value)
        case "cache-size": cacheSize = try Self.textOrNumber(key, value)
        case "contact": contact = try Self.text(key, value)
        case "keys":
            for (name, value) in try Self.members(key, value) { keys[name] = try Self.text("keys.\(name)", value) }
        case "endpoints":
            for (name, value) in try Self.members(key, value) {
                let path = "endpoints.\(name)"
                endpoints[name] = value.array == nil ? [try Self.text(path, value)] : try Self.texts(path, value)
            }
        default: throw .unknownKey(key)
        }
    }

    private static func text(
        _ key: String, _ value: any TOMLValueConvertible
    ) throws(ConfigurationError.Problem) -> String {
        guard let text = value.string else { throw .wrongType(key: key, expected: "a text in quotes") }
        return text
    }

    private static func textOrNumber(
        _ key: String, _ value: any TOMLValueConvertible
    ) throws(ConfigurationError.Problem) -> String {
        if let number = value.int { return String(number) }
        if let number = value.double { return String(number) }
        guard let text = value.string else { throw .wrongType(key: key, expected: "a number or a text in quotes") }
        return text
    }

    private static func texts(
        _ key: String, _ value: any TOMLValueConvertible
    ) throws(ConfigurationError.Problem) -> [String] {
        guard let array = value.array else { throw .wrongType(key: key, expected: "a list of texts") }
        var texts: [String] = []
        for element in array {
            guard let text = element.string else { throw .wrongType(key: key, expected: "a list of texts") }
            texts.append(text)
        }
        return texts
    }

    private static func members(
        _ key: String, _ value: any TOMLValueConvertible
    ) throws(ConfigurationError.Problem) -> [(String, any TOMLValueConvertible)] {
        guard let table = value.table else { throw .wrongType(key: key, expected: "a table") }
        return table.keys.compactMap { name in table[name].map { (name, $0) } }
    }
}

extension ConfigurationError.Problem: Error {
    fileprivate var path: String {
        switch self {
        case .syntax: ""
        case .unknownKey(let key), .wrongType(let key, _): key
        }
    }
}

/// Which line a key stands in: the parser tells it of errors of syntax alone.
public struct KeyLines: Sendable {
    private var lines: [String: Int] = [:]

    public init(_ text: String) {
        var section = ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let bare = line.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            if bare.hasPrefix("[") {
                section = bare.drop { $0 == "[" }.prefix { $0 != "]" } + ""
                note(section, index + 1)
            } else if let equals = bare.firstIndex(of: "="), !bare.hasPrefix("#") {
                note((section.isEmpty ? "" : section + ".") + bare[..<equals], index + 1)
            }
        }
    }

    private mutating func note(_ path: String, _ line: Int) {
        if lines[path] == nil { lines[path] = line }
    }

    /// Of a path as `keys.giphy`; where that is not found, of what it begins with.
    public func line(of path: String) -> Int {
        if let line = lines[path] { return line }
        let within = lines.filter { $0.key.hasPrefix(path + ".") }.values.min()
        return within ?? path.lastIndex(of: ".").map { line(of: String(path[..<$0])) } ?? 1
    }
}
