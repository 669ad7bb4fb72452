import Application
import Catalog
import Glibc

/// Words of the command line -> what they mean: files, standard input, or words to search.
struct WhatToPlay {
    /// `<what>` arguments, not yet told apart.
    var words: [String]
    /// `--file`
    var files: [String]
    /// `--search`
    var search: String?
    let online: Online
    let choice: ResultChoice

    /// - Throws: ``Complaint`` for what names nothing.
    func playlist() throws -> Playlist {
        if let search { return try found(search) }
        if words.isEmpty && files.isEmpty { return try random() }
        var items = try files.flatMap { try Self.items(at: $0) }
        let named = words.filter { Self.isNamed($0) }
        guard named.count == words.count else {
            // One argument that is no file makes them all words, so that quotes are not needed.
            if named.isEmpty && items.isEmpty { return try found(words.joined(separator: " ")) }
            let other = words.first { !Self.isNamed($0) } ?? ""
            throw Complaint("\(other): no such file; to search for words among files, say --search \"\(other)\"")
        }
        for word in named { items += try Self.items(at: word) }
        return Playlist(listed: items)
    }

    /// Whether an argument can only be a file, an address or standard input.
    private static func isNamed(_ word: String) -> Bool {
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

    private static func items(at name: String) throws -> [PlayItem] {
        if name == "-" {
            guard isatty(STDIN_FILENO) == 0 else {
                throw Complaint("standard input is the terminal; pipe a GIF into gifplay -, or name a file")
            }
            return [.standardInput]
        }
        if isAddress(name) {
            guard ["http", "https"].contains(name.prefix { $0 != ":" }.lowercased()) else {
                throw Complaint("\(AddressName.shown(name)): addresses begin with http:// or https://")
            }
            return [.address(name)]
        }
        var information = stat()
        guard stat(name, &information) == 0 else {
            throw Complaint("\(name): \(String(cString: strerror(errno)))")
        }
        guard information.st_mode & S_IFMT == S_IFDIR else { return [.file(name)] }
        let files = gifs(in: name)
        guard !files.isEmpty else { throw Complaint("\(name): no .gif file in this folder") }
        return files.map { .file($0) }
    }

    /// The folder's own GIFs, by name.
    private static func gifs(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.lowercased().hasSuffix(".gif"), !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted().map { folder.hasSuffix("/") ? folder + $0 : folder + "/" + $0 }
    }

    /// What words find: in the binary alone when offline, which takes no thread and no library.
    private func found(_ words: String) throws -> Playlist {
        let settings = online.settings
        guard settings.isOffline, settings.source == nil else {
            let query = SearchQuery(words, preferences: settings.preferences)
            let supply = SearchSupply(try online.repository(), query, log: online.failures)
            return Playlist(results: [], supply: supply, choice: choice)
        }
        let hits = SampleSearch().search(words)
        guard hits.isEmpty else { return Playlist(results: hits.map { .sample($0) }, choice: choice) }
        throw Complaint(Sentences.nothingFound(words))
    }

    private func random() throws -> Playlist {
        let settings = online.settings
        guard settings.isOffline, settings.source == nil, online.keptReferences.isEmpty else {
            return Playlist(feed: FeedSupply(try online.repository(), settings.preferences, log: online.failures))
        }
        return Playlist(shuffling: Sample.all.map { .sample($0) })
    }
}
