import Base
import Catalog
import Glibc

/// The user's configuration file.
public enum SettingsFile {
    /// The file gifplay/config.toml under XDG_CONFIG_HOME or ~/.config; nil if neither directory is known.
    public static func path(environment: [String: String]) -> String? {
        XDGDirectory.configuration.path(environment: environment).map { $0 + "/gifplay/config.toml" }
    }

    /// In bytes.
    private static let limit = 1 << 20

    /// If there is no file, all settings keep their values. Throws if the file cannot be read. Throws if it belongs to
    /// neither root nor the current user, or if everyone can write it: another user could make gifplay send the keys to a
    /// foreign server.
    static func read(into settings: inout Settings, _ environment: [String: String]) throws(CommandError) {
        guard let path = path(environment: environment) else { return }
        let (status, bytes) = try content(path)
        guard let status else { return }
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
        do throws(SettingError) { try settings.read(toml: String(decoding: bytes, as: UTF8.self)) } catch {
            throw .usage("\(path), line \(error.line): \(error.problem)")
        }
        if !settings.services.catalog.keys.isEmpty, status.st_mode & 0o077 != 0 {
            printError("\(path): contains a key and other users can read it; run chmod 600 on it")
        }
    }

    /// - Returns: nil properties if there is no file.
    private static func content(_ path: String) throws(CommandError) -> (stat?, [UInt8]) {
        do throws(SystemError) {
            guard let status = try FileSystem.status(path) else { return (nil, []) }
            // A FIFO is not opened, because its writer might never come.
            guard status.st_mode & S_IFMT == S_IFREG else { return (status, []) }
            return (status, try FileSystem.read(path, limit: limit))
        } catch {
            throw .usage("\(path): cannot be read: \(error.message)")
        }
    }
}
