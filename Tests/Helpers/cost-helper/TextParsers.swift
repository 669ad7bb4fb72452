import FoundationEssentials

@testable import Base
@testable import Catalog

private let redactor = Redactor([Secret("KeY0+SeCrEt/9876")].compactMap(\.self))

private func response(_ body: [UInt8]) -> ServiceResponse {
    ServiceResponse(http: HTTPResponse(status: 200, body: body), redactor: redactor)
}

/// Decodes a response of a service, and cleans its references as the library does.
private func decode(_ service: any Service, page: [String: String] = [:]) -> @Sendable (String) -> Void {
    { body in
        let request = ListingRequest(listing: .search(query: "cat"), preferences: ListingPreferences(), page: page)
        let listing = try? service.decode(response(Array(body.utf8)), to: request)
        for item in listing?.items ?? [] { _ = item.cleaned() }
    }
}

private let json = [
    "1,", "[", "{\"a\":", "\"\\u0041\",", "\"a\",", "1e999,", "null,", "{\"id\":\"1\"},", "{},", "-", " ", "\"",
    "{\"images\":{\"a\":{\"url\":\"https://a.example/b\"}}},",
    "{\"file\":{\"a\":{\"gif\":{\"url\":\"https://h/b\"}}}},",
]
private let elements = [
    "<a>", "<a/>", "<a></a>", "<a b='c'/>", "&lt;", "<![CDATA[a]]>", "<!--a-->", "a", "<entry><id>t3_a</id></entry>",
    "href=\"", "&#65;", "<a:b xmlns:a='c'/>", "<?a b?>",
]
private let pages = [
    "<meta property=og:image content='a.gif'>", "<img src='", "<img src=a.gif ", "<title>", "<base href=/a/>", "<meta ",
    "='",
    "<script id=store-cache>{", "<link rel=image_src href=a>", "</title", "<!-",
]
/// Recognises what a user has typed or pasted.
private let recognise: @Sendable (String) -> Void = { text in
    _ = (TypedAddress(text), TypedAddress.joiningLines(text), ShellText.words(text), ShellText.command([text]))
    _ = SearchQuery(text)
}

private let atom = ("<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><id>t3_a</id><content>", "")

let textParsers = [
    Parser("html", titles) { _ = HTMLText.plain($0) },
    Parser("title", titles) { text in
        // Every title has passed this before it is used.
        let line = SafeText.shortened(redactor(SafeText.line(text)), to: LenientObject.textLimit)
        _ = (SafeText.sentence(text), SafeText.escaped(json: text), SafeText.isSafe(line))
        _ = ExplicitTextFilter.matches(line)
        let item = GIFReference(
            provider: "a", id: "b", title: line, attribution: line + " · https://h", renditions: [],
            cachePolicy: .embedded)
        _ = (ResultRanking("dancing cat").sorted([item]), item.credit)
    },
    Parser("query", titles) { text in
        _ = (ResultRanking(text).bestScore(of: []), SampleSearch().search(text), EditDistance.between(text, "cat"))
        _ = (Commons.terms(of: text), Giphy.shortened(text), WebAddress.component(text))
    },
    Parser("address", addresses, frame: ("https://a.example/", "")) { text in
        _ = (WebAddress.checked(text), WebAddress.fileExtension(text), WebAddress.shareable(text))
        _ = (WebAddress.displayText(text), WebAddress.title(text), ParsedURL("http://h/")?.resolving(text))
        _ = (TypedAddress(text), LinkRule.target(of: text))
    },
    Parser(
        "file name", ["\"", "\\", ";", ";a=", "'", "%41", "/", "é", ";filename*=u''%"], frame: ("filename*=utf-8''", "")
    ) {
        _ = ContentDisposition.fileName($0)
    },
    Parser("path", ["a", "é", "1", "01", "/", "\u{10F7E9}", "e\u{301}", "."]) { text in
        let path = String(path: text.utf8.flatMap { [$0, 0xFF] })
        _ = (path.pathBytes, FileSystem.parent(of: path), NaturalOrder(path), SafeText.path(path))
    },
    Parser("authority", addresses, frame: ("https://", "")) { text in
        _ = (WebAddress.checked(text), WebAddress.host(text), WebAddress.shareable(text))
    },
    Parser("page", titles + elements + pages) { _ = PageScan(Array($0.utf8), at: "https://a.example/b") },
    Parser("feed of a page", titles + elements, frame: ("<feed>", "")) { text in
        _ = PageScan(Array(text.utf8), at: "https://a.example/b")
    },
    Parser("pasted text", pastes, recognise), Parser("pasted link", pastes, frame: ("https://a.com/", ""), recognise),
    Parser("pasted words", pastes, frame: ("look at a.com/", ""), recognise),
    Parser("pasted path", pastes, frame: ("/a/", ""), recognise),
    Parser("numbers and hosts", ["1", ".", "0x7f.", "[", ":", "localhost.", "10.0.0.0/8", " "]) { text in
        _ = (LocalAddress.literal(host: text), LocalAddress.isLocal(text), LocalAddress.isAddress(text, in: text))
        _ = (
            Int(outside: text),
            EnvironmentProxy(url: "http://" + text, environment: ["http_proxy": text, "no_proxy": text])
        )
    },
    Parser("data address", ["%41", "QUJD", "+", "%", "=", "é"], frame: ("data:;base64,", "")) { _ = TypedAddress($0) },
    Parser("GIPHY", json, frame: ("{\"data\":[", "1]}"), decode(Giphy())),
    Parser("KLIPY", json, frame: ("{\"data\":{\"data\":[", "1]}}"), decode(Klipy())),
    Parser("Commons", json, frame: ("{\"query\":{\"pages\":[", "1]}}"), decode(Commons())),
    Parser("Commons artist", titles) { text in
        let text = text.filter { !"\"\\\u{1B}\n".contains($0) }
        decode(Commons())(
            """
            {"query":{"pages":[{"pageid":7,"imageinfo":[{"url":"https://h/a.gif","duration":1,"extmetadata":\
            {"Artist":{"value":"\(text)"},"ImageDescription":{"value":"\(text)"}}}]}]}}
            """)
    },
    Parser("GifCities", json, frame: ("[", "1]"), decode(GifCities())),
    Parser(
        "GifCities page",
        ["<img", "<img src=\"", "<img src=\"/a.gif\" alt=\"<a", " src=\"", ">", "<", "a", " alt=\"", "🇩🇪"],
        frame: ("<html>", ""), decode(GifCities(), page: [GifCities.site: "1"])),
    // A new service each time, because it keeps the decoded index.
    Parser("emoji", json, frame: ("{\"icons\":[", "1]}")) { decode(Emoji())($0) },
    Parser("nekos", json, frame: ("{\"results\":[", "1]}"), decode(Nekos())),
    Parser("Openverse", json, frame: ("{\"results\":[", "1]}"), decode(Openverse())),
    Parser("refusal", json + titles) { _ = response(Array($0.utf8)).message },
    Parser("Reddit feed", elements + titles, frame: (atom.0, "</content></entry></feed>")) {
        guard let community = Community("gifs") else { return }
        decode(Reddit(community, CatalogSettings(), version: "1.0"))($0)
    },
    Parser("stored response", ["1\n", "\n", ":", "etag:", "a", "\r"], frame: ("1\n1\na\n", "")) {
        _ = StoredResponse(Array($0.utf8))
    },
    Parser("headers", ["1", ",", "a,", "max-age=1,", " ", "/", "bytes 1-", "Sun, ", "\"", "no-cache=", "-", ":"]) {
        text in
        let headers = ["cache-control", "vary", "expires", "date", "retry-after"].map { ($0, text) }
        _ = StoredResponse.allowsDisk(Dictionary(uniqueKeysWithValues: headers), unixSeconds: 0)
        _ = StoredResponse.freshSeconds(Dictionary(uniqueKeysWithValues: headers), receivedAt: 0)
        _ = (
            RetryPolicy.requestedSeconds(Dictionary(uniqueKeysWithValues: headers), unixSeconds: 0),
            ContentRange("bytes " + text)
        )
        _ = (HTTPDate.unixSeconds(text), PostedTime.seconds(text), Int(lenient: text))
    },
]
