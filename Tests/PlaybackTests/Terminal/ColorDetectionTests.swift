import Pixels
import Testing

@testable import Playback

@Suite("Detection of the terminal's colours")
struct ColorDetectionTests {
    /// The environment and the terminfo entry of a terminal, and its replies to all queries that gifplay sends at the
    /// start. The replies were recorded with the programs of Debian 12.
    struct Recorded: CustomTestStringConvertible {
        var testDescription: String
        var environment: [String: String]
        var terminfo: TerminfoColors?
        var answer: String
        var first: ColorDepth
        var asks: Bool
        var final: ColorDepth

        init(
            _ name: String, _ environment: [String: String], _ count: Int?, isDirect: Bool = false, answer: String = "",
            first: ColorDepth, asks: Bool = true, final: ColorDepth? = nil
        ) {
            testDescription = name
            self.environment = environment
            terminfo = count.map { TerminfoColors(count: $0, isDirect: isDirect) }
            self.answer = answer
            self.first = first
            self.asks = asks
            self.final = final ?? first
        }
    }

    private static let attributes = "\u{1B}[?1;2c"
    private static let xterm = "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?2026;0$y\u{1B}[?64;1;2;6;9;15;22;28c"

    static let terminals = [
        Recorded(
            "xterm", ["TERM": "xterm-256color"], 256, answer: "\u{1B}P1$r0;38:2::1:2:3m\u{1B}\\" + xterm,
            first: .indexed,
            final: .direct),
        Recorded(
            "xterm without 24-bit colours", ["TERM": "xterm"], 8, answer: "\u{1B}P1$r0;38:5:16m\u{1B}\\" + xterm,
            first: .eight, final: .indexed),
        Recorded("kitty", ["TERM": "xterm-kitty", "COLORTERM": "truecolor"], nil, first: .direct, asks: false),
        Recorded(
            "kitty over ssh, without a terminfo entry", ["TERM": "xterm-kitty"], nil,
            answer: "\u{1B}P0+r524742\u{1B}\\\u{1B}P1$r38:2:1:2:3m\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;c", first: .eight,
            final: .direct),
        Recorded(
            "a terminal that reports RGB", ["TERM": "foot"], 256, answer: "\u{1B}P1+r524742=38\u{1B}\\\u{1B}[?62c",
            first: .indexed, final: .direct),
        Recorded(
            "rxvt-unicode", ["TERM": "rxvt-unicode-256color", "COLORTERM": "rxvt-xpm"], 256,
            answer: "\u{1B}[?2026;0$y\u{1B}[?1;2c", first: .indexed),
        Recorded(
            "st", ["TERM": "st-256color"], 256, answer: "\u{1B}]11;rgb:0000/0000/0000\u{7}\u{1B}[?6c", first: .indexed),
        Recorded("tmux", ["TERM": "tmux-256color", "TMUX": "/tmp/t,1,0"], 256, answer: attributes, first: .indexed),
        Recorded(
            "tmux with RGB", ["TERM": "screen-256color", "TMUX": "/tmp/t,1,0", "COLORTERM": "truecolor"], 256,
            first: .direct, asks: false),
        Recorded(
            "GNU Screen", ["TERM": "screen", "STY": "1.pts-0.vm", "COLORTERM": "truecolor"], 8,
            answer: attributes + "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", first: .eight, asks: false),
        Recorded(
            "GNU Screen inside tmux",
            ["TERM": "screen-256color", "STY": "1.a", "TMUX": "/tmp/t", "COLORTERM": "truecolor"], 256,
            isDirect: true, first: .indexed, asks: false),
        Recorded(
            "GNU Screen on another machine", ["TERM": "screen.xterm-256color", "COLORTERM": "truecolor"], 256,
            first: .indexed, asks: false),
        Recorded("Emacs's term", ["TERM": "eterm-color", "COLORTERM": "truecolor"], 8, first: .eight, asks: false),
        Recorded("a terminal that answers nothing", ["TERM": "xterm-256color"], 256, first: .indexed),
        Recorded(
            "a terminfo entry with RGB", ["TERM": "xterm-direct"], 1 << 24, isDirect: true, first: .direct, asks: false),
        Recorded("the Linux console", ["TERM": "linux"], 8, first: .eight),
        Recorded("a 16-colour terminal", ["TERM": "linux-16color"], 16, first: .sixteen),
        Recorded("VT100", ["TERM": "vt100"], -1, first: .none, asks: false),
        Recorded("an unknown 256-colour terminal", ["TERM": "new-256color"], nil, first: .indexed),
        Recorded(
            "Terminal.app", ["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], 256, first: .indexed,
            asks: false),
    ]

    @Test(
        "The environment, terminfo and replies determine the colour depth, and no reply is mistaken for a key",
        arguments: terminals)
    func depth(_ terminal: Recorded) {
        let environment = TerminalEnvironment({ terminal.environment[$0] }, terminfo: { _ in terminal.terminfo })
        #expect(environment.depth == terminal.first)
        let asksForColors = environment.canReportMore(than: environment.depth)
        #expect(asksForColors == terminal.asks)
        let queries = TerminalQueries.start(detectsColors: asksForColors)
        var traits = TerminalTraits(
            size: CellSize(columns: 80, rows: 24), colors: ColorFormat(depth: environment.depth))
        for answer in [terminal.answer.utf8.map { [$0] }, [Array(terminal.answer.utf8)]] {
            var parser = InputParser()
            for input in answer.flatMap({ parser.parse($0) }) {
                guard case .reply(let reply) = input else {
                    Issue.record("\(input) is not a reply")
                    continue
                }
                traits = traits.updated(by: reply, to: queries)
            }
            #expect(!parser.isIncomplete)
        }
        #expect(traits.colors.depth == terminal.final)
    }

    @Test("A reply about colours is ignored if no query for colours was sent")
    func unasked() {
        let traits = TerminalTraits(size: CellSize(columns: 1, rows: 1), colors: ColorFormat(depth: .eight))
        #expect(traits.updated(by: .colorDepth(.direct), to: TerminalQueries.start()) == traits)
    }

    @Test(
        "Replies that do not report 24-bit colours are ignored",
        arguments: [
            "0+r524742", "1+r524742=30", "1+r524742=2D31", "1+r524742c", "1+r436f=323536", "0$r", "1$r0m",
            "1$r38:2:9:9:9m", "1$r38;5;3m", "1$r38:2::1:2:3", "",
        ])
    func otherReplies(text: String) {
        #expect(TerminalReply(deviceControl: Array(text.utf8)) == nil)
    }

    @Test(
        "UTF-8 is expected unless the locale names another character set or the terminal is a VT100",
        arguments: [
            (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), ([:], true), (["LANG": ""], true),
            (["LANG": "C"], false), (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], false),
            (["LC_CTYPE": "en_US.UTF-8", "LANG": "C"], true), (["LANG": "de_DE.ISO-8859-1"], false),
            (["LANG": "de_DE.UTF-8@euro"], true), (["LC_CTYPE": "UTF-8"], true),
            (["TERM": "vt100", "LANG": "C.UTF-8"], false),
        ])
    func locale(variables: [String: String], hasUTF8: Bool) {
        #expect(TerminalEnvironment({ variables[$0] }, terminfo: { _ in nil }).hasUTF8 == hasUTF8)
    }

    @Test("The terminfo database is read", arguments: [("xterm-256color", 256), ("linux", 8), ("vt100", -1)])
    func terminfo(name: String, count: Int) {
        #expect(TerminfoColors(terminal: name) == TerminfoColors(count: count, isDirect: false))
        #expect(TerminfoColors(terminal: "no-such-terminal") == nil)
    }

    @Test("Several threads can read the terminfo database at the same time")
    func concurrentReads() async {
        let counts = ["xterm-256color": 256, "linux": 8, "xterm": 8, "screen-256color": 256]
        await withTaskGroup(of: Void.self) { group in
            for (name, count) in counts {
                group.addTask {
                    for _ in 0..<500 { #expect(TerminfoColors(terminal: name)?.count == count) }
                }
            }
        }
    }
}
