import Base
import Catalog
import Glibc
import Pixels
import Playback

/// Prints a still, all frames, or the frame schedule, if standard output is no terminal, and for `--virtual-time`.
struct PlainOutput {
    /// Without `--size`.
    static let defaultSize = CellSize(columns: 80, rows: 24)

    var settings: Settings
    let loader: GIFLoader
    /// The terminal that gets the images, whose cells are written to standard output; nil if there is none.
    var uploads: TerminalUpload?
    /// The terminal of standard output, on which the picture stays; nil for a file or a pipe.
    var terminal: TerminalTraits?

    /// The colours of the terminal for which the output is intended.
    var colors: ColorFormat { settings.colors.format() }
    private var size: CellSize { settings.player.size ?? terminal?.size ?? uploads?.paneSize ?? Self.defaultSize }
    var isRepeated: Bool { settings.writesAllFrames || uploads != nil }
    private var writesAllFrames: Bool { settings.writesAllFrames && terminal == nil }

    /// Prints a still of each GIF, or all frames with `--animate`.
    func write(_ list: Playlist) throws {
        let height = writesAllFrames ? size.rows + 1 : size.rows
        let paneSize = CellSize(columns: size.columns, rows: height)
        var traits = terminal
        traits?.size = size
        let output = traits.map { PipeTerminal(traits: $0) } ?? PipeTerminal(size: paneSize, colors: colors)
        if writesAllFrames, uploads == nil, !mode(output.traits).isRepeatable {
            printError("all frames follow at once, because only --mode kitty and iterm2 repeat in a terminal")
        }
        var list = list
        var failed = false
        // Local items need no progress report, so they need no thread.
        let progress = list.needsNoDownload ? nil : loader.reportProgress()
        defer { withExtendedLifetime(progress, hideProgress) }
        while true {
            do throws(Failure) {
                guard let fetched = try list.fetchNext(loader) else { break }
                do throws(GIFError) { guard try write(fetched, on: output) else { break } } catch {
                    throw fetched.failure(for: error)
                }
            } catch {
                failed = true
                printError(error.message)
            }
            if list.isEndless || list.isOfResults { break }
        }
        if let failure = output.failure {
            throw Failure("standard output cannot be written: \(Failure.systemMessage(failure))")
        }
        if failed { throw Failure.reported }
    }

    func mode(_ traits: TerminalTraits) -> PictureMode {
        PictureMode(settings.player, traits, pane: size).adapted(to: traits.colors)
    }

    /// - Returns: false if the reader has closed standard output.
    private func write(_ fetched: FetchedItem, on output: PipeTerminal) throws(GIFError) -> Bool {
        var (playback, traits) = (settings.player, output.traits)
        (playback.size, traits.size) = (size, size)
        let mode = mode(traits)
        let fetched = isRepeated ? try fetched.item.withPipeNotice { loaded(fetched, mode) } : fetched
        let reader = try fetched.reader(
            limits: isRepeated || terminal != nil ? settings.limits : settings.limits.forStill)
        var bytes = ByteBuffer()
        switch mode {
        case .kitty where isRepeated || Self.isInOtherProgram:
            try writeImage(reader, fetched, traits, playback, on: output)
        case .iterm2 where isRepeated:
            try writeFile(reader, fetched, traits, playback, on: output)
        case _ where writesAllFrames:
            try animate(reader, playback, fetched, on: output)
        default:
            try fetched.item.withPipeNotice { () throws(GIFError) in
                try StillRenderer.render(reader, for: traits, options: playback, last: terminal != nil, into: &bytes)
            }
            report(reader.summary.damage, frames: reader.summary.frames, of: fetched)
            guard output.write(bytes.bytes) else { return false }
            // A still does not need the rest of a large file.
            if terminal == nil, fetched.download?.hasAllBytes == false { return true }
        }
        // Wait until the download ends, so that the file is cached.
        if let download = fetched.download { _ = BackgroundValue { await download.waitForEnd() }.wait() }
        // What has arrived stays, but is not the whole GIF.
        guard fetched.downloadFailure == nil else { throw .interrupted }
        return true
    }

    /// Prints nothing if the download failed, because that error is reported instead.
    func report(_ damage: [Damage], frames: Int, of fetched: FetchedItem) {
        guard fetched.downloadFailure == nil, let remark = ErrorMessages.remark(on: damage, frames: frames) else {
            return
        }
        printError("\(fetched.item.name): \(remark)")
    }

    /// Prints each frame over the previous one, without waiting. Plays one loop iteration unless `--loop` is given.
    private func animate(
        _ reader: GIFReader, _ options: PlaybackOptions, _ fetched: FetchedItem, on output: PipeTerminal
    ) throws(GIFError) {
        var options = options
        options.screen = .inline
        options.speed = .max
        options.showsStatus = false
        if options.loops == .file { options.loops = .times(1) }
        let player = Player(
            source: DirectFrameSource(reader), terminal: output, options: options, label: PlaybackLabel(title: ""))
        if case .failed(let error) = player.run() { throw error }
        report(player.damage, frames: player.frameCount ?? 0, of: fetched)
    }

    /// Prints the frame schedule in virtual time, without waiting.
    func trace(_ list: Playlist, printLine: @escaping (String) -> Void = Application.printLine) throws {
        var list = list
        guard let fetched = try list.fetchNext(loader) else { return }
        var playback = settings.player
        // In virtual time there are no waits, so an endless loop would print without end. Limit it to 60 s.
        if playback.duration == nil, playback.loops == .forever || playback.loops == .file {
            playback.duration = 60 * Span.second
        }
        do throws(GIFError) {
            let terminal = VirtualTerminal(traits: TerminalTraits(size: size, colors: colors), recordsUpdates: false)
            let player = Player(
                source: DirectFrameSource(try fetched.reader(limits: settings.limits)), terminal: terminal,
                options: playback,
                label: fetched.item.label(in: .english),
                trace: settings.printsTrace ? { printLine(TraceLine.text($0)) } : nil)
            if case .failed(let error) = player.run() { throw error }
        } catch {
            throw Failure(error).of(fetched.item.name)
        }
    }
}

extension GIFReference {
    /// Reports on standard error if a named pipe supplies nothing within a second.
    func withPipeNotice<Value>(_ body: () throws(GIFError) -> Value) throws(GIFError) -> Value {
        let isPipe = path != nil && fileIdentity?.isRegular == false
        let notice = isPipe ? LibraryAccess.waitNotice(name, until: "until a program has written to this pipe") : nil
        defer { withExtendedLifetime(notice) {} }
        return try body()
    }
}

extension Download {
    /// Waits until the file is stored, at most one second.
    func finishStoring() { GallerySession.wait(for: Task { _ = await waitForEnd() }, atMost: 1_000) }
}

extension GIFLoader {
    /// Waits until the GIF that has arrived last is stored, at most one second.
    func finishStoring() { if let download = latestDownload, download.hasAllBytes { download.finishStoring() } }

    /// Reports the current download on standard error until the returned object is deallocated: twice a second to a
    /// terminal, otherwise once, when the server has asked for a wait or has sent nothing for five seconds.
    func reportProgress() -> BackgroundValue<Void> {
        let isTerminal = isatty(STDERR_FILENO) == 1 && Environment.variables["TERM"] != "dumb"
        return BackgroundValue { [self] in
            var (silentTurns, isReported) = (0, false)
            while (try? await clock.wait(milliseconds: 500)) != nil {
                guard let download = latestDownload, download.progress.state == .running else { continue }
                silentTurns = download.progress.isStalled ? silentTurns + 1 : 0
                guard isTerminal || !isReported && (download.progress.wait != nil || silentTurns >= 10),
                    let note = DownloadNote.text(download, in: .english)
                else { continue }
                if isTerminal { showProgress(note) } else { printError(note) }
                isReported = true
            }
        }
    }
}

/// One line of `--trace`: time in seconds, loop iteration, frame, event.
enum TraceLine {
    static func text(_ trace: PlaybackTrace) -> String {
        switch trace {
        case .shown(let time, let iteration, let frame, let bytes, let isReplayed, let fidelity):
            let verb = isReplayed ? "replayed" : "shown"
            return "\(seconds(time)) iteration \(iteration) frame \(frame) \(verb) \(bytes) bytes ±\(fidelity.bound)"
        case .dropped(let time, let iteration, let frame):
            return "\(seconds(time)) iteration \(iteration) frame \(frame) dropped"
        case .ended(let time, let end): return "\(seconds(time)) ended: \(end)"
        }
    }

    private static func seconds(_ time: Instant) -> String {
        let microseconds = time.nanoseconds / 1000
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
