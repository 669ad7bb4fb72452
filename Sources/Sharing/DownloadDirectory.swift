import Base
import FoundationEssentials
import Glibc

public enum DownloadDirectory {
    /// Returns the value of the environment variable XDG_DOWNLOAD_DIR if it contains an absolute path, even if that
    /// directory does not exist yet. Otherwise returns the first of these paths that is a directory: XDG_DOWNLOAD_DIR
    /// in user-dirs.dirs, ~/Downloads, the home directory. Returns nil if none of them is a directory.
    public static func path(environment: [String: String]) -> String? {
        // The variable comes first, because it was set for this run. The file user-dirs.dirs might be years old.
        if let named = XDGDirectory.absolute(environment["XDG_DOWNLOAD_DIR"]) { return named }
        let home = XDGDirectory.absolute(environment["HOME"])
        let configured = XDGDirectory.configuration.path(environment: environment)
            .flatMap { userDirectory(in: $0 + "/user-dirs.dirs", home: home) }
        let candidates = [configured, home.map { $0 + "/Downloads" }, home]
        return candidates.compactMap(\.self).first(where: isDirectory)
    }

    /// Whether the path is a directory. Follows symbolic links, because the user might have moved the directory.
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
        // Shells source this file. If several lines set the variable, a shell uses the last one, and so does gifplay.
        return text.split(separator: "\n").compactMap { value(of: $0, home: home) }.last
    }

    /// Returns the path in a line such as `XDG_DOWNLOAD_DIR="$HOME/…"`, which is the form that xdg-user-dirs writes.
    /// Instead of `$HOME/…`, the line may contain an absolute path. Returns nil for any other line.
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
