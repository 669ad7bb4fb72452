import Base

/// The file config.toml of gifplay 1.1 and earlier. gifplay prints what it contains as lines of the new file.
enum OldConfiguration {
    /// - Parameter path: that of the new file, which does not exist.
    static func throwIfExists(for path: String) throws(CommandError) {
        let old = path + ".toml"
        let (status, bytes) = try ConfigurationFile.content(old)
        guard status != nil else { return }
        var error = CommandError.usage("\(old): is no longer read; save these lines as \(path)")
        error.lines = lines(String(decoding: bytes, as: UTF8.self))
        throw error
    }

    /// The names of settings that differ from the new options. The settings of `[reddit]` begin with `reddit.`.
    private static let names = [
        "language": "lang", "reddit.communities": "reddit", "reddit.username": "reddit-username",
        "reddit.user": "reddit-feed-user",
    ]

    /// Reads tables, texts in quotes, numbers, Booleans and lists in one line.
    static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        var table = ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                table = trimmed(line[..<end].dropFirst())
                continue
            }
            lines.append(contentsOf: translated(line, in: table, line: index + 1))
        }
        return lines
    }

    private static func translated(_ line: String, in table: String, line number: Int) -> [String] {
        // Without its text, which may contain a key.
        let unknown = ["# line \(number) of config.toml is left out"]
        guard let sign = line.firstIndex(of: "="), let values = values(line[line.index(after: sign)...]) else {
            return unknown
        }
        let name = trimmed(line[..<sign])
        let value = values.joined(separator: ",")
        let secret = table == "keys" ? name : table == "reddit" && name == "feed" ? CommunitySettings.feedSource : nil
        if let secret { return ["# the key is in line \(number) of config.toml", "--key \(secret)=…"] }
        if table == "endpoints" { return ["--endpoint \(name)=\(value)"] }
        if name == "report-use" { return value == "true" ? ["--report-use"] : [] }
        let path = (table.isEmpty ? "" : table + ".") + name
        let option = names[path] ?? name
        guard names[path] != nil || table.isEmpty,
            Option.table.contains(where: { $0.name == option && $0.isConfigurable })
        else { return unknown }
        return ["--\(option) \(value)"]
    }

    /// The elements of a list, or the only value; nil if it is neither.
    private static func values(_ text: Substring) -> [String]? {
        var (rest, values, isList) = (trimmed(text)[...], [String](), false)
        if rest.first == "[" { (isList, rest) = (true, rest.dropFirst()) }
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," && isList }
            guard let first = rest.first else { return isList || values.isEmpty ? nil : values }
            if first == "#" || first == "]" && isList {
                return first == "#" && (isList || values.isEmpty) ? nil : values
            }
            guard isList || values.isEmpty else { return nil }
            let isQuoted = first == "\"" || first == "'"
            if isQuoted { rest.removeFirst() }
            let value = rest.prefix { isQuoted ? $0 != first : !" \t,]#".contains($0) }
            rest = rest[value.endIndex...]
            if isQuoted, rest.popFirst() == nil { return nil }
            values.append(String(value))
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
