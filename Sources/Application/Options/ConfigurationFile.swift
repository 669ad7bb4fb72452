import Base
import Catalog
import Glibc

/// The configuration files. Each line has an option as on the command line, with its value after a blank or `=`. Lines
/// that begin with `#` are comments.
public enum ConfigurationFile {
    /// The file of the system, which is read first.
    static let systemPath = "/etc/gifplay/config"

    /// The user's file: gifplay/config under XDG_CONFIG_HOME or ~/.config; nil if neither directory is known.
    public static func path(environment: [String: String]) -> String? {
        XDGDirectory.configuration.path(environment: environment).map { $0 + "/gifplay/config" }
    }

    /// In bytes.
    private static let limit = 1 << 20

    /// Applies the settings of both files line by line, and returns them. Throws for the first line with a mistake, if a
    /// file exists and cannot be used, or if there is only a file of an older version.
    @discardableResult
    static func settings(
        systemPath: String = systemPath, environment: [String: String], apply: (Setting) throws(Failure) -> Void
    ) throws(Failure) -> [Setting] {
        var settings = try read(systemPath, apply) ?? []
        guard let path = path(environment: environment) else { return settings }
        if let own = try read(path, apply) { settings += own } else { try OldConfiguration.throwIfExists(for: path) }
        try checkFeed(settings)
        return settings
    }

    /// Nil if there is no file. Throws if it belongs to neither root nor the current user, or if everyone can write it:
    /// another user could make gifplay send the keys to a foreign server.
    private static func read(
        _ path: String, _ apply: (Setting) throws(Failure) -> Void
    ) throws(Failure) -> [Setting]? {
        guard let (status, bytes) = try content(path) else { return nil }
        let problem: String? =
            if let kind = FileSystem.irregularKind(status.st_mode) {
                "is \(kind), not a regular file"
            } else if bytes.count > limit {
                "is larger than \(ByteSize.limit(limit))"
            } else if status.st_uid != geteuid(), status.st_uid != 0 {
                "belongs to another user; it must belong to you or root"
            } else if status.st_mode & S_IWOTH != 0 {
                "can be changed by every user; run chmod 600 on it"
            } else { nil }
        if let problem { throw .usage("\(path): \(problem)") }
        let settings = try parse(bytes, path, apply: apply)
        if let path = fileWithReadableKey(settings) { printError("\(path): \(readableKey); run chmod 600 on it") }
        return settings
    }

    static let readableKey = "contains a key and other users can read it"

    /// A file with a key that other users can read; nil if there is none.
    static func fileWithReadableKey(_ settings: [Setting]) -> String? {
        for case .line(_, let path) in settings.filter({ $0.option.name == "key" }).map(\.origin) {
            if let status = try? FileSystem.status(path), status.st_mode & 0o077 != 0 { return path }
        }
        return nil
    }

    /// The properties and the bytes of a file; nil if there is none. Of a file that is not regular, no bytes.
    static func content(_ path: String) throws(Failure) -> (stat, [UInt8])? {
        do throws(Failure) {
            guard let status = try FileSystem.status(path) else { return nil }
            // A FIFO is not opened, because its writer might never come.
            guard status.st_mode & S_IFMT == S_IFREG else { return (status, []) }
            return (status, try FileSystem.read(path, limit: limit))
        } catch {
            throw .usage("\(path): cannot be read: \(error.message)")
        }
    }

    /// Applies the settings of a text in the order of its lines, and returns them. Throws for the first line with a
    /// mistake.
    @discardableResult
    package static func parse(
        _ bytes: [UInt8], _ path: String, apply: (Setting) throws(Failure) -> Void
    ) throws(Failure) -> [Setting] {
        var (settings, number) = ([Setting](), 0)
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let read = try Failure.about("\(path), line \(number)") { () throws(Failure) in
                try setting(line, .line(number, of: path))
            }
            guard let read else { continue }
            try apply(read)
            settings.append(read)
        }
        return settings
    }

    private static func setting(_ line: ArraySlice<UInt8>, _ origin: Setting.Origin) throws(Failure) -> Setting? {
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { throw .usage("begins with a byte order mark; remove it") }
        if line.last == 0x0D { throw .usage("ends with a carriage return; use the line ends of Unix") }
        let scalars = String(decoding: line, as: UTF8.self).unicodeScalars
        if scalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\t" }) {
            throw .usage("contains a control character; remove it")
        }
        let line = line.drop(while: isBlank)
        guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
        // A letter needs nothing between itself and its value, as in `-s80x24`.
        let isLetter =
            first == UInt8(ascii: "-") && line.dropFirst().first.map { (0x41...0x5A).contains($0 & 0xDF) } == true
        let name = isLetter ? line.prefix(2) : line.prefix { !isBlank($0) && $0 != UInt8(ascii: "=") }
        let typed = SafeText.shortened(String(decoding: name.isEmpty ? line : name, as: UTF8.self), to: 80)
        guard typed.hasPrefix("-") else {
            throw .usage("\(typed): is not an option; write a line such as --every 30s, and comments after #")
        }
        let help = "'gifplay help config' lists the options"
        guard let option = Option.written(typed, for: .config), option.isConfigurable else {
            if typed == "--reddit-client" { throw .usage("\(typed): \(RedditSettings.appIsGone)") }
            if Option.table.contains(where: { $0.names.contains(typed) }) {
                throw .usage("\(typed): works only on the command line; \(help)")
            }
            let near = Option.suggestion(for: typed, of: Option.table.filter(\.isConfigurable))
            throw .usage("\(typed): unknown option; " + (near.map { "did you mean \($0)?" } ?? help))
        }
        let rest = line[name.endIndex...]
        let bytes = rest.first.map { isBlank($0) || $0 == UInt8(ascii: "=") } == true ? rest.dropFirst() : rest
        let text = String(decoding: bytes, as: UTF8.self)
        let value = text.unicodeScalars.contains("\u{FFFD}") ? String(path: Array(bytes)) : text
        let isMissing = option.value.isEmpty ? rest.allSatisfy(isBlank) : rest.isEmpty
        return try Setting(option, typed, isMissing ? nil : value, origin, help: help)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Throws if only one part of the URL of the user's own Reddit feed is present. Without this check, the user would
    /// notice the missing part only when Reddit refuses a request.
    private static func checkFeed(_ settings: [Setting]) throws(Failure) {
        let key = RedditSettings.feedSource
        let user = settings.last { $0.option.name == "reddit-feed-user" && !$0.text.allSatisfy(\.isWhitespace) }
        let token = settings.last { $0.name == "key" + key }
        guard (user == nil) != (token == nil), let setting = user ?? token else { return }
        let other = user == nil ? "--reddit-feed-user" : "--key \(key)=…"
        throw setting.failure("needs \(other) too; the URL of the feed has both")
    }
}

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
