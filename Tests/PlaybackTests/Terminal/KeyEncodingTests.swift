import Base
import Testing

@testable import Playback

/// Every key in every form that terminals send, and the reports that are no keys.
@Suite("Encodings of keys") struct KeyEncodingTests {
    private static func encodings(_ code: Int, modifiers: Int) -> [String] {
        [1, 1 + 64, 1 + 128, 1 + 64 + 128].flatMap { locks in
            let sum = modifiers + locks
            return ["\(code);\(sum)u", "\(code);\(sum):1u", "\(code);\(sum):2u", "27;\(sum);\(code)~"]
        }
    }

    private static let codedKeys: [(code: Int, modifiers: Int, key: Key)] = [
        (27, 0, .escape), (27, 1, .escape), (27, 4, .escape), (13, 0, .enter), (13, 1, .enter), (13, 4, .enter),
        (9, 0, .tab), (9, 1, .backTab), (127, 0, .backspace), (127, 4, .backspace), (8, 0, .backspace),
        (32, 0, .character(" ")), (32, 1, .character(" ")), (113, 0, .character("q")), (63, 1, .character("?")),
        (97, 1, .character("A")), (65, 1, .character("A")), (233, 0, .character("é")), (233, 1, .character("É")),
        (99, 4, .control("c")), (67, 5, .control("c")), (122, 4, .control("z")), (108, 4, .control("l")),
        (117, 4, .control("u")), (105, 4, .tab), (109, 4, .enter), (104, 4, .backspace), (91, 4, .escape),
        (113, 2, .other), (27, 2, .other), (99, 6, .other), (113, 8, .other), (113, 16, .other), (113, 32, .other),
        (49, 4, .other), (57_376, 0, .other), (57_428, 0, .other),
    ]

    @Test(
        "A key in the form of kitty or of modifyOtherKeys is that of its byte, whatever locks are on",
        arguments: codedKeys)
    func coded(code: Int, modifiers: Int, key: Key) {
        for text in Self.encodings(code, modifiers: modifiers) {
            #expect(inputs("\u{1B}[" + text) == [.key(key)], "\(text)")
        }
    }

    @Test(
        "The other code points of a key say which character Shift or another layout enters",
        arguments: [
            ("97:65;2u", .character("A")), ("47:63;2u", .character("?")), ("47:63;2:1;63u", .character("?")),
            ("97;65;65u", .character("A")), ("1089::99;5u", .control("c")), ("1089:1057:99;6:1u", .control("c")),
            ("1081::113u", .character("й")), ("0;;233u", .character("é")), ("113u", .character("q")), ("27u", .escape),
        ] as [(String, Key)])
    func alternates(text: String, key: Key) { #expect(inputs("\u{1B}[" + text) == [.key(key)]) }

    private static let functional: [(String, String, Key)] = [
        ("1", "A", .up), ("1", "B", .down), ("1", "C", .right), ("1", "D", .left), ("1", "H", .home), ("1", "F", .end),
        ("3", "~", .delete), ("5", "~", .pageUp), ("6", "~", .pageDown), ("1", "~", .home), ("4", "~", .end),
        ("7", "~", .home), ("8", "~", .end), ("15", "~", .other), ("1", "P", .other), ("13", "~", .other),
    ]

    @Test("Functional keys are recognised with locks and events, and with other modifiers they are others")
    func functionalKeys() {
        for (code, final, key) in Self.functional {
            for parameters in [";1:1", ";1:2", ";65", ";129:1", ";193"] {
                #expect(inputs("\u{1B}[\(code)\(parameters)\(final)") == [.key(key)], "\(code)\(parameters)\(final)")
            }
            for modifiers in [2, 3, 5, 9, 6 + 128] {
                #expect(inputs("\u{1B}[\(code);\(modifiers)\(final)") == [.key(.other)])
            }
        }
        let keypad: [Key] =
            (0...9).map { .character(Character("\($0)")) }
            + [.character("."), .character("/"), .character("*"), .character("-"), .character("+"), .enter]
            + [.character("="), .character(","), .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .other]
            + [.delete]
        for (offset, key) in keypad.enumerated() {
            for modifiers in ["", ";129", ";1:1"] {
                #expect(inputs("\u{1B}[\(57_399 + offset)\(modifiers)u") == [.key(key)])
            }
        }
    }

    @Test("The application keypad, rxvt and the Linux console send no letters as keys")
    func otherForms() {
        let keypad = [("k", "+"), ("m", "-"), ("n", "."), ("l", ","), ("o", "/"), ("p", "0"), ("y", "9")]
        for (final, character) in keypad {
            #expect(inputs("\u{1B}O\(final)") == [.key(.character(Character(character)))])
        }
        #expect(inputs("\u{1B}OM") == [.key(.enter)])
        for text in ["\u{1B}O5D", "\u{1B}O1;2P", "\u{1B}[a", "\u{1B}Oc", "\u{1B}[[A", "\u{1B}[[E", "\u{1B}[5^"] {
            #expect(inputs(text) == [.key(.other)], "\(text.debugDescription)")
        }
    }

    @Test("ESC before a key is Alt, and before a report it is the Escape key")
    func alt() {
        for text in ["\u{1B}\u{1B}[D", "\u{1B}\u{1B}OD", "\u{1B}\u{1B}[3~", "\u{1B}\u{1B}[1;1:1A", "\u{1B}q"] {
            #expect(inputs(text) == [.key(.other)], "\(text.debugDescription)")
        }
        #expect(inputs("\u{1B}\u{1B}[?62c") == [.key(.escape), .reply(.attributes(hasSixel: false))])
        for report in Self.reports {
            #expect(inputs("\u{1B}" + report) == [.key(.escape)], "\(report.debugDescription)")
        }
    }

    private static let reports = [
        "\u{1B}[I", "\u{1B}[O", "\u{1B}[48;24;80;384;640t", "\u{1B}[8;24;80t", "\u{1B}[?997;1n", "\u{1B}[0n",
        "\u{1B}[?3;7R", "\u{1B}[?1u", "\u{1B}[>0;276;0c", "\u{1B}[1;2c", "\u{1B}[4;1$y",
        "\u{1B}[?2048;1$y", "\u{1B}[>4;2m", "\u{1B}[200~\u{1B}[201~", "\u{1B}[201~", "\u{1B}[M !!", "\u{1B}[M#!!",
        "\u{1B}[32;5;6M", "\u{1B}[<35;5;6M", "\u{1B}[<0;5;6m", "\u{1B}[113;1:3u", "\u{1B}[1;1:3A", "\u{1B}[3;1:3~",
        "\u{1B}[27;1:3u", "\u{1B}[57441;2u", "\u{1B}[57358;65u", "\u{1B}]52;c;cXE=\u{7}",
        "\u{1B}]4;1;rgb:0/0/0\u{1B}\\", "\u{1B}P0$r\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\",
    ]

    @Test("Reports, releases and modifier keys are no keys, whole or byte by byte", arguments: reports)
    func report(text: String) {
        #expect(inputs(text) == [])
        var parser = InputParser()
        #expect(text.utf8.flatMap { parser.parse([$0]) } == [] && !parser.isIncomplete)
        #expect(parser.parse("q".utf8) == [.key(.character("q"))])
    }

    /// Parses bytes with pauses before them, in milliseconds, as the terminal's loop does.
    private func timedInputs(_ pieces: [(Int64, String)], timeout: Int64 = Timeouts.escape) -> [TerminalInput] {
        var (parser, now, inputs) = (InputParser(), Instant(nanoseconds: 0), [TerminalInput]())
        parser.escapeTimeout = timeout
        for (pause, text) in pieces {
            let end = now + pause * Span.millisecond
            while let deadline = parser.deadline(isReplyPending: false), deadline < end {
                // Each call restarts the timeout, as the arrival of input does.
                now = deadline
                let before = parser.isStalled
                inputs += parser.resolveIncomplete()
                if parser.isStalled == before { break }
            }
            now = end
            inputs += parser.parse(Array(text.utf8)[...], at: now)
        }
        return inputs + parser.resolveIncomplete()
    }

    @Test("A gap inside an arrow key does not make it the Escape key", arguments: [1, 40, 90] as [Int64])
    func gap(milliseconds: Int64) {
        for text in ["\u{1B}[D", "\u{1B}OD"] {
            for cut in 1...2 {
                let pieces = [(0, String(text.prefix(cut))), (milliseconds, String(text.dropFirst(cut)))]
                #expect(timedInputs(pieces) == [.key(.left)], "\(cut)")
            }
        }
        let pieces = [(0, "\u{1B}"), (milliseconds, "["), (milliseconds, "1"), (milliseconds, ";1:1D")]
        #expect(timedInputs(pieces) == [.key(.left)])
    }

    @Test("A lone ESC is the Escape key after 100 ms, over ssh after 200 ms, before a letter after a quarter of that")
    func escapeTimeout() {
        let arrow: [(Int64, String)] = [(0, "\u{1B}"), (150, "[D")]
        #expect(timedInputs(arrow) == [.key(.escape), .key(.character("[")), .key(.character("D"))])
        #expect(timedInputs(arrow, timeout: Timeouts.remoteEscape) == [.key(.left)])
        #expect(timedInputs([(0, "\u{1B}"), (210, "[D")], timeout: Timeouts.remoteEscape).first == .key(.escape))
        #expect(timedInputs([(0, "\u{1B}"), (5, "q")]) == [.key(.other)])
        #expect(timedInputs([(0, "\u{1B}"), (40, "q")]) == [.key(.escape), .key(.character("q"))])
        #expect(timedInputs([(0, "\u{1B}"), (40, "é")]) == [.key(.escape), .key(.character("é"))])
        #expect(timedInputs([(0, "\u{1B}"), (40, "\u{1B}"), (40, "[A")]) == [.key(.other)])
    }
}
