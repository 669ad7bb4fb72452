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
    /// Nil for the natural order in each folder and the given order of other files.
    var order: FileOrder?

    /// - Returns: the playlist, and the errors for named files that cannot be played.
    /// - Throws: ``CommandError`` if nothing can be played.
    func playlist() throws -> (list: Playlist, errors: [CommandError]) {
        if let search { return (try searchResults(for: search), []) }
        if arguments.isEmpty && files.isEmpty {
            return (Self.hasInput ? Playlist(listed: [.standardInput]) : try Self.randomFeed(session), [])
        }
        guard try Self.nameFiles(arguments, files) else {
            guard order == nil else { throw CommandError.usage("--sort: no file or folder is named") }
            try Subcommands.refuseMisspelt(arguments)
            return (try searchResults(for: arguments.joined(separator: " ")), [])
        }
        var items: [PlayItem] = []
        var errors: [CommandError] = []
        let hasOnlyPaths = arguments.allSatisfy { $0 != "-" && !Self.isAddress($0) }
        for name in files + (hasOnlyPaths ? FileOrder.arrange(arguments) : arguments) {
            do throws(CommandError) { items += try Self.items(at: name, &errors) } catch { errors.append(error) }
        }
        if items.isEmpty, files.isEmpty, errors.count == 1, let name = arguments.first, Self.mayBeQuery(name) {
            throw CommandError("\(errors[0].message); to search for it: --search '\(name)'")
        }
        if items.isEmpty, let first = errors.first, errors.count == 1 { throw first }
        let paths = items.compactMap(\.path)
        if let order, paths.count == items.count { items = order.sorted(paths).map { .file($0) } }
        return (Playlist(listed: items), errors)
    }

    /// Returns false if no argument names a file. All arguments then form one query, which needs no quotes.
    /// - Parameter files: the files given with options.
    /// - Throws: for a mixture of files and search terms.
    static func nameFiles(_ arguments: [String], _ files: [String]) throws(CommandError) -> Bool {
        guard let other = arguments.first(where: { !isNamed($0) }) else { return true }
        // A plain word in a query can be the name of a folder by chance.
        if files.isEmpty, arguments.allSatisfy({ $0 != "-" && !isAddress($0) && !looksLikePath($0) }) { return false }
        try Subcommands.refuseMisspelt([other])
        throw CommandError.usage("\(other): no such file; to search for it: --search '\(other)'")
    }

    /// Whether everything to play is on this machine, so that no service is needed.
    static func isLocal(arguments: [String], files: [String], search: String?) -> Bool {
        guard search == nil else { return false }
        if arguments.isEmpty && files.isEmpty { return hasInput }
        return (try? nameFiles(arguments, files)) != false
            && arguments.allSatisfy { word in
                switch address(of: word) {
                case nil: isNamed(word)
                case .file?: true
                default: false
                }
            }
    }

    /// Whether standard input is a pipe or a regular file.
    private static var hasInput: Bool {
        var information = stat()
        guard fstat(STDIN_FILENO, &information) == 0 else { return false }
        return [S_IFIFO, S_IFREG].contains(information.st_mode & S_IFMT)
    }

    /// Whether an argument names a file, an address or standard input, and so is not a search term.
    static func isNamed(_ word: String) -> Bool {
        word == "-" || exists(word) || isAddress(word) || looksLikePath(word)
    }

    /// Also true for a file that cannot be reached, such as a link that leads nowhere: it is no search term.
    private static func exists(_ word: String) -> Bool {
        do throws(SystemError) { return try FileSystem.status(word) != nil } catch { return error.code != ENAMETOOLONG }
    }

    /// The endings of files that people expect to play, even if gifplay does not play them.
    private static let mediaEndings = [
        ".gif", ".webp", ".png", ".apng", ".jpg", ".jpeg", ".mp4", ".webm", ".avif", ".heic", ".mov", ".gifv",
    ]

    /// Whether the word must be a path, even if it does not exist, because a query does not look like that.
    private static func looksLikePath(_ word: String) -> Bool {
        let pattern = word.firstIndex(of: "[").map { word[$0...].contains("]") } ?? false
        return word.contains("/") || word.contains("*") || pattern
            || word.dropLast().contains("?") && !word.contains(" ")
            || mediaEndings.contains { word.count > $0.count && word.lowercased().hasSuffix($0) }
    }

    /// Whether the word may be a search term in spite of its characters, such as `AC/DC`.
    private static func mayBeQuery(_ word: String) -> Bool {
        guard let first = word.first, !"/.~".contains(first), !exists(word), !isAddress(word) else { return false }
        return !mediaEndings.contains { word.lowercased().hasSuffix($0) }
    }

    static func isAddress(_ word: String) -> Bool { address(of: word) != nil }

    /// Returns nil if the text is no address, or if it is a file or in a folder with the name of a host.
    static func address(of word: String) -> TypedAddress? {
        // The name of a file, which most arguments are, is the quickest to recognise.
        guard word.contains("://") || !exists(word), let address = TypedAddress(word) else { return nil }
        guard case .web = address, !word.contains("://"), !word.hasPrefix("//") else { return address }
        return exists(String(word.prefix { $0 != "/" })) ? nil : address
    }

    static func items(at name: String, _ errors: inout [CommandError]) throws(CommandError) -> [PlayItem] {
        if name == "-" {
            guard isatty(STDIN_FILENO) == 0 else {
                throw CommandError("standard input is a terminal; pipe a GIF into 'gifplay -' or name a file")
            }
            return [.standardInput]
        }
        switch address(of: name) {
        case nil: return files(at: name, &errors)
        case .web(let url)?: return [.address(url)]
        case .data?: return [.address(name)]
        case .file(let path)?: return files(at: path, &errors)
        case .unusable(let problem)?: throw CommandError(problem)
        }
    }

    private static func files(at name: String, _ errors: inout [CommandError]) -> [PlayItem] {
        LocalFiles.paths(at: name, errors: &errors).map { .file($0) }
    }

    /// Offline, the search covers only the built-in samples, and needs neither a thread nor a network library.
    private func searchResults(for query: String) throws -> Playlist {
        let settings = session.settings
        guard settings.isOffline, settings.source == nil else {
            let query = SearchQuery(query, preferences: settings.preferences)
            return Playlist(results: [], search: try session.repository().results(of: query), choice: choice)
        }
        let hits = SampleSearch().search(query)
        guard hits.isEmpty else { return Playlist(results: hits.map { .sample($0) }, choice: choice) }
        throw CommandError(ErrorMessages.nothingFound(query))
    }

    /// Returns random GIFs of the services, or of the cache and the built-in samples if gifplay is offline.
    static func randomFeed(_ session: ServiceSession) throws(CommandError) -> Playlist {
        let settings = session.settings
        guard settings.isOffline, settings.source == nil, session.cachedReferences.isEmpty else {
            let items = RandomItems(try session.repository(), settings.preferences, health: session.health)
            return Playlist(feed: items, health: session.health)
        }
        return Playlist(shuffling: Sample.all.map { .sample($0) })
    }
}
