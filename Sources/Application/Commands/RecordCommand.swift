import Base
import Catalog
import Glibc
import Pixels
import Playback

struct RecordCommand {
    let invocation: Invocation
    /// The settings of the command line alone.
    let given: Settings
    let output: String
    private let format: RecordingFormat

    private var arguments: [String] { invocation.operands }

    init(_ invocation: Invocation) throws(Failure) {
        self.invocation = invocation
        given = try Settings(given: invocation)
        guard let output = given.output else {
            throw .usage("--output <path>: missing; 'gifplay record --help' lists the options")
        }
        self.output = output
        try given.checkSearch(with: invocation.operands + given.files)
        guard let format = given.format.map(RecordingFormat.init(rawValue:)) ?? RecordingFormat(path: output) else {
            throw .usage("\(output): the name does not end in .cast or .svg; rename it or use --format")
        }
        self.format = format
        try check(given.player)
    }

    private func check(_ options: PlaybackOptions) throws(Failure) {
        if options.speed == .max { throw .usage("--speed max: a recording needs times; use a factor") }
        if format == .cast, options.loops == .forever, options.duration == nil {
            throw .usage("--loop forever: an asciicast needs an end; add --duration")
        }
    }

    static func options(_ settings: Settings, _ format: RecordingFormat) -> PlaybackOptions {
        var options = settings.player
        if format == .cast, options.loops == .file { options.loops = .times(1) }
        // The terminal of the recording has the size of the picture.
        options.size = nil
        return options
    }

    func run() throws {
        let needsNoService = PlaylistResolver.needsNoService(
            arguments: arguments, files: given.files, search: given.search)
        var settings = try Settings(invocation, isForLocalItems: needsNoService)
        try check(settings.player)
        let size = settings.player.size ?? PlainOutput.defaultSize
        settings.setPictureSize(width: size.columns, height: size.rows * 2)
        let session = ServiceSession(settings)
        defer { session.close() }
        let loader = GIFLoader(session)
        let showsDownload = !needsNoService && !session.settings.isOffline
        let downloadProgress = showsDownload ? loader.reportProgress() : nil
        defer { withExtendedLifetime(downloadProgress) {} }
        let fetched = try fetch(loader, session)
        let writer = try RecordingWriter(output, of: fetched.item)
        let progress = RecordingProgress(of: fetched, isShown: output != "-" && isatty(STDERR_FILENO) == 1)
        do throws(GIFError) {
            defer { progress.hide() }
            try record(fetched, settings, to: writer, progress)
        } catch {
            if let signal = progress.signal {
                throw Failure.ended(by: signal, "interrupted; nothing is recorded")
            }
            throw fetched.failure(for: error)
        }
        if let early = progress.earlyEnd(of: output) {
            try writer.finish()
            throw early
        }
        // Wait until the download ends, so that the file is cached.
        if let download = fetched.download { _ = BackgroundValue { await download.waitForEnd() }.wait() }
        if let failure = fetched.downloadFailure {
            throw failure.of(fetched.item.name).adding("nothing is recorded")
        }
        try writer.finish()
    }

    func fetch(_ loader: GIFLoader, _ session: ServiceSession) throws -> FetchedItem {
        var (list, errors) = try PlaylistResolver(
            arguments: arguments, files: given.files, search: given.search, session: session, choice: given.choice
        ).playlist()
        if let error = errors.first { throw error }
        if given.pick != nil, !list.isOfResults { throw Failure.usage("--pick: chooses among search results") }
        guard list.isEndless || list.isOfResults || list.count == 1 else {
            throw Failure.usage("record: \(list.count) GIFs are named; record one at a time")
        }
        guard let fetched = try ItemFetch(loader).next(in: &list) else { throw Failure("nothing to record") }
        return fetched
    }

    private func record(
        _ fetched: FetchedItem, _ settings: Settings, to writer: RecordingWriter, _ progress: RecordingProgress
    ) throws(GIFError) {
        let options = Self.options(settings, format)
        let size = settings.player.size ?? PlainOutput.defaultSize
        let reader = try fetched.reader(limits: settings.limits)
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
        guard fetched.item.origin == .source else { return label.title }
        return [label.title, label.credit, label.detail].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}

enum RecordingFormat: String, CaseIterable {
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
