import Application
import ArgumentParser
import Base
import Catalog
import GIFDecode
import Glibc
import Pixels
import Playback

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record a GIF as it looks in the terminal, as an asciicast or an animated SVG",
        discussion: """
            Records without waiting: the times come from the GIF. The file name of the output determines the format: \
            .cast is asciicast version 2 (asciinema), .svg an animated SVG. A query records the first result that plays. \
            Ctrl-C ends the recording, and writes what was recorded until then.
            """)

    @Argument(
        help: ArgumentHelp(
            "A file, a URL, '-' for standard input, or a query (default: a random GIF)", valueName: "argument"),
        completion: .file(extensions: ["gif"]))
    var arguments: [String] = []

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("Output file, or '-' for standard output", valueName: "path"), completion: .file())
    var output: String

    @Option(help: ArgumentHelp("Output format (default: from the ending of the file name)", valueName: "format"))
    var format: RecordingFormat?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Record this file even if its name looks like a URL or option", valueName: "path"),
        completion: .file(extensions: ["gif"]))
    var file: [String] = []

    @Option(help: .search)
    var search: String?

    @Option(
        help: ArgumentHelp("Record only the result with this number", valueName: "n"),
        transform: OptionValue.resultNumber)
    var pick: Int?

    @OptionGroup var recording: RecordOptions
    @OptionGroup(title: "Services") var services: ServiceOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions

    func validate() throws {
        try Self.validate(search: search, with: arguments + file)
        guard let format = chosenFormat else {
            throw ValidationError("\(output): the name does not end in .cast or .svg; rename it or use --format")
        }
        if format == .cast, recording.playback(.cast).loops == .forever, recording.duration == nil {
            throw ValidationError("--loop forever: an asciicast needs an end; add --duration")
        }
    }

    /// The format of the output; nil if it is neither given nor known from the file name.
    private var chosenFormat: RecordingFormat? { format ?? RecordingFormat(path: output) }

    private var size: CellSize { recording.playback(.svg).size ?? PlainOutput.defaultSize }

    func run() throws {
        let isLocal = PlaylistResolver.isLocal(arguments: arguments, files: file, search: search)
        var settings = try Settings(services, isForLocalItems: isLocal).services
        if let bytes = limits.maxBytes { settings.renditions.maximumBytes = bytes }
        settings.setPictureSize(width: size.columns, height: size.rows * 2)
        let session = ServiceSession(settings)
        defer { session.close() }
        let loader = GIFLoader(session)
        let showsDownload = !isLocal && !session.settings.isOffline
        let downloadProgress = showsDownload ? loader.reportProgress() : nil
        defer { withExtendedLifetime(downloadProgress) {} }
        let fetched = try fetch(loader, session)
        // With SIGPIPE ignored, a write to a closed pipe fails with EPIPE.
        signal(SIGPIPE, SIG_IGN)
        let writer = try RecordingWriter(output, of: fetched.item)
        let progress = RecordingProgress(of: fetched, isShown: output != "-" && isatty(STDERR_FILENO) == 1)
        do throws(GIFError) {
            defer { progress.hide() }
            try record(fetched, to: writer, progress)
        } catch {
            if let signal = progress.signal {
                throw CommandError("interrupted; nothing is recorded", status: .signal(signal))
            }
            let cause = fetched.downloadFailure.map(ErrorMessages.describe) ?? ErrorMessages.describe(error)
            throw CommandError("\(fetched.item.name): \(cause)")
        }
        if let early = progress.earlyEnd(of: output) {
            try writer.finish()
            throw early
        }
        // Wait until the download ends, so that the file is cached.
        if let download = fetched.download { _ = BackgroundValue { await download.waitForEnd() }.wait() }
        if let failure = fetched.downloadFailure {
            throw CommandError("\(fetched.item.name): \(ErrorMessages.describe(failure)); nothing is recorded")
        }
        try writer.finish()
    }

    func fetch(_ loader: GIFLoader, _ session: ServiceSession) throws -> FetchedItem {
        let choice: ResultChoice = pick.map { .number($0) } ?? .first
        var (list, errors) = try PlaylistResolver(
            arguments: arguments, files: file, search: search, session: session, choice: choice
        ).playlist()
        if let error = errors.first { throw error }
        if pick != nil, !list.isOfResults { throw CommandError.usage("--pick: chooses among search results") }
        guard list.isEndless || list.isOfResults || list.count == 1 else {
            throw CommandError.usage("record: \(list.count) GIFs are named; record one at a time")
        }
        switch ItemFetch(loader).next(in: &list) {
        case .fetched(let fetched): return fetched
        case .failure(let message): throw CommandError(message)
        case .end: throw CommandError("nothing to record")
        }
    }

    private func record(
        _ fetched: FetchedItem, to writer: RecordingWriter, _ progress: RecordingProgress
    ) throws(GIFError) {
        let format = chosenFormat ?? .cast
        var options = recording.playback(format)
        // The terminal of the recording has the size of the picture.
        options.size = nil
        let reader = try fetched.reader(limits: limits.limits)
        let title = Self.title(of: fetched)
        let summary =
            switch format {
            case .cast:
                try Recording.writeCast(
                    reader, size: size, options: options, title: title, while: progress.mayContinue, to: writer.write)
            case .svg:
                try Recording.writeSVG(
                    reader, size: size, options: options, title: title, while: progress.mayContinue, to: writer.write)
            }
        progress.hide()
        guard fetched.downloadFailure == nil, progress.signal == nil,
            let remark = ErrorMessages.remark(on: summary.damage, frames: summary.frames)
        else { return }
        printError("\(fetched.item.name): \(remark)")
    }

    /// With the credit and the link that a source requires, but without the folder of a file, which is private.
    static func title(of fetched: FetchedItem) -> String {
        let label = fetched.label(in: .english)
        guard case .reference = fetched.item else { return label.title }
        return [label.title, label.credit, label.detail].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}

enum RecordingFormat: String, ExpressibleByArgument, CaseIterable {
    /// asciicast, version 2.
    case cast
    case svg

    /// By the ending of the file name; asciicast for standard output. Nil for other endings.
    init?(path: String) {
        guard path != "-" else {
            self = .cast
            return
        }
        guard let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last else { return nil }
        self.init(rawValue: ending.lowercased())
    }
}

struct RecordOptions: ParsableArguments {
    @Option(size: "Use at most this many columns and rows (default: 80x24)")
    var size: PlaybackChange?

    @Option(loop: "(default: 1 in a cast; in an SVG, that of the GIF)")
    var loop: PlaybackChange?

    @Option(duration: "Stop the recording after this time, such as 30s")
    var duration: PlaybackChange?

    @Option(speed: "", completions: ["0.5", "2"])
    var speed: PlaybackChange?

    @Option(background: "(default: the terminal's own; black in an SVG)")
    var background: PlaybackChange?

    @Option(help: .fidelity)
    var fidelity = Fidelity.standard

    @Flag(
        name: [.customShort("U"), .long], inversion: .prefixedNo, help: "Enlarge small GIFs (default: yes)")
    var upscale: Bool?

    @Flag(help: .pixelated)
    var pixelated = false

    func validate() throws {
        if playback(.svg).speed == .max { throw ValidationError("--speed max: a recording needs times; use a factor") }
    }

    func playback(_ format: RecordingFormat) -> PlaybackOptions {
        var settings = PlaybackSettings()
        if format == .cast { settings.player.loops = .times(1) }
        settings.apply([size, loop, duration, speed, background])
        settings.player.fit.filter = pixelated ? .pixelated : .smooth
        settings.player.fit.enlarges = upscale ?? true
        settings.player.fidelity = fidelity
        return settings.player
    }
}
