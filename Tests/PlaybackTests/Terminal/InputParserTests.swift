import Pixels
import Testing

@testable import Playback

/// Returns what the terminal has sent, if nothing follows for a while.
func inputs(_ text: String) -> [TerminalInput] {
    var parser = InputParser()
    return parser.parse(text.utf8) + parser.resolveIncomplete()
}

@Suite struct InputParserTests {
    @Test("Keys are recognised")
    func keys() {
        #expect(inputs("q ") == [.key(.character("q")), .key(.character(" "))])
        #expect(inputs("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D") == [.key(.up), .key(.down), .key(.right), .key(.left)])
        #expect(inputs("\u{1B}OA\u{1B}OD") == [.key(.up), .key(.left)])
        #expect(inputs("\u{3}\u{1A}\r") == [.key(.control("c")), .key(.control("z")), .key(.enter)])
        #expect(inputs("é猫😺") == [.key(.character("é")), .key(.character("猫")), .key(.character("😺"))])
        #expect(inputs("\u{1B}[15~\u{1B}[1;5C\u{0}") == [.key(.other), .key(.other), .key(.other)])
    }

    @Test("ESC is recognised as the Escape key if no byte follows for a while; two are two")
    func loneEscape() {
        var parser = InputParser()
        #expect(parser.parse([0x1B]).isEmpty)
        #expect(parser.isIncomplete)
        #expect(parser.resolveIncomplete() == [.key(.escape)])
        #expect(!parser.isIncomplete)
        #expect(inputs("\u{1B}\u{1B}") == [.key(.escape), .key(.escape)])
    }

    @Test("Replies are recognised even if they arrive byte by byte")
    func replies() {
        let text = "\u{1B}]11;rgb:1e1e/8080/ffff\u{1B}\\\u{1B}[?2026;2$yx\u{1B}[?62;22c"
        let expected: [TerminalInput] = [
            .reply(.background(CellColor(red: 0x1E, green: 0x80, blue: 0xFF))), .reply(.synchronizedOutput(true)),
            .key(.character("x")), .reply(.attributes(hasSixel: false)),
        ]
        #expect(inputs(text) == expected)
        var parser = InputParser()
        #expect(text.utf8.flatMap { parser.parse([$0]) } == expected)
    }

    @Test(
        "Colour channels of one to four hexadecimal digits are scaled to eight bits",
        arguments: [
            ("11;rgb:f/0/8", [255, 0, 136]), ("11;rgb:ff/00/80", [255, 0, 128]), ("11;rgb:fff/000/800", [255, 0, 128]),
            ("11;rgba:ffff/0000/8080/8000", [255, 0, 128]),
        ])
    func colours(command: String, channels: [UInt8]) {
        let color = CellColor(red: channels[0], green: channels[1], blue: channels[2])
        #expect(TerminalReply(command: Array(command.utf8)) == .background(color))
    }

    @Test("Invalid replies are ignored and not mistaken for keys")
    func invalidReplies() {
        #expect(inputs("\u{1B}]11;pink\u{7}") == [])
        #expect(inputs("\u{1B}]11;rgb:/1/2\u{7}\u{1B}P>xterm\u{1B}\\") == [])
        // A colon and a following U+200D form one Swift Character, which differs from the Character ":". The parser
        // must not skip this colon and accept the colours after the next colon.
        #expect(inputs("\u{1B}]11;rgb:\u{200D}x:ff/00/80\u{7}\u{1B}]11;rgbx:ff/00/80\u{7}") == [])
        #expect(inputs("\u{1B}]11;rgb:+f/00/80\u{7}\u{1B}]11;rgb:ff//00/80\u{7}\u{1B}]11;rgb:-0/-0/-0\u{7}") == [])
        let unsupported = TerminalInput.reply(.synchronizedOutput(false))
        #expect(inputs("\u{1B}[?2026;0$y\u{1B}[?2026;4$y") == [unsupported, unsupported])
    }

    @Test("Random bytes cause no crash, and a key after them is recognised")
    func randomBytes() {
        var state: UInt64 = 42
        for _ in 0..<2000 {
            var bytes: [UInt8] = []
            for _ in 0..<40 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append([0x1B, 0x5B, 0x5D, 0x3F, 0x63, 0x80, 0xE2, UInt8(state >> 56)][Int(state >> 33 & 7)])
            }
            var parser = InputParser()
            _ = parser.parse(bytes)
            _ = parser.resolveIncomplete()
            _ = parser.resolveIncomplete()
            #expect(parser.parse("q".utf8) == [.key(.character("q"))])
        }
    }

    @Test("An unterminated string or control sequence is discarded at the second timeout")
    func endless() {
        for begin in ["\u{1B}]11;q/?", "\u{1B}P+q", "\u{1B}[?62;", "\u{1B}[1;2"] {
            for length in [0, 300, 5000] {
                var parser = InputParser()
                let filling = [UInt8](repeating: UInt8(ascii: "1"), count: length)
                #expect(parser.parse(Array(begin.utf8) + filling) == [])
                #expect(parser.resolveIncomplete() == [])
                #expect(parser.isIncomplete && parser.isStalled)
                #expect(parser.resolveIncomplete() == [])
                #expect(!parser.isIncomplete)
                #expect(parser.parse("q".utf8) == [.key(.character("q"))])
            }
        }
    }

    @Test("If a reply stalls, a byte that cannot continue it is recognised as a key immediately")
    func stalled() {
        for begin in ["\u{1B}]11;rgb:1e1e/", "\u{1B}[?62;", "\u{1B}P1+r5247", "\u{1B}P1$r0;38:2", "\u{1B}P0"] {
            var parser = InputParser()
            #expect(parser.parse(begin.utf8) == [])
            #expect(parser.resolveIncomplete() == [])
            #expect(parser.parse("q".utf8) == [.key(.character("q"))])
        }
        var parser = InputParser()
        #expect(parser.parse("\u{1B}]11;rgb:1e1e/8".utf8) == [])
        #expect(parser.resolveIncomplete() == [])
        let color = CellColor(red: 0x1E, green: 0x80, blue: 0xFF)
        #expect(parser.parse("080/ffff\u{7}".utf8) == [.reply(.background(color))])
        #expect(parser.parse("\u{1B}[".utf8) == [])
        #expect(parser.resolveIncomplete() == [])
        #expect(parser.parse("?62;22c".utf8) == [.reply(.attributes(hasSixel: false))])
    }

    @Test("A sequence that is interrupted by another sequence or a key is discarded")
    func cutOff() {
        #expect(inputs("\u{1B}]11;rgb:1e\u{1B}[?2026;2$y") == [.reply(.synchronizedOutput(true))])
        #expect(inputs("\u{1B}[?62\u{1B}[?62;22c") == [.reply(.attributes(hasSixel: false))])
        #expect(inputs("\u{1B}[?62\u{3}\u{1B}]11;rg\u{3}") == [.key(.control("c")), .key(.control("c"))])
        #expect(inputs("\u{1B}[>q\u{1B}[?1;2q\u{1B}[=1u") == [])
        #expect(inputs("\u{1B}[" + String(repeating: "1;", count: 500) + "A") == [])
    }

    @Test(
        "Navigation keys are recognised",
        arguments: [
            ("\t", Key.tab), ("\u{7F}", .backspace), ("\u{8}", .backspace), ("\u{1B}[H", .home), ("\u{1B}OF", .end),
            ("\u{1B}[1~", .home), ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown),
            ("\u{1B}[3~", .delete), ("\u{1B}[Z", .backTab), ("\u{1B}[1;5C", .other),
        ])
    func moving(text: String, key: Key) {
        #expect(inputs(text) == [.key(key)])
    }

    @Test("The positions of mouse presses and wheel events are counted from 0")
    func pointer() {
        #expect(inputs("\u{1B}[<0;10;5M") == [.pointer(PointerEvent(.press, row: 4, column: 9))])
        #expect(inputs("\u{1B}[<64;1;1M") == [.pointer(PointerEvent(.wheelUp, row: 0, column: 0))])
        #expect(inputs("\u{1B}[<69;1;2M") == [.pointer(PointerEvent(.wheelDown, row: 1, column: 0))])
    }

    @Test(
        "Mouse releases and invalid mouse events are ignored",
        arguments: ["\u{1B}[<0;10;5m", "\u{1B}[<0;0;5M", "\u{1B}[<;;M", "\u{1B}[<1M"])
    func ignored(text: String) {
        #expect(inputs(text).isEmpty)
    }
}

@Suite("Pastes and slow characters") struct PasteCollectorTests {
    @Test("A bracketed paste becomes one text, even if its bytes arrive in pieces")
    func paste() {
        let bytes = Array("a\u{1B}[200~q\r\n\u{3}\u{1B}[Aé\u{1B}[20\u{1B}[201~b".utf8)
        let expected: [TerminalInput] = [
            .key(.character("a")), .paste("q\r\n\u{3}\u{1B}[Aé\u{1B}[20"), .key(.character("b")),
        ]
        for size in 1...bytes.count {
            var parser = InputParser()
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            #expect(pieces.flatMap { parser.parse($0) } == expected)
            #expect(!parser.isIncomplete && parser.hasPasted)
        }
    }

    @Test("Only the beginning of a long paste is stored")
    func longPaste() {
        var parser = InputParser()
        let text = String(repeating: "q", count: 100_000)
        let inputs = parser.parse("\u{1B}[200~\(text)\u{1B}[201~".utf8)
        #expect(inputs == [.paste(String(text.prefix(PasteCollector.maximumLength)))])
    }

    @Test("A paste without an end sequence ends at the second timeout; after the first one, Ctrl-C also ends it")
    func lostEnd() {
        var parser = InputParser()
        #expect(parser.parse("\u{1B}[200~a\u{3}".utf8).isEmpty)
        #expect(parser.resolveIncomplete().isEmpty && parser.isPasting)
        #expect(parser.parse("q".utf8).isEmpty)
        #expect(parser.resolveIncomplete().isEmpty)
        #expect(parser.resolveIncomplete() == [.paste("a\u{3}q")])
        #expect(parser.parse("\u{1B}[200~a".utf8).isEmpty)
        #expect(parser.resolveIncomplete().isEmpty)
        #expect(parser.parse("\u{3}b".utf8) == [.key(.control("c")), .key(.character("b"))])
    }

    @Test("Many keys that arrive at once are treated as a paste, even if the terminal does not mark a paste")
    func burst() {
        var parser = InputParser()
        _ = parser.parse(String(repeating: "a", count: 32).utf8)
        #expect(!parser.hasPasted)
        _ = parser.parse(String(repeating: "a", count: 33).utf8)
        #expect(parser.hasPasted)
    }

    @Test("A character whose bytes arrive slowly is not dropped")
    func slowCharacter() {
        var parser = InputParser()
        for byte in "猫".utf8.dropLast() {
            #expect(parser.parse([byte]).isEmpty)
            #expect(parser.resolveIncomplete().isEmpty)
        }
        #expect(parser.parse("猫".utf8.suffix(1)) == [.key(.character("猫"))])
        #expect(parser.parse("猫".utf8.prefix(2)).isEmpty)
        #expect(parser.resolveIncomplete().isEmpty)
        #expect(parser.parse("q".utf8) == [.key(.character("q"))])
    }

    @Test(
        "The background colour is read from COLORFGBG, or derived from the terminal type",
        arguments: [
            ("15;0", "xterm", 0x000000), ("0;default;15", "xterm", 0xFFFFFF), ("0;7", "linux", 0xE5E5E5),
            (nil, "linux", 0x000000), (nil, "xterm", nil), ("0;default", "xterm", nil), ("0;16", "xterm", nil),
        ] as [(String?, String, Int?)])
    func background(value: String?, term: String, color: Int?) {
        let found = TerminalEnvironment { $0 == "COLORFGBG" ? value : $0 == "TERM" ? term : nil }.background
        #expect(found.map { $0.red << 16 | $0.green << 8 | $0.blue } == color)
    }
}
