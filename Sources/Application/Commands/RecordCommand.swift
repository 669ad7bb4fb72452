import Base
import CTerminal
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

    private let arguments: [Argument]

    init(_ invocation: Invocation) throws(Failure) {
        self.invocation = invocation
        given = try Settings(given: invocation)
        arguments = invocation.operands.map(Argument.init)
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

    func run() throws(Failure) {
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
            defer { hideProgress() }
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
        if let failure = fetched.downloadFailure { throw failure.of(fetched.item.name).adding("nothing is recorded") }
        try writer.finish()
    }

    func fetch(_ loader: GIFLoader, _ session: ServiceSession) throws(Failure) -> FetchedItem {
        var (list, errors) = try PlaylistResolver(
            arguments: arguments, files: given.files, search: given.search, session: session, choice: given.choice
        ).playlist()
        if let error = errors.first { throw error }
        if given.pick != nil, !list.isOfResults { throw Failure.usage("--pick: chooses among search results") }
        guard list.isEndless || list.isOfResults || list.count == 1 else {
            throw Failure.usage("record: \(list.count) GIFs are named; record one at a time")
        }
        guard let fetched = try list.fetchNext(loader) else { throw Failure("nothing to record") }
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
        hideProgress()
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

/// Writes a recording as it grows. A file gets its name at the end.
final class RecordingWriter {
    private let path: String
    private let file: OutputFile
    private var failure: Failure?

    /// - Throws: also if the output is the file of the recorded item, which would destroy it.
    init(_ path: String, of item: GIFReference? = nil) throws(Failure) {
        self.path = path == "-" ? "standard output" : path
        let output = path == "-" ? FileIdentity(descriptor: STDOUT_FILENO) : FileIdentity(path: path)
        if let output, output.isRegular, output == item?.fileIdentity {
            throw .usage("\(self.path): is also the input; record to another file")
        }
        file = try Failure.about(path, "cannot be written") { () throws(Failure) in
            try path == "-" ? OutputFile(descriptor: STDOUT_FILENO) : OutputFile(path, isPrivate: false)
        }
    }

    /// - Returns: false if the recording must end.
    func write(_ part: [UInt8]) -> Bool {
        do throws(Failure) {
            try Failure.about(path, "cannot be written") { () throws(Failure) in try file.write(part) }
            return true
        } catch {
            failure = error
            return false
        }
    }

    func finish() throws(Failure) {
        if let failure { throw failure }
        try Failure.about(path, "cannot be written") { () throws(Failure) in try file.commit() }
    }
}

/// Reports on the terminal how much is recorded, and catches Ctrl-C, which ends the recording.
final class RecordingProgress {
    private let isShown: Bool
    private let download: Download?
    private var recorded = Instant(nanoseconds: 0)
    /// The time of the next report. A short recording has none.
    private var next = Instant.monotonic + Span.second

    /// Without a thread, Ctrl-C cannot end a wait for a download.
    init(of fetched: FetchedItem, isShown: Bool) {
        self.isShown = isShown
        download = fetched.download
        let event = gifplay_catch_interrupts()
        guard let download, event >= 0 else { return }
        _ = DetachedThread.start {
            var count: UInt64 = 0
            _ = read(event, &count, MemoryLayout.size(ofValue: count))
            download.cancel()
        }
    }

    /// The number of the signal that ends the recording; nil if there is none.
    var signal: Int32? { gifplay_caught_signal() == 0 ? nil : gifplay_caught_signal() }

    /// Such as `12.5 s`.
    var text: String { "\(Double(recorded.nanoseconds / (Span.second / 10)) / 10) s" }

    /// In bytes. The layers of an SVG are in memory until it is complete, because its first line depends on the last.
    static let memoryLimit = 256 << 20
    private(set) var isFull = false

    /// Why the recording is shorter than the GIF; nil if it is not.
    func earlyEnd(of output: String) -> Failure? {
        if let signal { return Failure.ended(by: signal, "interrupted; \(text) is in \(output)") }
        guard isFull else { return nil }
        return Failure(
            "\(output): ends after \(text), because an SVG is limited to \(ByteSize.limit(Self.memoryLimit)); "
                + "use --size or --duration, or record a .cast")
    }

    func mayContinue(at time: Instant, holding bytes: Int) -> Bool {
        recorded = time
        isFull = bytes > Self.memoryLimit
        // While the download runs, its own progress is shown.
        if isShown, download?.progress.state != .running, .monotonic >= next {
            next = .monotonic + Span.second / 2
            showProgress("recorded \(text); Ctrl-C ends the recording")
        }
        return signal == nil && !isFull
    }
}
