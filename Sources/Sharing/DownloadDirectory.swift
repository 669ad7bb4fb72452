import Base
import FoundationEssentials
import Glibc

/// The user's folder for downloads.
public enum DownloadDirectory {
    /// Returns XDG_DOWNLOAD_DIR of the environment, even if that folder does not exist yet. If the variable contains no
    /// absolute path, returns the first of these paths that is a folder: XDG_DOWNLOAD_DIR in user-dirs.dirs,
    /// ~/Downloads, the home directory. Returns nil if none of them is a folder.
    public static func path(environment: [String: String]) -> String? {
        // The environment variable was set intentionally for this run, while user-dirs.dirs may be years old.
        if let named = XDGDirectory.absolute(environment["XDG_DOWNLOAD_DIR"]) { return named }
        let home = XDGDirectory.absolute(environment["HOME"])
        let configured = XDGDirectory.configuration.path(environment: environment)
            .flatMap { userDirectory(in: $0 + "/user-dirs.dirs", home: home) }
        let candidates = [configured, home.map { $0 + "/Downloads" }, home]
        return candidates.compactMap(\.self).first(where: isDirectory)
    }

    /// Whether the path is a directory. Follows symbolic links, because the user may have moved the folder.
    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func userDirectory(in file: String, home: String?) -> String? {
        // Do not read an empty file, because Foundation (6.3) leaks the memory page into which it reads an empty file.
        var status = stat()
        guard stat(file, &status) == 0, status.st_size > 0,
            let text = try? String(contentsOfFile: file, encoding: .utf8)
        else { return nil }
        // Shells source this file, so if several lines set the variable, the last line counts.
        return text.split(separator: "\n").compactMap { value(of: $0, home: home) }.last
    }

    /// Returns the path in a line `XDG_DOWNLOAD_DIR="$HOME/…"`, which is the form that xdg-user-dirs writes, or in such
    /// a line with an absolute path. Returns nil for any other line.
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
