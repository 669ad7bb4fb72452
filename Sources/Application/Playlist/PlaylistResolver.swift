import Base
import Catalog
import Glibc
import Library

/// The feeds of `--feed`.
public enum PlayedFeed: String, CaseIterable, Sendable {
    case favourites
    case history
    case trending
    case random

    var galleryFeed: Feed {
        switch self {
        case .favourites: .favourites
        case .history: .history
        case .trending: .trending(source: nil)
        case .random: .random
        }
    }
}

/// An argument of the command line, which is recognised once: a search term, or the name of a file, of an address or of
/// standard input.
struct Argument {
    let text: String
    /// Also true for a file that cannot be reached, such as a link that leads nowhere: it is no search term.
    let exists: Bool
    /// Nil if the text is no address, or if it is the name of a file.
    let address: TypedAddress?

    init(_ text: String) {
        self.text = text
        do throws(Failure) { exists = try FileSystem.status(text) != nil } catch {
            exists = error.systemCode != ENAMETOOLONG
        }
        // The name of a file, which most arguments are, is the quickest to recognise.
        address = strstr(text, "://") != nil || !exists ? TypedAddress(text) : nil
    }

    /// Whether it names a file, an address or standard input, and so is not a search term.
    var isNamed: Bool { text == "-" || exists || address != nil || isPattern }

    /// Whether it can be a part of a query. A plain word in a query can be the name of a folder by chance.
    fileprivate var isPlainWord: Bool {
        text == "/" || text != "-" && (exists ? TypedAddress(text) : address) == nil && !isPattern
    }

    /// Whether it is an address, but not that of a file.
    var isAddress: Bool {
        switch address {
        case nil, .files?: false
        default: true
        }
    }

    /// Whether it needs no service.
    fileprivate var isLocal: Bool { isNamed && !isAddress }

    /// The names of the files that it names, such as a `file:` URL.
    var paths: [String] { if case .files(let paths) = address { paths } else { [text] } }

    /// Whether it is taken for a pattern that matches no file, although the gallery, in which no file is named by
    /// accident, searches for it.
    private var isPattern: Bool {
        Self.undecorated(text[...]).split(separator: " ").contains { part in
            let name = Self.undecorated(part)
            return name.contains { "*?".contains($0) } || name.drop { $0 != "[" }.contains("]")
        }
    }

    /// Returns the text without final punctuation and without asterisks or brackets on both sides, as in `*hugs*!`.
    private static func undecorated(_ text: Substring) -> Substring {
        var text = text.lastIndex { !"!?.,".contains($0) }.map { text[...$0] } ?? ""
        while text.count > 2, text.first == "*" && text.last == "*" || text.first == "[" && text.last == "]" {
            text = text.dropFirst().dropLast()
        }
        return text
    }

    /// The search terms in a word that is taken for a path, such as `/secret` or `dancing cat.gif`; nil if there are none.
    fileprivate var query: String? {
        guard !exists, !isAddress, text.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        guard case .files(let paths) = address else { return text }
        let name = paths[0]
        guard paths.count == 1, !name.hasPrefix(".") else { return nil }
        let stem = TypedAddress.hasMediaEnding(name) ? name[..<(name.lastIndex(of: ".") ?? name.endIndex)] : name[...]
        let query = stem.hasPrefix("/") ? stem.dropFirst() : stem
        let isText = query.contains { $0.isLetter || $0.isNumber }
        return !isText || query.contains("/") && query != name ? nil : String(query)
    }
}

/// Decides what the arguments of the command line mean: files, addresses, standard input, or search terms.
struct PlaylistResolver {
    /// The positional arguments.
    var arguments: [Argument]
    /// The paths given with `--file`.
    var files: [String]
    var search: String?
    let session: ServiceSession
    let choice: ResultChoice
    /// Nil for the natural order in each folder and the given order of other files.
    var order: FileOrder?

    /// - Returns: the playlist, and the errors for named files that cannot be played.
    /// - Throws: ``Failure`` if nothing can be played.
    func playlist() throws(Failure) -> (list: Playlist, errors: [Failure]) {
        if let search { return (try searchResults(for: search), []) }
        if arguments.isEmpty && files.isEmpty {
            return (Self.hasInput ? Playlist(listed: [.standardInput]) : try Self.randomFeed(session), [])
        }
        guard try Self.nameFiles(arguments, files) else {
            guard order == nil else { throw Failure.usage("--sort: no file or folder is named") }
            try Subcommands.refuseMisspelt(arguments.map(\.text))
            return (try searchResults(for: arguments.map(\.text).joined(separator: " ")), [])
        }
        var items: [GIFReference] = []
        var errors: [Failure] = []
        let hasOnlyPaths = arguments.allSatisfy { $0.text != "-" && !$0.isAddress }
        var ordered = arguments
        if hasOnlyPaths, arguments.count > 1 {
            let named = Dictionary(arguments.map { ($0.text, $0) }) { first, _ in first }
            ordered = FileOrder.arrange(arguments.map(\.text)).compactMap { named[$0] }
        }
        // The name of a file is not taken for an address, and causes no request if the file has vanished.
        for name in files {
            do throws(Failure) {
                items += name == "-" ? try Self.items(at: Argument(name), &errors) : Self.files(at: name, &errors)
            } catch {
                errors.append(error)
            }
        }
        for argument in ordered {
            do throws(Failure) { items += try Self.items(at: argument, &errors) } catch { errors.append(error) }
        }
        if items.isEmpty, files.isEmpty, errors.count == 1, errors[0].hint == nil,
            let query = arguments.first?.query
        {
            errors[0].hint = "to search for it: \(ShellText.searchCommand(ShellText.quoted(query)))"
        }
        if items.isEmpty, let first = errors.first, errors.count == 1 { throw first }
        if let order, case let paths = items.compactMap(\.path), paths.count == items.count {
            items = order.sorted(paths).map { .file($0) }
        }
        return (Playlist(listed: items), errors)
    }

    /// Returns false if no argument names a file. All arguments then form one query, which needs no quotes.
    /// - Parameter files: the files given with options.
    /// - Throws: for a mixture of files and search terms.
    static func nameFiles(_ arguments: [Argument], _ files: [String]) throws(Failure) -> Bool {
        let other = arguments.first { !$0.isNamed }
        if other != nil, files.isEmpty, arguments.allSatisfy(\.isPlainWord) {
            try checkQuery(arguments.map(\.text))
            return false
        }
        if arguments.count > 1, let missing = arguments.first(where: { !$0.exists }),
            case let whole = arguments.map(\.text).joined(separator: " "), access(whole.systemPath, F_OK) == 0
        {
            throw Failure.usage("\(missing.text): no such file; did you mean '\(whole)'?")
        }
        guard let other else { return true }
        try Subcommands.refuseMisspelt([other.text])
        let missing = arguments.filter { $0.text == other.text || $0.query != nil }
        let terms = missing.map { $0.query ?? $0.text }.joined(separator: " ")
        let (ending, object) = missing.count == 1 ? ("", "it") : ("s", "them")
        throw Failure.usage(
            "\(SafeText.excerpt(missing.map(\.text).joined(separator: ", "))): no such file\(ending); "
                + "to search for \(object): \(ShellText.searchCommand(ShellText.quoted(terms)))")
    }

    /// Throws if the arguments together are too long for a query.
    static func checkQuery(_ arguments: [String]) throws(Failure) {
        let query = arguments.joined(separator: " ")
        do throws(Failure) { _ = try OptionValue.query(query) } catch {
            throw .usage("\(SafeText.excerpt(query)): \(error.message)")
        }
    }

    /// Whether everything to play is on this machine, so that no service is needed.
    static func needsNoService(arguments: [Argument], files: [String], search: String?) -> Bool {
        guard search == nil else { return false }
        if arguments.isEmpty && files.isEmpty { return hasInput }
        return (try? nameFiles(arguments, files)) != false && arguments.allSatisfy(\.isLocal)
    }

    /// Whether standard input is a pipe or a regular file.
    private static var hasInput: Bool {
        var information = stat()
        guard fstat(STDIN_FILENO, &information) == 0 else { return false }
        return [S_IFIFO, S_IFREG].contains(information.st_mode & S_IFMT)
    }

    static func items(at argument: Argument, _ errors: inout [Failure]) throws(Failure) -> [GIFReference] {
        if argument.text == "-" {
            guard isatty(STDIN_FILENO) == 0 else {
                throw Failure("standard input is a terminal; pipe a GIF into 'gifplay -' or name a file")
            }
            return [.standardInput]
        }
        switch argument.address {
        case nil, .files?: return argument.paths.flatMap { files(at: $0, &errors) }
        case .web(let url)?: return [.address(url)]
        case .data(let content)?: return [.data(argument.text, content)]
        case .unusable(let problem)?: throw Failure(problem)
        }
    }

    private static func files(at name: String, _ errors: inout [Failure]) -> [GIFReference] {
        LocalFiles.paths(at: name, errors: &errors).map { .file($0) }
    }

    /// Offline, the search covers only the built-in samples, and needs neither a thread nor a network library.
    private func searchResults(for query: String) throws(Failure) -> Playlist {
        let settings = session.settings
        guard settings.isOffline, settings.source == nil else {
            let query = SearchQuery(query, preferences: settings.preferences)
            return Playlist(search: try session.repository().results(of: query), choice: choice)
        }
        let hits = SampleSearch().search(query)
        var first = 0
        switch choice {
        case _ where hits.isEmpty: throw ErrorMessages.nothingFound(query)
        case .first: break
        case .any: first = .random(in: hits.indices)
        case .number(let number):
            guard number <= hits.count else {
                throw ErrorMessages.tooFew(hits.count, for: number)
            }
            first = number - 1
        }
        return Playlist(results: hits.map { .sample($0) }, startingAt: first)
    }

    /// - Throws: if a feed of the library is empty.
    static func playlist(_ feed: PlayedFeed, _ session: ServiceSession) throws(Failure) -> Playlist {
        switch feed {
        case .random: return try randomFeed(session)
        case .trending:
            return Playlist(search: try session.repository().trendingItems(session.settings.preferences))
        case .favourites, .history:
            let library = try LibraryAccess.open(GalleryLibrary.options(session.settings))
            let stored = try LibraryAccess.perform { () async throws(Failure) in
                try await library.listing(feed.galleryFeed)
            }
            // Some services do not allow storing the addresses of their GIFs.
            let items = stored?.items.filter { !$0.renditions.isEmpty } ?? []
            guard items.isEmpty else { return Playlist(listed: items) }
            let reason = feed == .favourites ? "there are none; press 'f' while a GIF plays" : "it is empty"
            throw Failure("--feed \(feed.rawValue): \(reason)")
        }
    }

    /// Returns random GIFs of the services, or of the cache and the built-in samples if gifplay is offline.
    static func randomFeed(_ session: ServiceSession) throws(Failure) -> Playlist {
        let settings = session.settings
        guard settings.isOffline, settings.source == nil, session.cachedReferences.isEmpty else {
            let items = RandomFeed(
                try session.repository(), preferences: settings.preferences, health: session.health, reconnects: true)
            return Playlist(feed: items, health: session.health)
        }
        return Playlist(shuffling: Sample.all.map { .sample($0) })
    }
}
