import Base

/// The file config.toml of gifplay 1.1 and earlier. gifplay prints what it contains as lines of the new file.
enum OldConfiguration {
    /// - Parameter path: that of the new file, which does not exist.
    static func throwIfExists(for path: String) throws(Failure) {
        guard let (_, bytes) = try ConfigurationFile.content(path + ".toml") else { return }
        let lines = lines(String(decoding: bytes, as: UTF8.self))
        // A folder, or a file of comments, contains no settings.
        guard !lines.isEmpty else { return }
        var error = Failure.usage("\(path).toml: is no longer read; save these lines as \(path)")
        error.lines = lines
        throw error
    }

    /// The names of settings that differ from the new options. The settings of `[reddit]` begin with `reddit.`.
    private static let names = [
        "language": "lang", "reddit.communities": "reddit", "reddit.username": "reddit-username",
        "reddit.user": "reddit-feed-user", "reddit.feed": "key reddit.feed",
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
            } else {
                lines += translated(line, in: table, line: index + 1)
            }
        }
        return lines
    }

    private static func translated(_ line: String, in table: String, line number: Int) -> [String] {
        // Without its text, which may contain a key.
        let unknown = ["# line \(number) of config.toml is left out"]
        guard let sign = line.firstIndex(of: "="), let values = values(line[line.index(after: sign)...]) else {
            return unknown
        }
        let path = (table.isEmpty ? "" : table + ".") + trimmed(line[..<sign])
        let value = values.joined(separator: ",")
        if path.hasPrefix("endpoints.") { return ["--endpoint \(path.dropFirst("endpoints.".count))=\(value)"] }
        let option = path.hasPrefix("keys.") ? "key " + path.dropFirst("keys.".count) : names[path] ?? path
        if option.hasPrefix("key ") {
            return ["# the key is in line \(number) of config.toml", "--\(option)=…"]
        }
        if path == "report-use" { return value == "true" ? ["--report-use"] : [] }
        return Option.table.contains { $0.name == option && $0.isConfigurable } ? ["--\(option) \(value)"] : unknown
    }

    /// The elements of a list, or the only value; nil if it is neither.
    private static func values(_ text: Substring) -> [String]? {
        let text = trimmed(text)
        guard text.first == "[", let end = text.lastIndex(of: "]") else { return value(text).map { [$0] } }
        let elements = text[..<end].dropFirst().split(separator: ",").map(trimmed).filter { !$0.isEmpty }
        let values = elements.compactMap(value)
        return values.count == elements.count ? values : nil
    }

    /// A text in quotes, or a word, before a comment.
    private static func value(_ text: String) -> String? {
        let isQuoted = text.first == "\"" || text.first == "'"
        let value = text.dropFirst(isQuoted ? 1 : 0).prefix { isQuoted ? $0 != text.first : !" \t,]#".contains($0) }
        let rest = trimmed(text[value.endIndex...].dropFirst(isQuoted ? 1 : 0))
        let isClosed = !isQuoted || value.endIndex < text.endIndex
        return isClosed && !text.isEmpty && (rest.isEmpty || rest.first == "#") ? String(value) : nil
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
