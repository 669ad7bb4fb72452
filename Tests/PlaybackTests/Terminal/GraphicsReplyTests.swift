import Base
import Pixels
import Testing

@testable import Playback

/// Tests the detection of pixel graphics against the replies of real terminals.
@Suite("Replies about pixel graphics")
struct GraphicsReplyTests {
    /// The replies of xterm 379 and kitty 0.26.5 were recorded under Xvfb. The reply of foot follows its documentation.
    private static let xterm340 =
        "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}[?2026;0$y\u{1B}[?1;0;256S\u{1B}[?2;0;800;450S"
        + "\u{1B}[?63;1;2;4;6;9;15;16;22;28c"
    private static let xterm =
        "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?2026;0$y\u{1B}[?1;3S\u{1B}[?2;3S"
        + "\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28c"
    private static let kitty =
        "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?2026;2$y\u{1B}[6;18;9t\u{1B}[4;396;639t\u{1B}_Gi=31;OK\u{1B}\\"
        + "\u{1B}_Gi=32;OK\u{1B}\\\u{1B}[?62;c"
    private static let foot =
        "\u{1B}]11;rgb:2424/2424/2424\u{1B}\\\u{1B}[?2026;2$y\u{1B}[6;20;10t\u{1B}[4;480;800t\u{1B}[?1;0;256S"
        + "\u{1B}[?2;0;800;480S\u{1B}[?62;4;22c"

    /// Returns the terminal traits that the replies in `text` report, and the number of inputs that are not replies.
    private func traits(_ text: String, pieces: Bool = false) -> (TerminalTraits, others: Int) {
        var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
        var others = 0
        var parser = InputParser()
        let inputs = pieces ? text.utf8.flatMap { parser.parse([$0]) } : parser.parse(text.utf8)
        for input in inputs {
            if case .reply(let reply) = input {
                traits = traits.updated(by: reply, to: TerminalQueries())
            } else {
                others += 1
            }
        }
        return (traits, others)
    }

    @Test("Each terminal reports its graphics, and no reply is mistaken for a key", arguments: [false, true])
    func terminals(pieces: Bool) {
        let expected: [(String, kitty: Bool, sixel: Bool, cell: PixelSize?, limit: PixelSize?)] = [
            (Self.xterm340, false, true, nil, PixelSize(width: 800, height: 450)),
            (Self.xterm, false, false, nil, nil),
            (Self.kitty, true, false, PixelSize(width: 9, height: 18), nil),
            (Self.foot, false, true, PixelSize(width: 10, height: 20), PixelSize(width: 800, height: 480)),
            ("", false, false, nil, nil),
        ]
        for (text, kitty, sixel, cell, limit) in expected {
            let (traits, others) = traits(text, pieces: pieces)
            #expect(others == 0, "\(text.debugDescription)")
            #expect(traits.graphics.supported == Set((kitty ? [.kitty] : []) + (sixel ? [.sixel] : [])))
            #expect((traits.graphics.transport == .sharedMemory) == kitty)
            #expect(traits.graphics.cell == cell && traits.graphics.sixelLimit == limit)
        }
    }

    @Test(
        "Images of iTerm2 are detected by the terminal's name; VS Code must also report sixels, and Konsole be new enough",
        arguments: [
            ("iTerm2 3.5.4", false, true), ("WezTerm 20240203-110809", true, true), ("mintty 3.7.0", true, true),
            ("Rio 0.2.0", true, true), ("xterm.js(5.6.0)", true, true), ("xterm.js(5.6.0)", false, false),
            ("Konsole 22.04.3", true, true), ("Konsole 21.12.3", true, false), ("XTerm(379)", true, false),
            ("kitty(0.41.1)", false, false), ("", true, false),
        ])
    func images(name: String, sixel: Bool, expected: Bool) {
        let attributes = sixel ? "\u{1B}[?62;4c" : "\u{1B}[?62;c"
        let found = traits("\u{1B}P>|\(name)\u{1B}\\" + attributes).0.graphics
        #expect(found.supported.contains(.iterm2) == expected && found.program == name)
    }

    @Test(
        "The environment names the terminal outside of multiplexers",
        arguments: [
            (["TERM_PROGRAM": "WezTerm", "LC_TERMINAL": "iTerm2"], "WezTerm"), (["LC_TERMINAL": "iTerm2"], "iTerm2"),
            (["KONSOLE_VERSION": "220401"], "Konsole 22.4"), (["MLTERM": "3.9.3"], "mlterm"), ([:], ""),
            (["TERM": "mlterm-256color"], "mlterm"), (["TERM_PROGRAM": "tmux", "TMUX": "/tmp/tmux-0/default,1,0"], ""),
            (["LC_TERMINAL": "iTerm2", "STY": "1.screen"], ""),
        ])
    func program(variables: [String: String], expected: String) {
        #expect(TerminalEnvironment { variables[$0] }.program == expected)
    }

    @Test("Where a sixel image erases what is below its transparent pixels, whole pictures are sent")
    func wholeSixels() {
        for (program, expected) in [("mlterm", true), ("Konsole 25.04.2", true), ("foot(1.21.0)", false)] {
            var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
            traits.graphics.program = program
            #expect(
                traits.updated(by: .attributes(hasSixel: true), to: TerminalQueries()).graphics.needsWholeSixels
                    == expected)
        }
    }

    @Test("GIF files are sent to terminals that are known to play them with their delays")
    func playsFiles() {
        for (program, expected) in [
            ("iTerm2 3.5.0", true), ("WezTerm 20240203-110809", true), ("WezTerm 20210814-124438", false),
            ("mlterm", false), ("Konsole 25.04.2", false), ("", false),
        ] {
            var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
            traits.graphics.program = program
            #expect(
                traits.updated(by: .attributes(hasSixel: true), to: TerminalQueries()).graphics.playsFiles == expected)
        }
    }

    @Test("All replies have arrived after the reply to DA1, or after the timeout")
    func awaited() {
        var queried = TerminalTraits(size: CellSize(columns: 80, rows: 24))
        queried.graphics.awaited = [.terminal, .tmux]
        #expect(
            queried.updated(by: .graphics(.kitty), to: TerminalQueries()).graphics.awaited == queried.graphics.awaited)
        #expect(queried.updated(by: .attributes(hasSixel: false), to: TerminalQueries()).graphics.awaited == [.tmux])
        #expect(queried.withoutReply.graphics.awaited == [.tmux])
        #expect(queried.updated(by: nil, to: TerminalQueries()).graphics.awaited == [.terminal])
    }

    @Test("Inside tmux, a reply about shared memory is ignored, because the test image was not sent")
    func tmux() {
        var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
        traits.graphics.transport = .tmux
        #expect(traits.updated(by: .graphics(.sharedMemory), to: TerminalQueries()) == traits)
    }

    @Test("Only a terminal that replies with the number of the second frame keeps frames")
    func frames() {
        for (reply, keepsFrames) in [
            ("Gi=6777190,r=2;OK", true), ("Gi=6777190;OK", false), ("Gi=6777190;EINVAL:no animations", false),
        ] {
            let (traits, others) = traits("\u{1B}P>|kitty(0.45.0)\u{1B}\\\u{1B}_\(reply)\u{1B}\\")
            #expect(traits.graphics.features.storesFrames == keepsFrames && others == 0)
        }
    }

    @Test("No frames are kept in the versions of kitty that damage them, nor in an unknown terminal")
    func versions() {
        for (version, isSound) in [
            ("kitty(0.26.5)", true), ("kitty(0.35.2)", true), ("kitty(0.36.0)", false), ("kitty(0.41.1)", false),
            ("kitty(0.44.0)", false), ("kitty(0.45.0)", true), ("kitty(1.36.0)", true), ("kitty(x)", false),
            ("WezTerm 20240203", false), ("kitty(0.19.3)", false), ("ghostty 1.3.1", false), ("ghostty 1.4.0", true),
            ("Konsole 25.04", false), ("xterm.js(6.1.0)", false),
        ] {
            let text = "\u{1B}P>|\(version)\u{1B}\\\u{1B}_Gi=6777190,r=2;OK\u{1B}\\"
            let (traits, others) = traits(text, pieces: true)
            #expect(traits.graphics.features.storesFrames == isSound && others == 0, "\(version)")
            let isDamaging = ["kitty(0.36.0)", "kitty(0.41.1)", "kitty(0.44.0)"].contains(version)
            #expect(traits.graphics.repeatsFrames == (isSound || isDamaging), "\(version)")
        }
    }

    @Test("A terminal at the other end of an ssh connection is remote")
    func remote() {
        for (variables, isRemote) in [
            ([:], false), (["SSH_TTY": ""], false), (["SSH_TTY": "/dev/pts/1"], true),
            (["SSH_CONNECTION": "::1"], true),
        ] as [([String: String], Bool)] {
            #expect(TerminalEnvironment({ variables[$0] }, terminfo: { _ in nil }).isRemote == isRemote)
        }
    }

    @Test("A reply is quick if it arrives within 20 ms")
    func quick() {
        let start = Instant(nanoseconds: 5)
        for time in [20, 21] as [Int64] {
            var gauge = ConnectionGauge()
            gauge.recordSent(100, hasQuery: true, at: start)
            let arrival = start + time * Span.millisecond
            #expect(gauge.isReplyQuick(at: arrival) == (time == 20))
            gauge.recordReply(at: arrival, notBefore: arrival)
            #expect(gauge.isReplyQuick(at: arrival + Span.second) == (time == 20))
        }
    }

    @Test("The number of Sixel colours is read from the reply; if the reply is an error, the number is 256")
    func registers() {
        #expect(traits("\u{1B}[?1;0;16S").0.graphics.sixelColors == 16)
        #expect(traits("\u{1B}[?1;3S").0.graphics.sixelColors == 256)
    }

    @Test("Invalid replies are ignored")
    func invalid() {
        for text in [
            "\u{1B}_Gi=31;EINVAL:no\u{1B}\\", "\u{1B}_Gi=32;ENOENT:no\u{1B}\\", "\u{1B}_Gi=33;OK\u{1B}\\",
            "\u{1B}[6;0;0t", "\u{1B}[6;99999999999;9t", "\u{1B}[?2;0;0;9S", "\u{1B}[?1;0;0S", "\u{1B}[6;10;90t",
        ] {
            let found = traits(text).0
            #expect(found == TerminalTraits(size: CellSize(columns: 80, rows: 24)), "\(text.debugDescription)")
        }
    }

    @Test("The queries for graphics are sent only if a test image is given, and the DA1 query is sent last")
    func queries() {
        let memory = SharedMemory(limit: 1)
        defer { memory.removeUnread() }
        let all = TerminalQueries.start(detectsGraphics: true, testMemory: memory).text
        #expect(["a=q", "\u{1B}[>q", "\u{1B}[16t"].allSatisfy(all.contains) && all.hasSuffix("\u{1B}[c"))
        #expect(!TerminalQueries.start().text.contains("a=q"))
        let inTmux = TerminalQueries.graphics(.tmux, memory: memory)
        #expect(!inTmux.contains("a=q") && !inTmux.contains("\u{1B}[>q"))
    }
}
