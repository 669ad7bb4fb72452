import Base
import FoundationEssentials
import Testing

@Suite struct SafeTextTests {
    @Test(
        "Control sequences are removed from a line, and the visible text remains",
        arguments: [
            ("plain", "plain"), ("  two \t\n words ", "two words"), ("\u{1B}[31mred\u{1B}[0m", "red"),
            ("\u{1B}]0;title\u{07}after", "after"), ("\u{1B}]8;;http://x\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
            ("\u{1B}]0;never ended", "0;never ended"), ("\u{9B}2Jx", "x"), ("\u{1B}cx", "x"), ("a\u{1B}", "a"),
            ("\u{1B}[", ""), ("a\u{0}\u{7F}\u{85}b", "a b"), ("\u{202E}abc\u{2066}", "abc"),
            ("a\u{200B}b\u{FEFF}", "ab"), ("a\u{2028}b", "a b"), ("é ñ 日本 🐈", "é ñ 日本 🐈"), ("a\r\nb", "a b"),
            ("\u{E000}x", "x"), ("", ""), ("  a \t\n b\u{A0}c  ", "a b c"),
        ])
    func line(raw: String, clean: String) {
        #expect(SafeText.line(raw) == clean)
    }

    @Test("Cleaning a line removes all control characters, and cleaning it again changes nothing")
    func mixtures() {
        let pieces = [
            "\u{1B}", "[", "]", "31m", "\u{9B}", "\u{07}", "\\", "\u{1B}\\", "P", "x", "\u{202E}", "\n", "é", "\u{9D}",
        ]
        for number in 0..<38_416 {
            let raw = [number % 14, number / 14 % 14, number / 196 % 14, number / 2_744].map { pieces[$0] }.joined()
            let line = SafeText.line(raw)
            let categories = line.unicodeScalars.map(\.properties.generalCategory)
            if categories.contains(where: { $0 == .control || $0 == .format }) || SafeText.line(line) != line {
                Issue.record("\(raw.unicodeScalars.map(\.value)) became \(line.unicodeScalars.map(\.value))")
            }
        }
    }

    private static let marked: [(String, String)] = [
        ("a\u{AD}b\u{3164}c\u{115F}", "abc"), ("\u{E0041}x\u{FFFE}\u{1FFFF}", "x"), ("❤\u{FE0F}", "❤\u{FE0F}"),
        ("Z\(accents(40))", "Z\(accents(8))"),
        // A removed character between combining marks does not restart the count of the marks.
        ("Z\(accents(8))\u{200B}\(accents(8))", "Z\(accents(8))"), ("שָׁלוֹם", "שָׁלוֹם"),
    ]

    private static func accents(_ count: Int) -> String { String(repeating: "\u{30D}", count: count) }

    @Test(
        "Invisible characters are removed, and the number of combining marks on a character is limited",
        arguments: marked)
    func marks(raw: String, clean: String) {
        #expect(SafeText.line(raw) == clean)
    }

    @Test("A sentence keeps its spaces, and each control character becomes a space or a visible character")
    func sentence() {
        #expect(SafeText.sentence("  a\nb\tc") == "  a b c")
        #expect(SafeText.sentence("\u{1B}]0;x\u{07}\u{9B}2J\r") == "\u{FFFD}]0;x\u{FFFD}\u{FFFD}2J\u{FFFD}")
        #expect(SafeText.sentence("a\u{202E}b\u{200B}\u{3164}\u{E0041}\u{FFFE}c") == "abc")
        #expect(SafeText.sentence("é 日本 ❤\u{FE0F}") == "é 日本 ❤\u{FE0F}")
        let flood = SafeText.sentence("Z" + String(repeating: "\u{30D}", count: 40))
        #expect(flood.unicodeScalars.count == 9)
        #expect(SafeText.isSafe(flood) && !SafeText.isSafe(flood + "\u{30D}"))
    }

    @Test(
        "A text with control characters, format characters or white space other than spaces is not safe",
        arguments: [
            ("  spaced  words ", true), ("é 日本", true), ("a\tb", false), ("a\u{A0}b", false), ("a\u{1B}", false),
            ("\u{202E}a", false), ("", true),
        ])
    func safety(text: String, isSafe: Bool) {
        #expect(SafeText.isSafe(text) == isSafe)
    }

    @Test("Escaped JSON decodes to the same value and contains no control characters")
    func json() throws {
        let value = ["a\u{9B}2J\u{7F}": "\u{202E}é 日本\u{E0041}\u{FEFF}\n\u{1B}\u{2028}"]
        let json = SafeText.escaped(json: String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
        #expect(try JSONDecoder().decode([String: String].self, from: Data(json.utf8)) == value)
        #expect(json.contains("é 日本") && json.contains("\\u009b2J\\u007f") && json.contains("\\udb40\\udc41"))
        #expect(SafeText.line(json) == json)
    }

    @Test("A long text is shortened between two characters and ends with an ellipsis")
    func shortened() {
        #expect(SafeText.shortened("abcdef", to: 4) == "abc…")
        #expect(SafeText.shortened("abcd", to: 4) == "abcd")
        #expect(SafeText.shortened("e\u{301}e\u{301}e\u{301}", to: 4) == "e\u{301}…")
    }

    @Test("Each byte becomes two lower-case hexadecimal digits")
    func hexadecimal() {
        #expect([UInt8]([0, 9, 10, 0xAF, 255]).hexadecimal == "00090aafff")
        #expect([UInt8]().hexadecimal.isEmpty)
    }
}
