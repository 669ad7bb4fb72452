import Base
import Catalog
import Glibc
import Pixels
import Playback

struct TerminalChecks {
    let environment: [String: String]

    var findings: [Finding] {
        let probe = probe
        return [terminalType] + device(probe) + [encoding] + characters + [colors(try? probe?.get())]
    }

    private func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    var terminalType: Finding {
        let advice = "set TERM to the type of your terminal"
        guard let type = value("TERM") else { return Finding("terminal type", "TERM is not set", .warning, advice) }
        if type == "dumb" { return Finding("terminal type", "TERM is dumb", .error, advice) }
        let program = value("TERM_PROGRAM").map { ", \($0)" } ?? ""
        let multiplexer = value("TMUX") != nil ? ", in tmux" : value("STY") != nil ? ", in screen" : ""
        return Finding("terminal type", "\(type) (TERM)\(program)\(multiplexer)")
    }

    // MARK: - Properties that the terminal reports

    /// Nil if neither standard output nor standard error is a terminal.
    private var probe: Result<TerminalProbe, Failure>? {
        guard let output = [STDOUT_FILENO, STDERR_FILENO].first(where: { isatty($0) == 1 }) else { return nil }
        return Result { () throws(Failure) in try TerminalProbe(output: output) }
    }

    private func device(_ probe: Result<TerminalProbe, Failure>?) -> [Finding] {
        switch probe {
        case nil:
            let text = "not checked, because standard output is not a terminal"
            return [Finding("terminal size", text, .warning, "run 'gifplay doctor' in the terminal")]
        case .success(let probe)?: return Self.replies(probe)
        case .failure(let error)?:
            return [Finding("terminal size", "the terminal cannot be used: \(error.message)", .error)]
        }
    }

    private static func replies(_ probe: TerminalProbe) -> [Finding] {
        let traits = probe.traits
        let size = "\(traits.size.columns)x\(traits.size.rows) cells"
        let assumed = "\(size), assumed, because the terminal does not report its size"
        let aspect = (traits.cellAspect * 100).rounded() / 100
        let origin = probe.reportsPixels ? "from the size in pixels" : "assumed; the terminal reports no size in pixels"
        let findings = [
            probe.reportsCells
                ? Finding("terminal size", size)
                : Finding("terminal size", assumed, .warning, "set COLUMNS and LINES"),
            Finding("cell aspect", "\(aspect) (\(origin))"),
        ]
        let subject = "terminal replies"
        guard probe.sendsQueries else {
            return findings + [Finding(subject, "not queried, because of the terminal type")]
        }
        guard let time = probe.replyTime else {
            let text = "none within 5 s; frames can be late on a slow connection"
            return findings + [Finding(subject, text, .warning, "use '--fidelity low' if playback lags")]
        }
        let background = traits.background.map { color in
            "#" + [color.red, color.green, color.blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        let synchronized = probe.synchronizesUpdates ?? false
        return findings + [
            Finding(subject, "after \(time / Span.millisecond) ms (DA1)"),
            Finding("background", background.map { "\($0) (OSC 11)" } ?? "not reported; black is assumed"),
            Finding("synchronized updates", synchronized ? "supported (mode 2026)" : "not supported; frames can tear"),
            graphics(traits.graphics),
        ]
    }

    static func graphics(_ graphics: TerminalGraphics) -> Finding {
        let memory =
            (graphics.transport == .sharedMemory ? ", through shared memory" : "")
            + (graphics.features.storesFrames ? ", repeats loops" : "")
        let loops = graphics.playsFiles ? ", repeats loops" : ""
        let origins: [GraphicsProtocol: String] =
            graphics.transport == .tmux
            ? [.kitty: "through tmux", .iterm2: "through tmux", .sixel: "DA1 of tmux"]
            : [.kitty: "reply to a test image\(memory)", .iterm2: "known of this terminal\(loops)", .sixel: "DA1"]
        let protocols = GraphicsProtocol.allCases.filter(graphics.supported.contains)
        let blocked = GraphicsProtocol.allCases.filter(graphics.blocked.contains).map(\.rawValue)
        let subject = "pixel graphics"
        guard protocols.isEmpty else {
            let cell = graphics.cell.map { "\($0.width)x\($0.height) pixels" } ?? "size not reported"
            let names = protocols.map { "\($0.rawValue) (\(origins[$0] ?? ""))" }.joined(separator: ", ")
            return Finding(subject, "\(names); cell: \(cell)", .ok, "use --mode auto")
        }
        guard !blocked.isEmpty else { return Finding(subject, "none reported; --mode auto draws half-blocks") }
        let text = "tmux does not pass on \(blocked.joined(separator: " or "))"
        return Finding(subject, text, .warning, "tmux set -g allow-passthrough on")
    }

    /// Characters of each mode, so that the user sees whether the font has them.
    private var characters: [Finding] {
        guard isatty(STDOUT_FILENO) == 1, encoding.status == .ok else { return [] }
        let samples = [("half", "▀▄█"), ("quadrant", "▖▗▘▝▚▞▙▟"), ("sextant", "🬀🬃🬏🬗🬤🬦🬳🬻"), ("octant", "𜴀𜴈𜴖𜴪𜵆𜵫𜶎𜷤")]
        return samples.map { Finding("characters", "\($0.1)  --mode \($0.0), if the font has these") }
    }

    /// Draws a built-in sample below the findings.
    func drawTestPicture() throws(Failure) {
        guard isatty(STDOUT_FILENO) == 1, var traits = try? probe?.get().traits else {
            throw Failure("--picture: standard output is not a terminal")
        }
        // This process may end before the terminal reads shared memory.
        if traits.graphics.transport == .sharedMemory { traits.graphics.transport = .direct }
        var options = PlaybackOptions()
        (options.screen, options.drawing.graphics, options.showsStatus) = (.inline, .auto, false)
        options.size = CellSize(columns: 40, rows: 12)
        // The first frame.
        options.duration = 1
        do throws(GIFError) {
            let sample = FetchedItem(.sample(Sample.all[0]))
            let terminal = VirtualTerminal(traits: traits)
            let player = Player(
                source: DirectFrameSource(try sample.reader(limits: DecodeLimits())), terminal: terminal,
                options: options, label: PlaybackLabel(title: ""))
            if case .failed(let error) = player.run() { throw error }
            fflush(nil)
            try? FileSystem.writeAll(terminal.presented.flatMap(\.bytes), to: STDOUT_FILENO)
        } catch {
            throw Failure(error).of("--picture")
        }
    }

    // MARK: - Environment

    var encoding: Finding {
        let advice = "set LANG, such as C.UTF-8"
        let variable = ["LC_ALL", "LC_CTYPE", "LANG"].first { value($0) != nil }
        guard let variable, let locale = value(variable) else {
            return Finding("encoding", "no locale is set; gifplay assumes UTF-8", .warning, advice)
        }
        guard !locale.lowercased().replacing("-", with: "").hasSuffix("utf8") else {
            return Finding("encoding", "UTF-8 (\(variable))")
        }
        let text = "\(variable) is \(locale), which is not UTF-8; pictures consist of spaces"
        return Finding("encoding", text, .warning, advice)
    }

    func colors(_ probe: TerminalProbe?) -> Finding {
        if value("NO_COLOR") != nil {
            return Finding("colours", "NO_COLOR is set, so gifplay does not draw", .warning, Failure.colorHint)
        }
        let declared = TerminalProbe.declaredColors(environment: environment)
        let depth = probe?.traits.colors.depth ?? declared
        let isVariable = depth == .direct && ["truecolor", "24bit"].contains(value("COLORTERM") ?? "")
        let origin = depth != declared ? "reported by the terminal" : isVariable ? "COLORTERM" : "TERM and terminfo"
        let names: [ColorDepth: String] = [
            .direct: "24-bit", .indexed: "256", .sixteen: "16", .eight: "8", .none: "none",
        ]
        return Finding("colours", "\(names[depth] ?? "") (\(origin))")
    }
}
