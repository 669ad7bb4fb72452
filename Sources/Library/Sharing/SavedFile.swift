import Base
import Catalog
import Glibc

/// Saves a GIF as a new file in a folder, completely or not at all.
public enum SavedFile {
    public struct Outcome: Equatable, Sendable {
        public var path: String
        /// False if the file already contained the bytes.
        public var isNew: Bool

        public init(path: String, isNew: Bool = true) { (self.path, self.isNew) = (path, isNew) }
    }

    /// Writes the bytes to a new file, unless a file of this name, or of a number after it, already contains them. Never
    /// replaces an existing file. See ``OutputFile`` for what a killed process leaves.
    public static func write(
        _ bytes: [UInt8], title: String, key: GIFKey, in directory: String
    ) throws(Failure) -> Outcome {
        let stem = stem(title: title, key: key, suffix: ".gif")
        let prefix = directory.hasSuffix("/") ? directory : directory + "/"
        let paths = (1...9_999).lazy.map { prefix + numbered(stem, $0, suffix: ".gif") }
        for path in paths {
            guard access(path, F_OK) == 0 else { break }
            let content = try? FileSystem.read(path, limit: bytes.count + 1, waits: false)
            if content == bytes { return Outcome(path: path, isNew: false) }
        }
        let saved: String?
        do throws(Failure) {
            let file = try OutputFile(newIn: directory)
            try file.write(bytes)
            saved = try file.commit(asFirstFreeOf: paths)
        } catch {
            throw .notSaved(error, in: directory)
        }
        guard let saved else { throw .noFreeName(stem + ".gif") }
        return Outcome(path: saved)
    }
}

/// Makes a file name from an untrusted title: words of letters and digits, joined by dashes. The name of a GIF file keeps
/// its spaces and its punctuation.
extension SavedFile {
    /// On Linux file systems, in bytes.
    private static let longestName = 255

    /// Short enough to append the number and the suffix.
    private static func stem(title: String, key: GIFKey, suffix: String) -> String {
        // Reserve space for ` (9999)` and the suffix.
        let room = longestName - 7 - suffix.utf8.count
        let candidates = [title, "\(key.provider) \(key.id)", "gif"]
        let stem =
            candidates.lazy.map { cut(fileStem($0, suffix) ?? slug($0), to: room) }.first { !$0.isEmpty } ?? "gif"
        return isReserved(stem) ? "gif-" + stem : stem
    }

    /// Nil if the title is not the name of a file with this ending.
    private static func fileStem(_ title: String, _ suffix: String) -> String? {
        guard title.lowercased().hasSuffix(suffix) else { return nil }
        // Other systems do not allow these characters. A name that begins with a dash would be an option of programs.
        let name = SafeText.line(String(title.dropLast(suffix.count))).map { "/\\:*?\"<>|".contains($0) ? "-" : $0 }
        return String(name.drop { ". -".contains($0) })
    }

    /// Returns a file name for a stem and a number from 1, for example `cat.gif` for 1 and `cat (2).gif` for 2.
    private static func numbered(_ stem: String, _ number: Int, suffix: String) -> String {
        number == 1 ? stem + suffix : "\(stem) (\(number))\(suffix)"
    }

    /// Joins words by dashes. Drops apostrophes; all other characters except letters, digits and marks separate words.
    /// The result has no control characters, slashes or dots, and no dash at either end.
    private static func slug(_ text: String) -> String {
        var words: [String.UnicodeScalarView] = [.init()]
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .decimalNumber, .letterNumber, .otherNumber:
                words[words.count - 1].append(scalar)
            case .nonspacingMark, .spacingMark, .enclosingMark:
                // A combining mark belongs to the character before it. A mark at the start of a word is dropped.
                if !words[words.count - 1].isEmpty { words[words.count - 1].append(scalar) }
            case _ where scalar == "'" || scalar == "’": continue
            default: if !words[words.count - 1].isEmpty { words.append(.init()) }
            }
        }
        return words.filter { !$0.isEmpty }.map { String($0) }.joined(separator: "-")
    }

    private static func cut(_ text: String, to bytes: Int) -> String {
        var result = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            guard count <= bytes else { break }
            result.append(character)
        }
        while let last = result.last, ". -".contains(last) { result.removeLast() }
        return result
    }

    /// Windows reserves these names for devices. USB sticks and network shares often use a Windows file system.
    private static func isReserved(_ stem: String) -> Bool {
        let name = stem.lowercased()
        if ["con", "prn", "aux", "nul"].contains(name) { return true }
        return name.count == 4 && (name.hasPrefix("com") || name.hasPrefix("lpt")) && name.last?.isNumber == true
    }

    /// Returns the value of the environment variable XDG_DOWNLOAD_DIR if it contains an absolute path, even if that
    /// directory does not exist yet. Otherwise returns the first of these paths that is a directory: XDG_DOWNLOAD_DIR
    /// in user-dirs.dirs, ~/Downloads, the home directory. Returns nil if none of them is a directory.
    public static func downloadDirectory(environment: [String: String]) -> String? {
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
        guard let bytes = try? FileSystem.read(file, limit: 1 << 20, waits: false),
            let text = String(validating: bytes, as: UTF8.self)
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
