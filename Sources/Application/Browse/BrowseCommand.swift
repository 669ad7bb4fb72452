import Base
import Catalog
import Gallery
import Glibc
import Library
import Pixels

/// Runs the gallery, an animated grid of GIFs of the services or of files. With `--plain`, prints lines of text.
struct BrowseCommand {
    let invocation: Invocation
    /// The settings of the command line alone.
    let given: Settings

    private let arguments: [Argument]

    init(_ invocation: Invocation) throws(Failure) {
        self.invocation = invocation
        given = try Settings(given: invocation)
        arguments = invocation.operands.map(Argument.init)
        try given.checkSearch(with: invocation.operands + [given.files0].compactMap(\.self))
        if given.isPlain, given.printedPart != nil { throw .usage("--print: cannot be combined with --plain") }
    }

    /// Nil if the arguments are a query.
    private func fileGallery() throws(Failure) -> FileGallery? {
        let list = [given.files0].compactMap(\.self)
        guard !list.isEmpty || !arguments.isEmpty, try PlaylistResolver.nameFiles(arguments, list) else {
            guard !given.isRecursive else { throw Failure.usage("--recursive: no folder is named") }
            guard given.sort == nil else { throw Failure.usage("--sort: no file or folder is named") }
            return nil
        }
        var names: [String] = []
        for argument in arguments {
            switch argument.address {
            case nil, .files?: names += argument.paths
            case .unusable(let problem)?: throw Failure(problem)
            case .data?: throw .usage("browse: a data: URL has no page; 'gifplay' alone plays it")
            case .web?:
                guard arguments.count == 1, list.isEmpty else {
                    throw .usage(
                        "\(WebAddress.displayText(argument.text)): browse one link at a time, and no files beside it")
                }
            }
        }
        if names.isEmpty, !arguments.isEmpty { return nil }
        var errors: [Failure] = []
        let listed = try FileList.names(in: given.files0, besides: arguments, &errors)
        return try FileGallery(listed + names, isRecursive: given.isRecursive, order: given.sort, errors: errors)
    }

    func run() throws(Failure) {
        try DescriptorLimit.check(for: "browse")
        let files = try fileGallery()
        defer { for error in files?.errors ?? [] { printError(error.message) } }
        let settings = try Settings(invocation, isForLocalItems: files != nil)
        let session = ServiceSession(settings)
        defer { session.close() }
        let query = given.search ?? invocation.operands.joined(separator: " ")
        let feed: Feed = query.isEmpty ? GallerySession.firstFeed(session.settings) : .search(query: query)
        let gallery = GallerySession(
            session: session, feed: files == nil ? feed : .files(matching: ""), files: files,
            picker: given.printedPart.flatMap(PickedPart.init(rawValue:))
                ?? (isatty(STDOUT_FILENO) == 1 ? nil : files == nil ? .url : .file),
            hasChosenMode: invocation.text(of: "mode") != nil)
        if given.isPlain { try gallery.printLines() } else { try show(gallery) }
        if files?.errors.isEmpty == false { throw Failure.reported }
    }

    private func show(_ gallery: GallerySession) throws(Failure) {
        guard gallery.picker != nil || isatty(STDIN_FILENO) == 1 else { throw GallerySession.noTerminal }
        guard fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE != O_RDONLY else {
            throw Failure("standard output cannot be written: \(Failure.systemMessage(EBADF))")
        }
        try gallery.session.settings.throwIfColorIsRefused()
        try Failure.throwIfTerminalIsDumb("print lines: gifplay browse --plain")
        let (end, losses, remarks) = try gallery.run()
        for message in losses.map(\.message) + remarks { printError(message) }
        switch end {
        case .picked(let picks):
            let problems = picks.compactMap { $0.path.flatMap(Self.problem) }
            for problem in problems { printError(problem) }
            for pick in picks where pick.path.flatMap(Self.problem) == nil {
                let line = PickedText.line(gallery.picker ?? .url, of: pick.reference, path: pick.path)
                if pick.path == nil { printLine(line) } else { printExactLine(line) }
            }
            if !losses.isEmpty || !problems.isEmpty { throw Failure.reported }
        // As fzf does if the user has chosen nothing.
        case .quit where gallery.picker != nil: throw Failure.ended(by: SIGINT)
        case .quit: if !losses.isEmpty { throw Failure.reported }
        case .interrupted(let signal): throw Failure.ended(by: signal)
        case .closed: throw Failure.ended(by: SIGHUP)
        }
    }

    /// Another program gets the path as one line, so the line must be the exact name of a file.
    private static func problem(_ path: String) -> String? {
        if path.hasControlCharacter {
            return "\(path): the name has a line break or a control character; rename the file to choose it"
        }
        return access(path.systemPath, F_OK) == 0 ? nil : "\(path): \(Failure.systemMessage(errno))"
    }
}

/// The line that a picker prints for the picked GIF.
enum PickedText {
    /// - Parameter path: the path of the GIF's file on this machine; nil if it has none.
    static func line(_ part: PickedPart, of reference: GIFReference, path: String?) -> String {
        // A file has no other address, and a built-in GIF only that of its saved copy.
        let isFile = reference.isBuiltIn || reference.path != nil
        let copy = isFile ? path.flatMap(Clipboard.fileURL) : nil
        return switch part {
        case .url: copy ?? reference.text(copiedBy: .copyAddress) ?? ""
        case .page: copy ?? reference.text(copiedBy: .copyLink) ?? ""
        case .file: path ?? ""
        case .markdown: markdown(reference, copy)
        }
    }

    /// An image, and the credit that the source requires: author and licence, or the source's own mark.
    private static func markdown(_ reference: GIFReference, _ copy: String?) -> String {
        let image = "!" + link(reference.title, copy ?? reference.text(copiedBy: .copyAddress))
        guard reference.path == nil else { return image }
        guard let licence = reference.licence else {
            let credit = reference.credit
            return credit.isEmpty ? image : "\(image) \(link(credit, reference.pageURL))"
        }
        let parts = [
            link(reference.title, reference.pageURL), reference.author.map { escaped($0) } ?? "",
            link(licence, reference.licenceURL),
        ]
        return "\(image) \(parts.filter { !$0.isEmpty }.joined(separator: ", "))"
    }

    private static func link(_ text: String, _ address: String?) -> String {
        guard let address else { return escaped(text) }
        // In angle brackets, an address can contain spaces and brackets.
        let target = address.contains { " ()<>\\".contains($0) } ? "<" + escaped(address, "<>\\") + ">" : address
        return "[\(escaped(text))](\(target))"
    }

    private static func escaped(_ text: String, _ special: String = "\\`*_[]<>") -> String {
        SafeText.line(text).map { special.contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}

/// Prints the pages of a feed as lines of text, for screen readers and scripts (`--plain`).
struct PlainBrowse {
    /// A feed can be endless.
    private static let pages = 3

    let listings: ServiceListings
    let listing: PlainListing
    var write: (String) -> Void = printLine

    /// Throws if the feed is empty.
    func print(_ feed: Feed) throws(Failure) {
        var page: PageToken?
        var (count, total) = (0, Int?.none)
        for number in 1...Self.pages {
            let found = try runBlocking { [listings, page] () async throws(Failure) in
                try await listings.page(of: feed, after: page)
            }
            if number == 1 {
                out(listing.heading(of: feed, found))
                total = found.total
            }
            out(listing.lines(of: found.items, from: count + 1, at: time(nil)))
            count += found.items.count
            page = found.next
            if page == nil { break }
        }
        // The heading already contains the total.
        if page != nil || count != total { out(listing.ending(count: count, hasMore: page != nil)) }
        guard count == 0 else { return }
        if case .search(let query) = feed { throw ErrorMessages.nothingFound(query) }
        throw Failure.reported
    }

    private func out(_ lines: [String]) { for line in lines { write(line) } }
}

/// The gallery as plain text: lines that are printed one after the other and never redrawn.
struct PlainListing: Equatable, Sendable {
    var language = Language.english
    /// The display names of the sources. Each key is the `GIFRepository.name` of a source.
    var sourceTitles: [String: String] = [:]

    private func title(ofSource name: String) -> String { sourceTitles[name] ?? name }

    /// Returns the heading: the name of the feed and, if known, the total number of GIFs.
    /// - Parameter page: the first page of the listing.
    func heading(of feed: Feed, _ page: ResultPage) -> [String] {
        let name = language.name(of: feed, title: title)
        return [name + (page.total.map { ": " + listed($0) } ?? "")]
    }

    /// Returns the lines for these GIFs, numbered from `number`. Ages are relative to `seconds`, the current time in
    /// seconds since 1970.
    func lines(of items: [GIFReference], from number: Int, at seconds: Int) -> [String] {
        items.enumerated().flatMap { entry($0.element, number + $0.offset, seconds) }
    }

    /// Returns the last line: the number of listed GIFs and whether there are more.
    func ending(count: Int, hasMore: Bool) -> [String] {
        [listed(count) + (hasMore ? language(en: "; more available", de: "; weitere vorhanden") : "")]
    }

    private func listed(_ count: Int) -> String {
        "\(count) GIF\(count.ending("s"))"
    }

    private func entry(_ reference: GIFReference, _ number: Int, _ seconds: Int) -> [String] {
        let title = SafeText.line(reference.title)
        let details = language.details(of: reference, source: self.title(ofSource: reference.provider), at: seconds)
        let link = SafeText.line(reference.pageURL ?? "")
        // The details and the link already contain the credit that a licence requires.
        let credit = reference.licence == nil ? SafeText.line(reference.credit) : ""
        var lines = ["\(number). \(title.isEmpty ? language.untitled : title)"]
        lines.append("   " + details.joined(separator: ", "))
        if !link.isEmpty { lines.append("   " + link) }
        if !credit.isEmpty { lines.append("   " + credit) }
        return lines
    }
}

extension Language {
    /// Returns author, source, community and licence of a GIF and its facts, as far as they are known.
    /// - Parameters:
    ///   - source: the display name of the source.
    ///   - seconds: the current time in seconds since 1970.
    func details(of reference: GIFReference, source: String, at seconds: Int) -> [String] {
        let author = SafeText.line(reference.author ?? "")
        let origin: [String?] = [
            author.isEmpty ? nil : self(en: "by \(author)", de: "von \(author)"), SafeText.line(source),
            reference.community.map { SafeText.line($0) }, reference.licence.map { SafeText.line($0) },
        ]
        return origin.compactMap(\.self).filter { !$0.isEmpty } + facts(of: reference, at: seconds)
    }
}
