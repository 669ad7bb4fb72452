import Base
import Catalog
import Glibc
import Pixels
import Playback

/// Pictures that a terminal repeats by itself.
extension PlainOutput {
    /// Prints each GIF below the prompt, where the terminal repeats it by itself, or its last frame if it does not.
    /// - Parameter hasChosenMode: whether the command line says how to draw.
    mutating func leave(_ list: Playlist, hasChosenMode: Bool) throws {
        var traits: TerminalTraits
        do throws(Failure) { traits = try TerminalProbe(output: STDOUT_FILENO).traits } catch {
            throw error.of("the terminal cannot be used")
        }
        settings.writesAllFrames = true
        let (graphics, chosen) = (traits.graphics, settings.player.graphics)
        func mayUse(_ graphics: GraphicsProtocol) -> Bool {
            chosen == .only(graphics) || chosen == .auto || chosen == .off && !hasChosenMode
        }
        if mayUse(.kitty), graphics.repeatsFrames {
            settings.player.graphics = .forced(.kitty)
        } else if mayUse(.iterm2), graphics.playsFiles, graphics.transport != .tmux {
            settings.player.graphics = .forced(.iterm2)
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
