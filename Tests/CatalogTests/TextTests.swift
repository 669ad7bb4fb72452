import FoundationEssentials
import Testing

@testable import Catalog

@Suite struct TextTests {
    @Test(
        "HTML is converted to plain text",
        arguments: [
            ("<a href=\"//x\" title=\"a>b\">Name</a>", "b\">Name"), ("a &amp; b &lt;c&gt;", "a & b <c>"),
            ("&#65;&#x42;&#X43;", "ABC"),
            ("&#0; &#xD800; &#99999999999; &nope; &", "\u{0} &#xD800; &#99999999999; &nope; &"),
            ("1 < 2 and <b>bold</b>", "1 < 2 and bold"), ("x<br/>y<p>z</p>", "x y z "), ("a<!-- <b> -->c", "ac"),
            ("<style>p{}</style>text", "text"), ("<script>never ended", ""), ("<unended", "<unended"),
            ("&amp;lt;b&amp;gt;", "&lt;b&gt;"), ("<!-- a", "<!-- a"), ("<!--><b>c", "c"), ("a<!-->b-->c", "ab-->c"),
            ("<script>if (a < b) {}</SCRIPT >c", "c"), ("<style></styles></style>c", "c"), ("<a <b> c", " c"),
            ("<é>x", "x"), ("e\u{301}<b>&amp;", "e\u{301}&"),
        ])
    func htmlText(html: String, text: String) {
        #expect(HTMLText.plain(html) == text)
    }

    @Test(
        "Only http and https addresses without credentials are accepted",
        arguments: [
            ("https://a.example/b?c=d&e=%20#f", "https://a.example/b?c=d&e=%20#f"),
            ("//a.example/b", "https://a.example/b"),
            ("HTTP://A.example/", "HTTP://A.example/"), ("http://a.example/ü b", "http://a.example/%C3%BC%20b"),
            ("javascript:alert(1)", nil), ("file:///etc/passwd", nil), ("https://", nil), ("", nil),
            ("https://a.example/\u{1B}[2J", nil), ("https://user:pass@a.example/", nil), ("https://a.example/\n", nil),
            ("http://a.example/\"<>", "http://a.example/%22%3C%3E"), ("data:image/gif;base64,AA", nil),
        ])
    func webAddresses(raw: String, address: String?) {
        #expect(WebAddress.checked(raw) == address)
    }

    /// In each case, a simple search for the separators finds `i.redd.it`.
    @Test(
        "The host of an address is the one to which libcurl connects",
        arguments: [
            ("https://i.redd.it/a.gif", "i.redd.it"), ("https://I.REDD.IT:443/a.gif", "i.redd.it"),
            ("https://i.redd.it@evil.example/a.gif", nil), ("https://i.redd.it:80@evil.example/a.gif", nil),
            ("https://i.redd.it\\@evil.example/a.gif", nil), ("https://evil.example\\@i.redd.it/a.gif", nil),
            ("https://i.redd.it%2F@evil.example/a.gif", nil),
            ("https://i.redd.it%2Eevil.example/a.gif", "i.redd.it.evil.example"),
            ("https://i.redd.it#@evil.example/a.gif", "i.redd.it"),
            ("https://i.redd.it?@evil.example/a.gif", "i.redd.it"),
            ("https://i.redd.it:99999/a.gif", nil), ("https://i.redd.it:x/a.gif", nil),
            ("https://i.redd.it /a.gif", nil),
            ("https://0x7f.1/a.gif", "127.0.0.1"), ("https://[::1]/a.gif", "[::1]"), ("https://[::1/a.gif", nil),
        ] as [(String, String?)])
    func hosts(raw: String, host: String?) {
        #expect(WebAddress.checked(raw).map(WebAddress.host) == host)
    }

    @Test("The query of a URL is not part of its file extension; a text becomes a URL component by percent-encoding")
    func fileExtension() {
        #expect(WebAddress.fileExtension("https://a.example/x.WEBP?y=z.gif") == "webp")
        #expect(WebAddress.fileExtension("https://a.example/x") == nil)
        #expect(WebAddress.component("a b/c+d~é") == "a%20b%2Fc%2Bd~%C3%A9")
    }

    @Test(
        "A whole number is decoded from a JSON number or a JSON string",
        arguments: [
            ("3", 3), ("\"3\"", 3), ("3.9", 3), ("\"3.0\"", 3), ("\" 3 \"", 3), ("\"\"", nil), ("null", nil),
            ("true", nil),
            ("\"x\"", nil), ("1e400", nil), ("\"1e30\"", nil), ("[]", nil), ("{}", nil),
            ("9223372036854775807", nil), ("1099511627776", 1 << 40), ("\"-9223372036854775808\"", nil),
            ("\"nan\"", nil), ("-1", -1),
        ])
    func flexibleNumbers(json: String, number: Int?) {
        let decoded = try? JSONDecoder().decode([Lossy<FlexText>].self, from: Data("[\(json)]".utf8))
        #expect(decoded?.first?.value?.value.flatMap { Int(lenient: $0) } == number)
    }

    @Test("Invalid elements of a list are dropped")
    func invalidElements() throws {
        func items(_ json: String) throws -> [Int?] {
            try JSONDecoder().decode(OneOrMany<Int>.self, from: Data(json.utf8)).items
        }
        #expect(try items("[1,\"x\",null,{},3]") == [1, 3])
        #expect(try items("7") == [7])
        #expect(try items("[]").isEmpty)
        #expect(throws: DecodingError.self) { try items("{\"a\":1}") }
    }

    @Test(
        "Valid dates are parsed, and invalid dates are ignored",
        arguments: [
            ("2025-02-03 04:05:06", 1_738_555_506), ("2025-02-03T04:05:06Z", 1_738_555_506),
            ("2025-02-03T04:05:06.789Z", 1_738_555_506), ("2025-02-03T06:05:06+02:00", 1_738_555_506),
            ("2025-02-03T04:05:06+00:00", 1_738_555_506), ("2025-02-03", 1_738_540_800),
            ("2024-02-29", 1_709_164_800), ("0000-00-00 00:00:00", nil), ("1970-01-01 00:00:00", nil),
            ("2025-13-03", nil), ("yesterday!", nil), ("2025-02-03T04", nil), ("2025-2-3 4", nil), ("", nil),
            ("12345-67-8", nil), ("2025-02-03 04:05:06 or so, nobody remembers when", nil),
        ])
    func dates(text: String, seconds: Int?) {
        #expect(PostedTime.seconds(text) == seconds)
    }

    @Test("Only plausible numbers are accepted as timestamps")
    func numericDates() {
        #expect(PostedTime.seconds(1_763_650_000.9) == 1_763_650_000)
        for number in [0, -1, 1e308, .nan, .infinity, 253_402_300_800] { #expect(PostedTime.seconds(number) == nil) }
    }
}
