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

    /// Throws if a file exists and cannot be used, or if there is only a file of an older version.
    static func settings(
        systemPath: String = systemPath, environment: [String: String]
    ) throws(CommandError) -> [Setting] {
        var settings = try read(systemPath) ?? []
        guard let path = path(environment: environment) else { return settings }
        if let own = try read(path) { settings += own } else { try OldConfiguration.throwIfExists(for: path) }
        try checkFeed(settings)
        return settings
    }

    /// Nil if there is no file. Throws if it belongs to neither root nor the current user, or if everyone can write it:
    /// another user could make gifplay send the keys to a foreign server.
    private static func read(_ path: String) throws(CommandError) -> [Setting]? {
        let (status, bytes) = try content(path)
        guard let status else { return nil }
        if let kind = FileSystem.irregularKind(status.st_mode) {
            throw .usage("\(path): is \(kind), not a regular file")
        }
        guard bytes.count <= limit else { throw .usage("\(path): is larger than \(ByteSize.limit(limit))") }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .usage("\(path): belongs to another user; it must belong to you or root")
        }
        guard status.st_mode & S_IWOTH == 0 else {
            throw .usage("\(path): can be changed by every user; run chmod 600 on it")
        }
        let settings = try parse(bytes, path)
        if settings.contains(where: { $0.option.name == "key" }), status.st_mode & 0o077 != 0 {
            printError("\(path): contains a key and other users can read it; run chmod 600 on it")
        }
        return settings
    }

    /// - Returns: nil properties if there is no file.
    static func content(_ path: String) throws(CommandError) -> (stat?, [UInt8]) {
        do throws(SystemError) {
            guard let status = try FileSystem.status(path) else { return (nil, []) }
            // A FIFO is not opened, because its writer might never come.
            guard status.st_mode & S_IFMT == S_IFREG else { return (status, []) }
            return (status, try FileSystem.read(path, limit: limit))
        } catch {
            throw .usage("\(path): cannot be read: \(error.message)")
        }
    }

    /// Returns the settings of a text in the order of its lines. Their values are not checked yet.
    package static func parse(_ bytes: [UInt8], _ path: String) throws(CommandError) -> [Setting] {
        var settings: [Setting] = []
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            do throws(OptionError) {
                if let setting = try setting(line, .line(number, of: path)) { settings.append(setting) }
            } catch {
                throw .usage("\(path), line \(number): \(error)")
            }
        }
        return settings
    }

    private static func setting(_ line: ArraySlice<UInt8>, _ origin: Setting.Origin) throws(OptionError) -> Setting? {
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { throw OptionError("begins with a byte order mark; remove it") }
        if line.last == 0x0D { throw OptionError("ends with a carriage return; use the line ends of Unix") }
        if line.contains(where: { $0 < 0x20 && $0 != 0x09 }) {
            throw OptionError("contains a control character; remove it")
        }
        guard line.first != UInt8(ascii: "#"), line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
        let name = line.prefix { $0 != 0x20 && $0 != 0x09 && $0 != UInt8(ascii: "=") }
        let rest = line[name.endIndex...]
        let typed = SafeText.shortened(String(decoding: name, as: UTF8.self), to: 80)
        guard typed.hasPrefix("-") else {
            throw OptionError("\(typed): is not an option; write a line such as --every 30s, and comments after #")
        }
        let isLong = typed.hasPrefix("--")
        let word = String(typed.dropFirst(isLong ? 2 : 1))
        let named = Option.table.first {
            isLong ? $0.name == word && $0.isConfigurable || $0.negation == word : $0.short.map { String($0) } == word
        }
        guard let option = named, option.isConfigurable else {
            if word == "reddit-client" { throw OptionError("\(typed): \(CommunitySettings.appIsGone)") }
            let known = Option.table.filter { $0.isConfigurable && !$0.isHidden }.map(\.name)
            let near = EditDistance.nearest(to: word, in: known).map { "did you mean --\($0)?" }
            let problem =
                Option.table.contains { $0.name == word } ? "works only on the command line" : "unknown option"
            throw OptionError("\(typed): \(problem); " + (near ?? "'gifplay help config' lists the options"))
        }
        guard option.value.isEmpty else {
            guard !rest.isEmpty else { throw OptionError("\(typed): needs a value, such as --every 30s") }
            let text = String(decoding: rest.dropFirst(), as: UTF8.self)
            return Setting(option: option, text: text, origin: origin)
        }
        guard rest.isEmpty else { throw OptionError("\(typed): takes no value; write only \(typed)") }
        return Setting(option: option, text: "", isOn: option.negation != word || !isLong, origin: origin)
    }

    /// Throws if only one part of the URL of the user's own Reddit feed is present. Without this check, the user would
    /// notice the missing part only when Reddit refuses a request.
    private static func checkFeed(_ settings: [Setting]) throws(CommandError) {
        let key = CommunitySettings.feedSource + "="
        let user = settings.last { $0.option.name == "reddit-feed-user" && !$0.text.allSatisfy(\.isWhitespace) }
        let token = settings.last {
            $0.option.name == "key" && $0.text.hasPrefix(key)
                && !$0.text.dropFirst(key.count).allSatisfy(\.isWhitespace)
        }
        let origin = "the URL of the feed has both"
        if let user, token == nil { throw user.failure("needs --key \(key)… too; \(origin)") }
        if let token, user == nil { throw token.failure("needs --reddit-feed-user too; \(origin)") }
    }
}
