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
    func write(_ list: Playlist) throws(Failure) {
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
    func trace(_ list: Playlist, printLine: @escaping (String) -> Void = Application.printLine) throws(Failure) {
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

/// Pictures that a terminal repeats by itself.
extension PlainOutput {
    /// Prints each GIF below the prompt, where the terminal repeats it by itself, or its last frame if it does not.
    /// - Parameter hasChosenMode: whether the command line says how to draw.
    mutating func leave(_ list: Playlist, hasChosenMode: Bool) throws(Failure) {
        var traits: TerminalTraits
        do throws(Failure) { traits = try TerminalProbe(output: STDOUT_FILENO).traits } catch {
            throw error.of("the terminal cannot be used")
        }
        settings.writesAllFrames = true
        let (graphics, chosen) = (traits.graphics, settings.player.drawing.graphics)
        func mayUse(_ graphics: GraphicsProtocol) -> Bool {
            chosen == .only(graphics) || chosen == .auto || chosen == .off && !hasChosenMode
        }
        if mayUse(.kitty), graphics.repeatsFrames {
            settings.player.drawing.graphics = .forced(.kitty)
        } else if mayUse(.iterm2), graphics.playsFiles, graphics.transport != .tmux {
            settings.player.drawing.graphics = .forced(.iterm2)
        } else if chosen != .forced(.kitty), chosen != .forced(.iterm2) {
            settings.writesAllFrames = false
        }
        traits.size.rows = max(1, traits.size.rows - 1)
        traits.colors = settings.colors.format(
            depth: traits.colors.depth, hasHalfBlocks: traits.colors.hasHalfBlocks)
        terminal = traits
        try write(list)
    }

    /// Returns an item with its bytes if they are needed whole, or twice.
    func loaded(_ fetched: FetchedItem, _ mode: PictureMode) -> FetchedItem {
        var (fetched, path) = (fetched, "-")
        switch (fetched.item.origin, mode) {
        case (.standardInput, _): break
        case (.file(let name), .iterm2): path = name
        case (.file(let name), _) where fetched.item.fileIdentity?.isRegular == false: path = name
        default: return fetched
        }
        // The reader reports an error.
        guard let bytes = try? FileSystem.read(path, limit: min(settings.limits.bytes, 128 << 20)) else {
            return fetched
        }
        fetched.content = bytes
        return fetched
    }

    /// Whether a program between gifplay and the terminal draws the screen. An image at the cursor would stay on it.
    static var isInOtherProgram: Bool { getenv("TMUX") != nil || getenv("FZF_PREVIEW_LINES") != nil }

    /// Prints an image with all frames, which the terminal repeats by itself.
    func writeImage(
        _ reader: GIFReader, _ fetched: FetchedItem, _ traits: TerminalTraits, _ options: PlaybackOptions,
        on output: PipeTerminal
    ) throws(GIFError) {
        var image = RepeatingImage(number: fetched.imageNumber(in: traits.size, hasPalette: colors.depth == .indexed))
        image.isVirtual = uploads != nil || Self.isInOtherProgram
        image.isInTmux = getenv("TMUX") != nil
        image.isStill = !isRepeated
        let excess = try image.write(reader, for: traits, options: options) { part, bytes in
            (part == .image ? uploads?.terminal ?? output : output).write(bytes)
        }
        report(reader.summary.damage, frames: reader.summary.frames, of: fetched)
        guard let excess else { return }
        printError("\(fetched.item.name): only the first \(excess) frames, because terminals keep no more of this size")
    }

    /// Prints the GIF file itself, or as many frames as a terminal accepts.
    func writeFile(
        _ reader: GIFReader, _ fetched: FetchedItem, _ traits: TerminalTraits, _ options: PlaybackOptions,
        on output: PipeTerminal
    ) throws(GIFError) {
        let frame = IndexedFrame()
        guard try reader.next(into: frame) else { throw .noImage(reader.summary.damage) }
        while try reader.next(into: frame) {}
        report(reader.summary.damage, frames: reader.summary.frames, of: fetched)
        let limit = ITerm2Encoder.largestFile
        guard let file = fetched.bytes(limit: settings.limits.bytes), let copy = GIFCopy.cut(file, limit: limit) else {
            return printError("\(fetched.item.name): its first frame is too large for an image of iTerm2")
        }
        if copy.count < file.count {
            printError("\(fetched.item.name): only the first frames, because images of iTerm2 have at most 1 MiB")
        }
        var bytes = ByteBuffer()
        ITerm2Encoder.appendLine(copy, RepeatingFit(canvas: frame.canvas, traits, options).cells, into: &bytes)
        output.write(bytes.bytes)
    }
}

/// Another terminal that gets the images.
struct TerminalUpload {
    let terminal: PipeTerminal
    /// The size of standard output, which shows the cells of the images; nil if it is no terminal.
    let paneSize: CellSize?

    init(_ path: String) throws(Failure) {
        // Without O_NONBLOCK, this call would wait for the reader of a FIFO.
        let descriptor = open(path.systemPath, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 || errno == ENXIO else {
            throw Failure("--upload \(path): \(Failure.systemMessage())")
        }
        guard isatty(descriptor) == 1 else { throw Failure("--upload \(path): not a terminal") }
        _ = fcntl(descriptor, F_SETFL, 0)
        terminal = PipeTerminal(descriptor: descriptor, traits: TerminalTraits(size: PlainOutput.defaultSize))
        var window = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0 && window.ws_row > 1
        paneSize = isKnown ? CellSize(columns: Int(window.ws_col), rows: Int(window.ws_row) - 1) : nil
    }
}

extension PictureMode {
    /// Whether a terminal can repeat an animation in this mode by itself.
    var isRepeatable: Bool {
        switch self {
        case .kitty, .iterm2: true
        case .half, .subcells, .sixel: false
        }
    }
}

extension FetchedItem {
    /// The number of the item's image: the same each time, so that a terminal keeps one image for each GIF and size. An
    /// image with the same number would replace one of another size in the cells that show it.
    /// - Parameters:
    ///   - size: the cells that the image may fill.
    ///   - hasPalette: whether the number must be one of the 256 colours of a palette. Otherwise, it is not a
    ///   number of the player, whose numbers have 24 bits.
    func imageNumber(in size: CellSize, hasPalette: Bool) -> Int {
        let name: [UInt8] =
            switch (item.origin, content) {
            case (.standardInput, let bytes?), (.file, let bytes?): bytes
            case (.standardInput, _): [UInt8]()
            case (.file(let path), _): (FileSystem.realPath(path) ?? path).pathBytes
            case (.sample(let sample), _): Array(sample.name.utf8)
            case (.address(let url), _): Array(url.utf8)
            case (.data(let bytes), _): bytes
            case (.source, _): Array("\(item.provider) \(item.id)".utf8)
            }
        let key = name + Array("\(size.columns)x\(size.rows)".utf8)
        let hash = key.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return hasPalette ? 1 + Int(hash % 255) : 256 + Int(hash % (0x7F_FFFF - 256))
    }
}
