import Base
import FoundationEssentials
import Glibc

/// The user's folder for downloads.
public enum DownloadDirectory {
    /// Returns XDG_DOWNLOAD_DIR of the environment, even if that folder does not exist yet. Otherwise returns the first
    /// of these that is a folder: XDG_DOWNLOAD_DIR in user-dirs.dirs, ~/Downloads, the home directory. Returns nil if
    /// none is.
    public static func path(environment: [String: String]) -> String? {
        // The variable is set for this run on purpose, while user-dirs.dirs may be years old.
        if let named = XDGDirectory.absolute(environment["XDG_DOWNLOAD_DIR"]) { return named }
        let home = XDGDirectory.absolute(environment["HOME"])
        let configured = XDGDirectory.configuration.path(environment: environment)
            .flatMap { userDirectory(in: $0 + "/user-dirs.dirs", home: home) }
        let candidates = [configured, home.map { $0 + "/Downloads" }, home]
        return candidates.compactMap(\.self).first(where: isDirectory)
    }

    /// Follows symbolic links, because the user may have moved the folder.
    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func userDirectory(in file: String, home: String?) -> String? {
        // Foundation (6.3) leaks the page that it reads an empty file into.
        var status = stat()
        guard stat(file, &status) == 0, status.st_size > 0,
            let text = try? String(contentsOfFile: file, encoding: .utf8)
        else { return nil }
        // Shells source this file, so the last of several lines counts.
        return text.split(separator: "\n").compactMap { value(of: $0, home: home) }.last
    }

    /// The path in a line `XDG_DOWNLOAD_DIR="$HOME/…"` as xdg-user-dirs writes it, or in one with an absolute path; nil
    /// for any other line.
    private static func value(of line: Substring, home: String?) -> String? {
        let bare = line.drop { $0 == " " || $0 == "\t" }
        let name = "XDG_DOWNLOAD_DIR=\""
        guard bare.hasPrefix(name) else { return nil }
        var value = ""
        var isEscaped = false
        for character in bare.dropFirst(name.count) {
            if isEscaped {
                value.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                break
            } else {
                value.append(character)
            }
        }
        guard value.hasPrefix("$HOME/") || value == "$HOME" else { return XDGDirectory.absolute(value) }
        return home.map { $0 + value.dropFirst(5) }
    }
}
