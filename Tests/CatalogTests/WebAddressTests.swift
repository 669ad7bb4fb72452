import Testing

@testable import Catalog

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
            "http://[::1]:65535/w",
            "https://bücher.example", "http://a=b", "http://127.0.0.1:1",
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
