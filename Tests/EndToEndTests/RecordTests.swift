import Foundation
import Pixels
import TestServer
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct RecordTests {
    private static let box = CellSize(columns: 60, rows: 20)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path(name) }

    /// Records a sample with the fidelity `exact` and returns the bytes of the recording.
    private func record(_ sample: String, _ name: String, _ options: [String] = []) throws -> [UInt8] {
        let outcome = try runGifplay(
            ["record", Binary.sample(sample), "-o", path(name), "--size", "60x20", "--fidelity", "exact"] + options)
        #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
        return Array(try Data(contentsOf: folder.url.appendingPathComponent(name)))
    }

    /// Returns the start time of each frame of a sample and the length of a loop iteration, in seconds.
    private func schedule(_ sample: String) throws -> (starts: [Double], length: Double) {
        let reader = GIFReader(
            MemoryByteSource(try Binary.bytes(sample)))
        let frame = IndexedFrame()
        var starts: [Double] = []
        var time: Int64 = 0
        while try reader.next(into: frame) {
            starts.append(Double(time) / 1e9)
            time += frame.playNanoseconds
        }
        return (starts, Double(time) / 1e9)
    }

    // MARK: - asciicast

    private struct Cast {
        var size: CellSize
        var title: String
        var updates: [(time: Double, bytes: [UInt8])]

        init(_ bytes: [UInt8]) throws {
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { Data($0.utf8) }
            let header = try #require(try JSONSerialization.jsonObject(with: lines[0]) as? [String: Any])
            #expect(header["version"] as? Int == 2)
            size = CellSize(
                columns: try #require(header["width"] as? Int), rows: try #require(header["height"] as? Int))
            title = try #require(header["title"] as? String)
            updates = try lines.dropFirst().map { line in
                let parts = try #require(try JSONSerialization.jsonObject(with: line) as? [Any])
                #expect(parts.count == 3 && parts[1] as? String == "o")
                return (try #require(parts[0] as? Double), Array(try #require(parts[2] as? String).utf8))
            }
        }
    }

    @Test(
        "At the time of each frame, an asciicast shows the cells of that frame", arguments: ["campfire", "pixel-slime"])
    func castFrames(sample: String) throws {
        let cast = try Cast(try record(sample, "a.cast"))
        let (starts, length) = try schedule(sample)
        #expect(cast.title == "\(sample).gif" && cast.updates.last?.time == length)
        var screen = VirtualScreen(columns: cast.size.columns, rows: cast.size.rows)
        var updates = cast.updates[...]
        for (number, start) in starts.enumerated() {
            while let update = updates.first, update.time <= start {
                try screen.feed(update.bytes)
                updates.removeFirst()
            }
            guard number % 7 == 0 || number == starts.count - 1 else { continue }
            let expected = try ExpectedPicture(sample: sample, frame: number, box: Self.box)
            #expect(screen.halves(expected.cells) == expected.pixels, "frame \(number)")
        }
        #expect(screen.modes == ["?25l"])
        for update in updates { try screen.feed(update.bytes) }
        #expect(screen.modes == ["?25l", "?25h"])
    }

    @Test("'asciinema cat' and 'asciinema play' show the same cells as gifplay")
    func asciinema() throws {
        let cast = try Cast(try record("campfire", "a.cast"))
        let last = try schedule("campfire").starts.count - 1
        let expected = try ExpectedPicture(sample: "campfire", frame: last, box: Self.box)
        // 'asciinema cat' needs a terminal.
        let environment = ["ASCIINEMA_CONFIG_HOME": path("asciinema")]
        let printed = try PseudoTerminal(
            ["cat", path("a.cast")], environment: environment, answers: false, path: "/usr/bin/asciinema")
        #expect(try printed.finish() == 0, "\(printed.text)")
        var screen = VirtualScreen(columns: cast.size.columns, rows: cast.size.rows)
        try screen.feed(printed.output)
        #expect(screen.halves(expected.cells) == expected.pixels)

        let tmux = try Tmux(columns: 80, rows: 30)
        try tmux.shell("ASCIINEMA_CONFIG_HOME='\(path("asciinema"))' asciinema play -s 50 '\(path("a.cast"))'; read")
        try tmux.wait(for: "the last frame") {
            try tmux.screen(columns: 80, rows: 30).halves(expected.cells) == expected.pixels
        }
    }

    // MARK: - SVG

    @Test("At the time of each frame, an SVG shows the cells of that frame", arguments: ["campfire", "pixel-slime"])
    func svgFrames(sample: String) throws {
        let svg = try AnimatedSVG(try record(sample, "a.svg"))
        let (starts, length) = try schedule(sample)
        #expect(svg.title == "\(sample).gif" && svg.length == length && svg.repetitions == ["indefinite"])
        for (number, start) in starts.enumerated() where number % 7 == 0 || number == starts.count - 1 {
            let expected = try ExpectedPicture(sample: sample, frame: number, box: Self.box)
            let pixels = expected.pixels.prefix(expected.size.area).map { $0 == .terminalDefault ? .black : $0 }
            #expect(svg.size == expected.size && svg.pixels(at: start) == pixels, "frame \(number)")
        }
        #expect(svg.pixels(at: nil) == svg.pixels(at: 0))
    }

    @Test("'--loop' sets the number of repetitions of an SVG, and '--duration' shortens the animation")
    func svgLoops() throws {
        #expect(try AnimatedSVG(try record("pixel-slime", "a.svg", ["--loop", "3"])).repetitions == ["3"])
        #expect(try AnimatedSVG(try record("pixel-slime", "b.svg", ["--duration", "250ms"])).length == 0.25)
    }

    /// Whether librsvg is installed.
    private static let hasRenderer = FileManager.default.fileExists(
        atPath: "/usr/lib/x86_64-linux-gnu/librsvg-2.so.2")

    @Test(
        "librsvg, which does not animate, draws the cells of the first frame",
        .enabled(if: Self.hasRenderer, "librsvg2-2 is not installed"))
    func renderedSVG() throws {
        let expected = try ExpectedPicture(sample: "campfire", frame: 0, box: Self.box)
        _ = try record("campfire", "a.svg")
        let script = """
            import ctypes, sys
            cairo, rsvg = ctypes.CDLL("libcairo.so.2"), ctypes.CDLL("librsvg-2.so.2")
            for f in (cairo.cairo_image_surface_create, cairo.cairo_create, rsvg.rsvg_handle_new_from_file): f.restype = ctypes.c_void_p
            cairo.cairo_image_surface_get_data.restype = ctypes.c_void_p
            class Rectangle(ctypes.Structure): _fields_ = [(n, ctypes.c_double) for n in ("x", "y", "w", "h")]
            width, height = int(sys.argv[2]), int(sys.argv[3])
            surface = ctypes.c_void_p(cairo.cairo_image_surface_create(0, width * 8, height * 8))
            context = ctypes.c_void_p(cairo.cairo_create(surface))
            svg = ctypes.c_void_p(rsvg.rsvg_handle_new_from_file(sys.argv[1].encode(), None))
            assert rsvg.rsvg_handle_render_document(svg, context, ctypes.byref(Rectangle(0, 0, width * 8, height * 8)), None)
            cairo.cairo_surface_flush(surface)
            data = ctypes.string_at(cairo.cairo_image_surface_get_data(surface), width * height * 256)
            for y in range(height):
                for x in range(width):
                    at = ((y * 8 + 4) * width * 8 + x * 8 + 4) * 4
                    sys.stdout.buffer.write(bytes(reversed(data[at:at + 3])))
            """
        let outcome = try run(
            "/usr/bin/python3", ["-c", script, path("a.svg"), "\(expected.size.width)", "\(expected.size.height)"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let expectedBytes = expected.pixels.prefix(expected.size.area).flatMap { color -> [UInt8] in
            color == .terminalDefault ? [0, 0, 0] : [UInt8(color.red), UInt8(color.green), UInt8(color.blue)]
        }
        #expect(outcome.output == expectedBytes)
    }

    // MARK: - Sources and outputs

    @Test("A query, a URL and standard input can be recorded")
    func inputs() throws {
        let site = try FakeSite { _, _ in try .gif("pixel-slime") }
        let file = try Binary.bytes("pixel-slime")
        let options = ["-o", "-", "--size", "20x10"]
        let expected = try Cast(try runGifplay(["record", Binary.sample("pixel-slime")] + options).output)
        let url = try runGifplay(["record", site.base + "/pixel-slime.gif"] + options, environment: site.environment())
        let piped = try runGifplay(["record", "-"] + options, input: file)
        let query = try runGifplay(["record", "pixel", "slime"] + options)
        for (outcome, title) in [
            (url, "pixel-slime.gif"), (piped, "standard input"), (query, "Hopping slime (pixel art)"),
        ] {
            #expect(outcome.status == 0, "\(outcome.errors)")
            let cast = try Cast(outcome.output)
            #expect(cast.title == title && cast.updates.map(\.bytes) == expected.updates.map(\.bytes))
        }
    }

    @Test("A regular output file is replaced when the recording is complete; a pipe is written directly")
    func outputs() throws {
        let file = path("a.cast")
        try folder.write("old", to: "a.cast")
        try expectError(["record", "/nowhere.gif", "-o", file], "/nowhere.gif: No such file or directory")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
        try expectError(
            ["record", Binary.sample("pixel-slime"), "-o", "/nowhere/a.cast"],
            "/nowhere/a.cast: cannot be written: No such file or directory")
        let recorded = try record("pixel-slime", "a.cast")
        #expect(recorded.starts(with: Array("{\"version\": 2".utf8)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.cast"])
        let piped = try run(
            "/bin/bash",
            [
                "-c",
                "mkfifo '\(path("p.cast"))'; cat '\(path("p.cast"))' & '\(Binary.path)' record --size 60x20 --fidelity exact "
                    + "'\(Binary.sample("pixel-slime"))' -o '\(path("p.cast"))'; wait",
            ])
        #expect(piped.output == recorded && piped.errors.isEmpty, "\(piped.errors)")
        let svg = try runGifplay(["record", Binary.sample("pixel-slime"), "-o", "-", "--format", "svg"])
        #expect(svg.text.hasPrefix("<svg "))
    }

    // MARK: - Long recordings, interruptions and inputs

    @Test("A GIF whose frames have more pixels together than any limit for one frame is recorded to its end")
    func longGIF() throws {
        let file = try folder.write(GIFBuilder.long(frames: 20).bytes, to: "long.gif")
        let outcome = try runGifplay(["record", file, "-o", path("long.cast"), "--size", "8x4"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        let cast = try Cast(Array(try Data(contentsOf: folder.url.appendingPathComponent("long.cast"))))
        #expect(cast.updates.last?.time == 2)
        let output = Data(try runGifplay(["info", file]).output)
        let info = try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any])
        let delays = info["delays_ms"] as? [Int] ?? []
        let left = info["left_out"] as? [String] ?? []
        #expect(info["frames"] as? Int == 20 && delays == Array(repeating: 100, count: 20))
        #expect(left.count == 1 && left.first?.hasPrefix("frames 4 to 19 are counted, not decoded: ") == true)
        #expect(left.first?.hasSuffix("; --max-total-pixels raises the limit") == true)
        #expect((info["damaged"] as? [String]) == [])
    }

    @Test("A recording shows its progress on a terminal; Ctrl-C ends it and writes what was recorded")
    func interrupted() throws {
        try folder.write("old", to: "a.cast")
        chmod(path("a.cast"), 0o600)
        let terminal = try PseudoTerminal([
            "record", Binary.sample("campfire"), "-o", path("a.cast"), "--loop", "forever", "--duration", "1000h",
        ])
        try terminal.read(until: " s; Ctrl-C ends the recording")
        #expect(terminal.text.contains("\rgifplay: recorded "))
        #expect(try String(contentsOfFile: path("a.cast"), encoding: .utf8) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.cast"])
        // The second one comes too soon to be another request.
        kill(terminal.process, SIGINT)
        kill(terminal.process, SIGTERM)
        #expect([130, 143].contains(try terminal.finish()))
        #expect(terminal.text.contains("gifplay: interrupted; "))
        #expect(terminal.text.contains(" s is in \(path("a.cast"))"))
        let cast = try Cast(Array(try Data(contentsOf: folder.url.appendingPathComponent("a.cast"))))
        #expect(cast.updates.count > 10 && cast.updates.last?.bytes == Array("\u{1B}[0m\u{1B}[?25h".utf8))
        var status = stat()
        #expect(stat(path("a.cast"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("Ctrl-C ends a recording that waits for standard input, and writes the frames that have arrived")
    func interruptedWait() throws {
        let fifo = path("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        let writer = open(fifo, O_RDWR | O_CLOEXEC)
        defer { close(writer) }
        // F_SETPIPE_SZ: the write below ends when the program has read all but the last page.
        #expect(fcntl(writer, 1031, 4096) == 4096)
        let gif = try Binary.bytes("campfire")
        let terminal = try PseudoTerminal(
            ["-c", "exec '\(Binary.path)' record - -o '\(path("a.svg"))' < '\(fifo)'"], path: "/bin/sh")
        #expect(write(writer, gif, gif.count - 1) == gif.count - 1)
        terminal.send("\u{3}")
        #expect(try terminal.finish() == 130, "\(terminal.text)")
        let whole = try AnimatedSVG(try record("campfire", "b.svg"))
        let svg = try AnimatedSVG(Array(try Data(contentsOf: folder.url.appendingPathComponent("a.svg"))))
        #expect(svg.length > 0 && svg.length <= whole.length)
    }

    @Test("A file that is also the output is not overwritten", arguments: ["record", "play", "stream"])
    func inputAsOutput(kind: String) throws {
        let gif = try Binary.bytes("pixel-slime")
        let file = try folder.write(gif, to: "a.gif")
        let commands = [
            "record": "record --format svg '\(file)' -o '\(file)'", "play": "--animate '\(file)' >> '\(file)'",
            "stream": "record - -o - < '\(file)' >> '\(file)'",
        ]
        let outcome = try run("/bin/sh", ["-c", "'\(Binary.path)' \(commands[kind] ?? "")"])
        #expect(outcome.status == (kind == "play" ? 1 : 2) && outcome.errors.contains(": is also the "), "\(outcome)")
        #expect(Array(try Data(contentsOf: URL(fileURLWithPath: file))) == gif)
    }
}
