import Base
import FoundationEssentials
import Glibc

/// Where the user keeps what is downloaded.
public enum DownloadDirectory {
    /// XDG_DOWNLOAD_DIR of the environment, which may still have to be made; else that of
    /// user-dirs.dirs, ~/Downloads or the home itself, the first that is a folder; nil where not
    /// even a home is known.
    public static func path(environment: [String: String]) -> String? {
        // Whoever names it for this run means it, unlike a file that was written years ago.
        if let named = XDGDirectory.absolute(environment["XDG_DOWNLOAD_DIR"]) { return named }
        let home = XDGDirectory.absolute(environment["HOME"])
        let configured = XDGDirectory.configuration.path(environment: environment)
            .flatMap { userDirectory(in: $0 + "/user-dirs.dirs", home: home) }
        let candidates = [configured, home.map { $0 + "/Downloads" }, home]
        return candidates.compactMap(\.self).first(where: isDirectory)
    }

    /// Follows links: a folder that is elsewhere is the user's own doing.
    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func userDirectory(in file: String, home: String?) -> String? {
        // Of an empty file Foundation (6.3) leaks the page that it reads into.
        var status = stat()
        guard stat(file, &status) == 0, status.st_size > 0,
            let text = try? String(contentsOfFile: file, encoding: .utf8)
        else { return nil }
        // Sourced by shells: of two lines the last one counts.
        return text.split(separator: "\n").compactMap { value(of: $0, home: home) }.last
    }

    /// A line `XDG_DOWNLOAD_DIR="$HOME/…"` as xdg-user-dirs writes it, or with an absolute path.
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
