import Application
import Base
import Catalog
import Glibc

/// Decides what the arguments of the command line mean: files, addresses, standard input, or search terms.
struct PlaylistResolver {
    /// The positional arguments, not yet classified.
    var arguments: [String]
    /// The paths given with `--file`.
    var files: [String]
    var search: String?
    let session: ServiceSession
    let choice: ResultChoice

    /// - Returns: the playlist, and the errors for named files that cannot be played.
    /// - Throws: ``CommandError`` if nothing can be played.
    func playlist() throws -> (list: Playlist, errors: [CommandError]) {
        if let search { return (try searchResults(for: search), []) }
        if arguments.isEmpty && files.isEmpty {
            return (Self.hasInput ? Playlist(listed: [.standardInput]) : try Self.randomFeed(session), [])
        }
        let named = arguments.filter { Self.isNamed($0) }
        guard named.count == arguments.count else {
            // If no argument names a file, all form one query, which needs no quotes. A mixture is an error.
            if named.isEmpty && files.isEmpty {
                try Subcommands.refuseMisspelt(arguments)
                return (try searchResults(for: arguments.joined(separator: " ")), [])
            }
            let other = arguments.first { !Self.isNamed($0) } ?? ""
            try Subcommands.refuseMisspelt([other])
            throw CommandError.usage("\(other): no such file; to search for it: --search '\(other)'")
        }
        var items: [PlayItem] = []
        var errors: [CommandError] = []
        for name in files + named {
            do throws(CommandError) { items += try Self.items(at: name) } catch { errors.append(error) }
        }
        if items.isEmpty, let first = errors.first, errors.count == 1 { throw first }
        return (Playlist(listed: items), errors)
    }

    /// Whether everything to play is on this machine, so that no service is needed.
    static func isLocal(arguments: [String], files: [String], search: String?) -> Bool {
        guard search == nil else { return false }
        if arguments.isEmpty && files.isEmpty { return hasInput }
        return arguments.allSatisfy { isNamed($0) && !isAddress($0) }
    }

    /// Whether standard input is a pipe or a regular file.
    private static var hasInput: Bool {
        var information = stat()
        guard fstat(STDIN_FILENO, &information) == 0 else { return false }
        return [S_IFIFO, S_IFREG].contains(information.st_mode & S_IFMT)
    }

    /// Whether an argument names a file, an address or standard input, and so is not a search term.
    static func isNamed(_ word: String) -> Bool {
        word == "-" || isAddress(word) || access(word, F_OK) == 0 || looksLikePath(word)
    }

    private static func looksLikePath(_ word: String) -> Bool {
        word.hasPrefix("/") || word.hasPrefix("./") || word.hasPrefix("../") || word.hasPrefix("~/")
            || (word.lowercased().hasSuffix(".gif") && !word.contains(" "))
    }

    private static func isAddress(_ word: String) -> Bool {
        guard let colon = word.firstRange(of: "://") else { return false }
        return word[..<colon.lowerBound].allSatisfy { $0.isLetter || $0.isNumber }
    }

    private static func items(at name: String) throws(CommandError) -> [PlayItem] {
        if name == "-" {
            guard isatty(STDIN_FILENO) == 0 else {
                throw CommandError("standard input is a terminal; pipe a GIF into 'gifplay -' or name a file")
            }
            return [.standardInput]
        }
        if isAddress(name) {
            guard ["http", "https"].contains(name.prefix { $0 != ":" }.lowercased()) else {
                throw CommandError("\(URLAuthority.displayText(name)): not an http:// or https:// URL")
            }
            return [.address(name)]
        }
        var information = stat()
        guard stat(name, &information) == 0 else {
            throw CommandError("\(name): \(SystemError.message())")
        }
        guard information.st_mode & S_IFMT == S_IFDIR else { return [.file(name)] }
        let files = gifs(in: name)
        guard !files.isEmpty else { throw CommandError("\(name): no .gif file in this folder") }
        return files.map { .file($0) }
    }

    /// Returns the GIFs of the folder itself, without subfolders, sorted by name.
    private static func gifs(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.lowercased().hasSuffix(".gif"), !name.hasPrefix(".") else { continue }
            // Add only regular files, because opening a FIFO or a device could block.
            var information = stat()
            let isRegular =
                fstatat(dirfd(directory), name, &information, 0) == 0 && information.st_mode & S_IFMT == S_IFREG
            if isRegular { names.append(name) }
        }
        return names.sorted().map { folder.hasSuffix("/") ? folder + $0 : folder + "/" + $0 }
    }

    /// Offline, the search covers only the built-in samples, and needs neither a thread nor a network library.
    private func searchResults(for query: String) throws -> Playlist {
        let settings = session.settings
        guard settings.isOffline, settings.source == nil else {
            let searchQuery = SearchQuery(query, preferences: settings.preferences)
            let stream = SearchCandidates(try session.repository(), searchQuery, health: session.health)
            return Playlist(results: [], stream: stream, choice: choice)
        }
        let hits = SampleSearch().search(query)
        guard hits.isEmpty else { return Playlist(results: hits.map { .sample($0) }, choice: choice) }
        throw CommandError(ErrorMessages.nothingFound(query))
    }

    /// Returns random GIFs of the services, or of the cache and the built-in samples if gifplay is offline.
    static func randomFeed(_ session: ServiceSession) throws(CommandError) -> Playlist {
        let settings = session.settings
        guard settings.isOffline, settings.source == nil, session.cachedReferences.isEmpty else {
            return Playlist(
                feed: RandomCandidates(try session.repository(), settings.preferences, health: session.health))
        }
        return Playlist(shuffling: Sample.all.map { .sample($0) })
    }
}
