import FoundationEssentials
import Testing

@testable import Catalog

@Suite struct TextTests {
    @Test(arguments: [
        ("plain", "plain"), ("  two \t\n words ", "two words"), ("\u{1B}[31mred\u{1B}[0m", "red"),
        ("\u{1B}]0;title\u{07}after", "after"), ("\u{1B}]8;;http://x\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
        ("\u{1B}]0;never ended", "0;never ended"), ("\u{9B}2Jx", "x"), ("\u{1B}cx", "x"), ("a\u{1B}", "a"),
        ("\u{1B}[", ""), ("a\u{0}\u{7F}\u{85}b", "a b"), ("\u{202E}abc\u{2066}", "abc"), ("a\u{200B}b\u{FEFF}", "ab"),
        ("a\u{2028}b", "a b"), ("é ñ 日本 🐈", "é ñ 日本 🐈"), ("a\r\nb", "a b"), ("\u{E000}x", "x"), ("", ""),
    ])
    func aLineIsHarmless(raw: String, clean: String) {
        #expect(CleanText.line(raw) == clean)
    }

    @Test func noControlSurvivesAnyMixture() {
        var generator = SeededGenerator(state: 3)
        let pieces = [
            "\u{1B}", "[", "]", "31m", "\u{9B}", "\u{07}", "\\", "\u{1B}\\", "P", "x", "\u{202E}", "\n", "é", "\u{9D}",
        ]
        for _ in 0..<2_000 {
            let raw = (0..<12).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let line = CleanText.line(raw)
            #expect(!line.unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) })
            #expect(CleanText.line(line) == line)
        }
    }

    @Test(arguments: [
        ("a\u{AD}b\u{3164}c\u{115F}", "abc"), ("\u{E0041}x\u{FFFE}\u{1FFFF}", "x"), ("❤\u{FE0F}", "❤\u{FE0F}"),
        ("Z" + String(repeating: "\u{30D}", count: 40), "Z" + String(repeating: "\u{30D}", count: 8)),
        // What is dropped between marks begins no new count of them.
        (
            "Z" + String(repeating: String(repeating: "\u{30D}", count: 8) + "\u{200B}", count: 3),
            "Z" + String(repeating: "\u{30D}", count: 8)
        ),
        ("שָׁלוֹם", "שָׁלוֹם"),
    ])
    func nothingHidesAndNothingFloodsALine(raw: String, clean: String) {
        #expect(CleanText.line(raw) == clean)
    }

    @Test func escapedJSONSaysTheSameAndHasNothingThatATerminalActsOn() throws {
        let value = ["a\u{9B}2J\u{7F}": "\u{202E}é 日本\u{E0041}\u{FEFF}\n\u{1B}\u{2028}"]
        let json = CleanText.escaped(json: String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
        #expect(try JSONDecoder().decode([String: String].self, from: Data(json.utf8)) == value)
        #expect(json.contains("é 日本") && json.contains("\\u009b2J\\u007f") && json.contains("\\udb40\\udc41"))
        #expect(CleanText.line(json) == json)
    }

    @Test func aLongTextEndsBetweenCharacters() {
        #expect(CleanText.shortened("abcdef", to: 4) == "abc…")
        #expect(CleanText.shortened("abcd", to: 4) == "abcd")
        #expect(CleanText.shortened("e\u{301}e\u{301}e\u{301}", to: 4) == "e\u{301}…")
    }

    @Test(arguments: [
        ("<a href=\"//x\" title=\"a>b\">Name</a>", "b\">Name"), ("a &amp; b &lt;c&gt;", "a & b <c>"),
        ("&#65;&#x42;&#X43;", "ABC"),
        ("&#0; &#xD800; &#99999999999; &nope; &", "\u{0} &#xD800; &#99999999999; &nope; &"),
        ("1 < 2 and <b>bold</b>", "1 < 2 and bold"), ("x<br/>y<p>z</p>", "x y z "), ("a<!-- <b> -->c", "ac"),
        ("<style>p{}</style>text", "text"), ("<script>never ended", ""), ("<unended", "<unended"),
        ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
    ])
    func htmlBecomesText(html: String, text: String) {
        #expect(HTMLText.plain(html) == text)
    }

    @Test(arguments: [
        ("https://a.example/b?c=d&e=%20#f", "https://a.example/b?c=d&e=%20#f"),
        ("//a.example/b", "https://a.example/b"),
        ("HTTP://A.example/", "HTTP://A.example/"), ("http://a.example/ü b", "http://a.example/%C3%BC%20b"),
        ("javascript:alert(1)", nil), ("file:///etc/passwd", nil), ("https://", nil), ("", nil),
        ("https://a.example/\u{1B}[2J", nil), ("https://user:pass@a.example/", nil), ("https://a.example/\n", nil),
        ("http://a.example/\"<>", "http://a.example/%22%3C%3E"), ("data:image/gif;base64,AA", nil),
    ])
    func anAddressIsOfTheWebOrNothing(raw: String, address: String?) {
        #expect(WebAddress.checked(raw) == address)
    }

    @Test func aFilesKindIsReadWithoutItsQuery() {
        #expect(WebAddress.fileExtension("https://a.example/x.WEBP?y=z.gif") == "webp")
        #expect(WebAddress.fileExtension("https://a.example/x") == nil)
        #expect(WebAddress.component("a b/c+d~é") == "a%20b%2Fc%2Bd~%C3%A9")
    }

    @Test(arguments: [
        ("3", 3), ("\"3\"", 3), ("3.9", 3), ("\"3.0\"", 3), ("\" 3 \"", 3), ("\"\"", nil), ("null", nil), ("true", nil),
        ("\"x\"", nil), ("1e400", nil), ("\"1e30\"", nil), ("[]", nil), ("{}", nil), ("9223372036854775807", Int.max),
        ("\"nan\"", nil), ("-1", -1),
    ])
    func aNumberIsReadHoweverItIsWritten(json: String, number: Int?) {
        let decoded = try? JSONDecoder().decode([Lossy<FlexInt>].self, from: Data("[\(json)]".utf8))
        #expect(decoded?.first?.value?.value == number)
    }

    @Test func aBadElementSpoilsNoList() throws {
        func items(_ json: String) throws -> [Int?] {
            try JSONDecoder().decode(OneOrMany<Int>.self, from: Data(json.utf8)).items
        }
        #expect(try items("[1,\"x\",null,{},3]") == [1, 3])
        #expect(try items("7") == [7])
        #expect(try items("[]").isEmpty)
        #expect(try items("{\"a\":1}").isEmpty)
    }

    @Test(arguments: [
        ("2025-02-03 04:05:06", 1_738_555_506), ("2025-02-03T04:05:06Z", 1_738_555_506),
        ("2025-02-03T04:05:06.789Z", 1_738_555_506), ("2025-02-03T06:05:06+02:00", 1_738_555_506),
        ("2025-02-03T04:05:06+00:00", 1_738_555_506), ("2025-02-03", 1_738_540_800),
        ("2024-02-29", 1_709_164_800), ("0000-00-00 00:00:00", nil), ("1970-01-01 00:00:00", nil),
        ("2025-13-03", nil), ("yesterday!", nil), ("2025-02-03T04", nil), ("2025-2-3 4", nil), ("", nil),
        ("12345-67-8", nil), ("2025-02-03 04:05:06 or so, nobody remembers when", nil),
    ])
    func aMomentIsReadOrLeft(text: String, seconds: Int?) {
        #expect(PostedTime.seconds(text) == seconds)
    }

    @Test func aNumberIsAMomentOfTheWebOrNone() {
        #expect(PostedTime.seconds(1_763_650_000.9) == 1_763_650_000)
        for number in [0, -1, 1e308, .nan, .infinity, 253_402_300_800] { #expect(PostedTime.seconds(number) == nil) }
    }
}
