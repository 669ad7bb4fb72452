import Pixels
import Testing

@testable import Playback

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
