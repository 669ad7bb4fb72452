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
            ("https://i.redd.it?@evil.example/a.gif", "i.redd.it"), ("https://i.redd.it:99999/a.gif", nil),
            ("https://i.redd.it:x/a.gif", nil), ("https://i.redd.it /a.gif", nil),
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
            ("true", nil), ("\"x\"", nil), ("1e400", nil), ("\"1e30\"", nil), ("[]", nil), ("{}", nil),
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

@Suite("Byte sizes") struct ByteSizeTests {
    @Test(
        "A file size is printed in a decimal unit and rounded half up",
        arguments: [
            (-1, "0 B"), (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1499, "1 kB"), (1500, "2 kB"),
            (172_499, "172 kB"), (172_500, "173 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (1_249_999, "1.2 MB"),
            (1_250_000, "1.3 MB"), (12_345_678, "12.3 MB"), (999_949_999, "999.9 MB"), (999_950_000, "1.0 GB"),
            (5_050_000_000, "5.1 GB"), (Int.max, "9223372036.9 GB"),
        ])
    func file(bytes: Int, text: String) {
        #expect(ByteSize.file(bytes) == text)
    }

    @Test("A file size can be printed with a decimal comma")
    func decimalMark() {
        #expect(ByteSize.file(1_250_000, decimalMark: ",") == "1,3 MB")
    }

    @Test(
        "A limit is printed in the largest binary unit that represents it exactly",
        arguments: [
            (0, "0 B"), (1000, "1000 B"), (1024, "1 KiB"), (512 << 20, "512 MiB"), (1 << 30, "1 GiB"),
            (3 << 29, "1536 MiB"), (536_870_913, "536870913 B"),
        ])
    func limit(bytes: Int, text: String) {
        #expect(ByteSize.limit(bytes) == text)
    }
}

@Suite struct WebAddressTests {
    private static let url = "https://Ann:secret@Media.Example.org:8443/cats/a.gif?api_key=secret#secret"

    @Test("The displayed URL contains neither the user name nor the query nor the fragment")
    func displayText() {
        #expect(WebAddress.displayText(Self.url) == "https://Media.Example.org:8443/cats/a.gif")
        #expect(WebAddress.displayText("http://example.org?key=secret") == "http://example.org")
        #expect(WebAddress.displayText("https://example.org/a?b=https://c.example/d") == "https://example.org/a")
    }

    @Test("The host is in lower case and has no port; the authority has the original case and the port")
    func host() {
        #expect(WebAddress.host(Self.url) == "media.example.org")
        #expect(WebAddress.authority(Self.url) == "Media.Example.org:8443")
        #expect(WebAddress.host("https://a@b@example.org/c") == "example.org")
        #expect(WebAddress.host("example.org/a.gif") == "example.org")
        #expect(WebAddress.host("http://[::1]:80/a.gif") == "[::1]")
    }

    @Test("The base URL of a source has a scheme of the web, a host and a possible port")
    func bases() {
        for text in [
            "http://a", "HTTPS://A.example:8443/w?x=1", "https://u:p@a.example/", "http://[::1]",
            "http://[::1]:65535/w", "https://bücher.example", "http://a=b", "http://127.0.0.1:1",
        ] { #expect(WebAddress.isBase(text), "\(text)") }
        for text in [
            "", "x", "ftp://x", "https://", "https:///w", "http://x:99999", "http://x:0", "http://x:", "http://a b",
            "http://:80", "http://[::1", "http://[::1]x", "http://u@", "http:/a", "//a", "http://a\u{7F}", "http://<a>",
            "http://a:-1", "http://a:1:2",
        ] { #expect(!WebAddress.isBase(text), "\(text)") }
    }

    @Test("The title is the last part of the path, or the host if the path is empty")
    func title() {
        #expect(WebAddress.title(Self.url) == "a.gif")
        #expect(WebAddress.title("https://example.org/cats/") == "cats")
        #expect(WebAddress.title("https://Example.org/") == "example.org")
        #expect(WebAddress.title("https://example.org?file=/a.gif") == "example.org")
    }
}
