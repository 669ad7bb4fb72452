import Application
import ArgumentParser
import Base
import Catalog
import Gallery
import Glibc
import Pixels

/// Runs the gallery, an animated grid of GIFs of the services or of files. With `--plain`, prints lines of text.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Browse GIFs in an animated gallery")

    @Argument(
        help: ArgumentHelp(
            "Files, folders, a link, or a query (default: trending GIFs, or random GIFs without a key)",
            valueName: "argument"),
        completion: .file(extensions: ["gif"]))
    var arguments: [String] = []

    @Flag(name: .shortAndLong, help: "Show the GIFs of subfolders too")
    var recursive = false

    @Option(help: .files0("Show"), completion: .file())
    var files0: String?

    @Option(help: .search)
    var search: String?

    @Flag(help: "Animate only the selected GIF; no random GIFs when idle")
    var reducedMotion = false

    @Option(mode: "mode")
    var mode: PlaybackChange?

    @Flag(help: "Print the results line by line, for screen readers and scripts")
    var plain = false

    @Option(
        name: .customLong("print"),
        help: ArgumentHelp(
            "Let the user choose a GIF, and print its 'url', its 'page', the path of its saved 'file', or 'markdown' "
                + "(default: url if the output is not a terminal)", valueName: "part"))
    var printed: PickedPart?

    @Option(help: .color)
    var color: ColorRule?

    @Option(colors: "depth")
    var colors: PlaybackChange?

    @Option(dither: "pattern")
    var dither: PlaybackChange?

    @OptionGroup(title: "Services") var services: ServiceOptions
    @OptionGroup(title: "Library") var history: HistoryOptions

    func validate() throws { try Self.validate(search: search, with: arguments + [files0].compactMap(\.self)) }

    /// Nil if the arguments are a query.
    private func fileGallery() throws -> FileGallery? {
        let list = [files0].compactMap(\.self)
        guard !(list + arguments).isEmpty, try PlaylistResolver.nameFiles(arguments, list) else {
            guard !recursive else { throw CommandError.usage("--recursive: no folder is named") }
            return nil
        }
        let names = try arguments.flatMap { name throws(CommandError) -> [String] in
            switch PlaylistResolver.address(of: name) {
            case nil: return [name]
            case .files(let paths)?: return paths
            case .unusable(let problem)?: throw .usage(problem)
            case .data?: throw .usage("browse: a data: URL has no page; 'gifplay' alone plays it")
            case .web?:
                guard arguments.count == 1, list.isEmpty else {
                    throw .usage("\(URLAuthority.displayText(name)): browse one link at a time, and no files beside it")
                }
                return []
            }
        }
        if names.isEmpty, !arguments.isEmpty { return nil }
        return try FileGallery(try list.flatMap { try FileList.names(in: $0) } + names, isRecursive: recursive)
    }

    func run() throws {
        try DescriptorLimit.check(for: "browse")
        let files = try fileGallery()
        defer { for error in files?.errors ?? [] { printError(error.message) } }
        var settings = try Settings(services, isForLocalItems: files != nil)
        settings.playback.apply([mode, colors, dither])
        settings.playback.colorRule = color ?? settings.playback.colorRule
        let session = ServiceSession(settings.services)
        defer { session.close() }
        let query = search ?? arguments.joined(separator: " ")
        let feed: Feed = query.isEmpty ? GallerySession.firstFeed(session.settings) : .search(query: query)
        let gallery = GallerySession(
            session: session, feed: files == nil ? feed : .files(matching: ""), files: files,
            mode: settings.playback.mode, colors: settings.playback.colors,
            keepsHistory: !history.noHistory, reducesMotion: reducedMotion,
            picker: printed ?? (isatty(STDOUT_FILENO) == 1 ? nil : .url), hasChosenMode: mode != nil)
        if plain { try gallery.printLines() } else { try show(gallery, settings.playback) }
        if files?.errors.isEmpty == false { throw CommandError("") }
    }

    private func show(_ gallery: GallerySession, _ playback: PlaybackSettings) throws {
        guard gallery.picker != nil || isatty(STDIN_FILENO) == 1 else { throw GallerySession.noTerminal }
        guard fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE != O_RDONLY else {
            throw CommandError("standard output cannot be written: \(SystemError.message(EBADF))")
        }
        try playback.throwIfColorIsRefused()
        try CommandError.throwIfTerminalIsDumb("print lines: gifplay browse --plain")
        let (end, loss, remarks) = try gallery.run()
        for message in [loss].compactMap(\.self) + remarks { printError(message) }
        switch end {
        case .picked(let reference, let path):
            let line = PickedText.line(gallery.picker ?? .url, of: reference, path: path)
            if let path {
                try Self.throwIfUnprintable(path)
                printExactLine(line)
            } else {
                printLine(line)
            }
            if loss != nil { throw CommandError("") }
        // As fzf does if the user has chosen nothing.
        case .quit where gallery.picker != nil: throw CommandError("", status: .signal(SIGINT))
        case .quit: if loss != nil { throw CommandError("") }
        case .interrupted(let signal): throw CommandError("", status: .signal(signal))
        case .closed: throw CommandError("", status: .signal(SIGHUP))
        }
    }
}

extension BrowseCommand {
    /// Another program gets the path as one line, so the line must be the exact name of a file.
    private static func throwIfUnprintable(_ path: String) throws {
        if path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw CommandError(
                "\(path): the name has a line break or a control character; rename the file to choose it")
        }
        if access(path, F_OK) != 0 { throw CommandError("\(path): \(SystemError.message(errno))") }
    }
}

extension PickedPart: ExpressibleByArgument {}

struct HistoryOptions: ParsableArguments {
    static let help: ArgumentHelp = "Store only favourites and dismissed GIFs"

    @Flag(help: HistoryOptions.help)
    var noHistory = false
}

/// The line that a picker prints for the picked GIF.
enum PickedText {
    /// - Parameter path: the path of the GIF's file on this machine; nil if it has none.
    static func line(_ part: PickedPart, of reference: GIFReference, path: String?) -> String {
        switch part {
        case .url: reference.text(copiedBy: .copyAddress) ?? ""
        case .page: reference.text(copiedBy: .copyLink) ?? ""
        case .file: path ?? ""
        case .markdown: markdown(reference)
        }
    }

    /// An image, and the credit that the source requires: author and licence, or the source's own mark.
    private static func markdown(_ reference: GIFReference) -> String {
        let image = "!" + link(reference.title, reference.text(copiedBy: .copyAddress))
        guard reference.path == nil else { return image }
        guard let licence = reference.licence else {
            let credit = reference.creditLine.credit
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
