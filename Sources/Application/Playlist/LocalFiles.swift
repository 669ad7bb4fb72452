import Base
import Catalog
import Glibc

/// Finds the GIFs of the folders that the user named.
enum LocalFiles {
    /// Returns the path of a file, or the paths of the GIFs directly in a folder, in natural order.
    /// - Parameter isRecursive: whether the GIFs of the folders below follow, folder by folder. Links to folders are not
    ///   followed, so that a loop of links ends.
    static func paths(at name: String, isRecursive: Bool = false, errors: inout [Failure]) -> [String] {
        var information = stat()
        guard stat(name.systemPath, &information) == 0 else {
            let code = errno
            if code == ENOENT, let path = lookalike(of: name) {
                return paths(at: path, isRecursive: isRecursive, errors: &errors)
            }
            errors.append(Failure("\(name): \(Failure.systemMessage(code))", hint: hint(for: name, code)))
            return []
        }
        guard information.st_mode & S_IFMT == S_IFDIR else { return [name] }
        var (paths, folders): ([String], [String]) = ([], [name])
        let errorCount = errors.count
        while let folder = folders.popLast() {
            do throws(Failure) {
                let content = try content(of: folder)
                paths += content.gifs
                if isRecursive { folders += content.folders.reversed() }
            } catch {
                errors.append(error.of(folder))
            }
        }
        if paths.isEmpty, errors.count == errorCount {
            errors.append(Failure("\(name): no .gif file in this folder"))
        }
        return paths
    }

    /// The only file whose path looks the same, such as in the Unicode normalization of macOS or with other spaces; nil if
    /// the path is not UTF-8, because then it was not typed.
    private static func lookalike(of name: String) -> String? {
        guard name.utf8.contains(where: { $0 == 0x20 || $0 > 0x7E }), !name.isForeignPath else { return nil }
        let parent = FileSystem.parent(of: name)
        let exists = access(parent.systemPath, F_OK) == 0
        guard let folder = exists ? parent : lookalike(of: parent), let content = try? content(of: folder) else {
            return nil
        }
        let shown = SafeText.line(FileSystem.lastName(of: name))
        let same = (content.gifs + content.folders).filter { SafeText.line(FileSystem.lastName(of: $0)) == shown }
        return same.count == 1 ? same[0] : nil
    }

    /// Names the file in the same folder whose name is the nearest.
    private static func hint(for name: String, _ code: Int32) -> String? {
        let name = name.lastIndex { $0 != "/" }.map { String(name[...$0]) } ?? name
        // A pattern resembles any name.
        guard code == ENOENT, !name.contains(where: { "*?[".contains($0) }),
            let content = try? content(of: FileSystem.parent(of: name))
        else { return nil }
        let folder = name.lastIndex(of: "/").map { name[...$0] } ?? ""
        let names = (content.gifs + content.folders).map { FileSystem.lastName(of: $0) }
        let near = EditDistance.nearest(to: String(name.dropFirst(folder.count)), in: names.map { $0.lowercased() })
        let hint = names.first { $0.lowercased() == near }.map { folder + $0 } ?? ""
        // Names that are not UTF-8 can look the same.
        let looksOther = !hint.isEmpty && SafeText.sentence(hint) != SafeText.sentence(name)
        return looksOther ? "did you mean \(hint)?" : nil
    }

    /// The GIFs and the folders in a folder, in natural order. Omits hidden ones.
    private static func content(of folder: String) throws(Failure) -> (gifs: [String], folders: [String]) {
        guard let directory = opendir(folder.systemPath) else { throw Failure.system("opendir") }
        defer { closedir(directory) }
        var (gifs, folders): ([String], [String]) = ([], [])
        errno = 0
        while let entry = readdir(directory) {
            defer { errno = 0 }
            let name = FileSystem.name(of: entry)
            guard !name.hasPrefix(".") else { continue }
            func mode(_ flags: Int32) -> mode_t {
                var information = stat()
                return fstatat(dirfd(directory), name.systemPath, &information, flags) == 0
                    ? information.st_mode & S_IFMT : 0
            }
            // Most file systems report the type with the name, so that ten thousand files need no further calls.
            let known = mode_t(entry.pointee.d_type) << 12
            let type = known == 0 ? mode(AT_SYMLINK_NOFOLLOW) : known
            if type == S_IFDIR {
                folders.append(name)
            } else if name.lowercased().hasSuffix(".gif"), type == S_IFREG || type == S_IFLNK && mode(0) == S_IFREG {
                // Only regular files, because opening a FIFO or a device could block.
                gifs.append(name)
            }
        }
        guard errno == 0 else { throw Failure.system("readdir") }
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return (FileOrder.name.sorted(gifs).map { prefix + $0 }, FileOrder.name.sorted(folders).map { prefix + $0 })
    }
}

/// A list of file names that are separated by NUL bytes, as `find -print0` writes it.
enum FileList {
    /// In bytes.
    private static let limit = 64 << 20

    /// As ``names(in:)``; no names without a list. If other files are named, an error of the list is added to `errors`.
    static func names(
        in list: String?, besides arguments: [Argument], files: [String] = [], _ errors: inout [Failure]
    ) throws(Failure) -> [String] {
        guard let list else { return [] }
        do throws(Failure) { return try names(in: list) } catch {
            guard !arguments.isEmpty || !files.isEmpty, try PlaylistResolver.nameFiles(arguments, [list]) else {
                throw error
            }
            errors.append(error)
            return []
        }
    }

    /// The path `-` is standard input. Throws if the list contains no name.
    static func names(in path: String) throws(Failure) -> [String] {
        let subject = "--files0 \(path)"
        if path == "-", isatty(STDIN_FILENO) == 1 {
            throw Failure("\(subject): standard input is a terminal; pipe a list from 'find -print0'")
        }
        let bytes = try Failure.about(subject) { () throws(Failure) in try FileSystem.read(path, limit: limit) }
        guard bytes.count <= limit else { throw Failure("\(subject): the list is larger than 64 MiB") }
        if bytes.starts(with: "GIF8".utf8) { throw Failure("\(subject): is a GIF, not a list of files") }
        let names = bytes.split(separator: 0)
        guard !names.isEmpty else { throw Failure("\(subject): the list contains no file") }
        if let index = names.firstIndex(where: { $0.count > Int(PATH_MAX) }) {
            throw Failure("\(subject): entry \(index + 1) is too long for a path; NUL bytes separate the entries")
        }
        // Here, `-` is not standard input.
        return names.map { $0 == [UInt8(ascii: "-")] ? "./-" : String(path: $0) }
    }
}
