import Base
import FoundationEssentials
import Glibc

/// The user's configuration file.
public enum SettingsFile {
    /// The file gifplay/config.toml under XDG_CONFIG_HOME or ~/.config; nil if neither directory is known.
    public static func path(environment: [String: String]) -> String? {
        XDGDirectory.configuration.path(environment: environment).map { $0 + "/gifplay/config.toml" }
    }

    /// If there is no file, all settings keep their values. Throws if the file belongs to neither root nor the current
    /// user, or if everyone can write it: another user could make gifplay send the keys to a foreign server.
    static func read(into settings: inout Settings, _ environment: [String: String]) throws(CommandError) {
        var status = stat()
        guard let path = path(environment: environment), stat(path, &status) == 0 else { return }
        if let kind = FileSystem.irregularKind(status.st_mode) {
            throw .usage("\(path): is \(kind), not a regular file")
        }
        guard let bytes = contents(ofFile: path) else { return }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .usage("\(path): belongs to another user; it must belong to you or root")
        }
        guard status.st_mode & S_IWOTH == 0 else {
            throw .usage("\(path): can be changed by every user; run chmod 600 on it")
        }
        do throws(SettingError) { try settings.read(toml: String(decoding: bytes, as: UTF8.self)) } catch {
            throw .usage("\(path), line \(error.line): \(error.problem)")
        }
        if !settings.services.catalog.keys.isEmpty, status.st_mode & 0o077 != 0 {
            printError("\(path): contains a key and other users can read it; run chmod 600 on it")
        }
    }
}

/// Returns nil if the file is missing, unreadable or empty.
func contents(ofFile path: String) -> Data? {
    // Check the size first, because Foundation (6.3) leaks its read buffer of one page when the file is empty.
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
    return FileManager.default.contents(atPath: path)
}
