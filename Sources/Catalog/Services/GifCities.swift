import Base

/// GifCities: the animated GIFs of GeoCities pages at the Internet Archive. It needs no key and has no documentation.
///
/// The API is known only from other clients. Its only known parameter is `q`, and the response is a single list of all
/// hits. If the API is gone (status 404 or 410) or does not return a JSON list, gifplay parses the result page of the
/// website's own search instead.
struct GifCities: Service {
    let profile = ServiceProfile(
        name: "gifcities", title: "GifCities",
        terms: "No key; GIFs of the 1990s web; authors and licences are unknown; links to the archived page.",
        credit: .words("GifCities · Internet Archive"), base: "https://gifcities.archive.org",
        otherBases: ["https://blob.gifcities.org/gifcities", "https://web.archive.org/web", "https://gifcities.org"],
        cachePolicy: .persistent, responseCacheSeconds: 900, timeoutMilliseconds: 12_000, filtersByRating: false)

    func target(for request: ListingRequest) -> RequestTarget? {
        let query: String
        switch request.listing {
        case .search(let typed): query = String(typed.prefix(200))
        // The service has no random listing, so the request searches for a random word. The caller shuffles the hits.
        case .random(let number): query = Self.randomWords[Int(number % UInt64(Self.randomWords.count))]
        case .trending, .item: return nil
        }
        guard request.page[Self.site] != nil else { return RequestTarget("/api/v1/gifsearch", ["q": query]) }
        var target = RequestTarget("/search", ["q": query, "offset": "0", "page_size": "50"])
        target.base = base(2, request)
        return target
    }

    /// The page parameter that is set if the website's own search is queried instead of the API.
    static let site = "site"
    /// Common subjects of GIFs on GeoCities pages, all of them harmless.
    static let randomWords = [
        "dance", "cat", "dog", "fire", "star", "alien", "robot", "skull", "rainbow", "dragon", "welcome", "music",
        "globe", "horse", "bird", "fish", "flower", "heart", "computer", "rocket", "ghost", "angel", "car", "train",
        "dinosaur", "butterfly", "construction", "email", "penguin", "snow", "moon", "sun", "ship", "space", "party",
        "clown", "dolphin", "wolf", "bear", "baby", "coffee", "camera", "football", "guitar", "wizard", "pirate",
    ]

    func fallbackRequest(for request: ListingRequest, after error: Failure?) -> ListingRequest? {
        guard request.page.isEmpty, let error, [.badAnswer, .status(404), .status(410)].contains(error.kind) else {
            return nil
        }
        var fallback = request
        fallback.page = [Self.site: "1"]
        return fallback
    }

    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(Failure) -> DecodedListing {
        if request.page[Self.site] != nil {
            let items = response.received == .html ? Self.items(onPage: response) : []
            // A page without pictures might be an unrelated page, so it counts as an error and not as an empty result.
            guard !items.isEmpty else { throw .notJSON(status: response.http.status, received: response.received) }
            return decodedListing(items, request)
        }
        // Accept only a list. This API never returns a single object in place of a list.
        return decodedListing(try response.json([Lossy<GifCitiesItem>].self).compactMap(\.value), request)
    }

    /// Parses the result page of the website's own search.
    private static func items(onPage response: ServiceResponse) -> [GifCitiesItem] {
        var items: [GifCitiesItem] = []
        var tags = TagReader(response.http.body)
        while let tag = tags.next() {
            guard tag.name == "img", let source = tag.attributes["src"], source.hasSuffix(".gif"),
                let name = source.dropLast(4).split(separator: "/").last.map(String.init),
                GifCitiesItem.isChecksum(name)
            else { continue }
            let title = tag.attributes["alt"].map { text in
                SafeText.shortened(response.redactor(SafeText.line(HTMLText.plain(text))), to: 300)
            }
            func side(_ name: String) -> Int? {
                Int(outside: tag.attributes[name].flatMap { Int(lenient: $0) }, in: 1...100_000)
            }
            items.append(
                GifCitiesItem(title: title, checksum: name, width: side("width"), height: side("height")))
        }
        return items
    }

    private func decodedListing(_ items: [GifCitiesItem], _ request: ListingRequest) -> DecodedListing {
        let references = items.prefix(1_000).compactMap { reference($0, request) }
        return DecodedListing(items: references, total: references.count)
    }

    private func reference(_ item: GifCitiesItem, _ request: ListingRequest) -> GIFReference? {
        guard !item.isJunk, let id = item.checksum ?? item.archived else { return nil }
        if request.preferences.rating != .r, ExplicitTextFilter.matches(item.archived ?? "") { return nil }
        var urls: [String] = []
        if let checksum = item.checksum { urls.append("\(base(0, request))/\(checksum).gif") }
        if let archived = item.archived, archived.utf8.count > 15 {
            // `if_` after the 14 digits of the timestamp requests the file without the toolbar of the Internet Archive.
            urls.append("\(base(1, request))/\(archived.prefix(14))if_\(archived.dropFirst(14))")
        }
        guard let url = urls.first else { return nil }
        return GIFReference(
            provider: profile.name, id: id, title: item.title ?? "", pageURL: item.page,
            attribution: ["GifCities · Internet Archive", item.page].compactMap(\.self).joined(separator: " · "),
            renditions: [
                Rendition(
                    url: url, alternatives: Array(urls.dropFirst()), width: item.width, height: item.height,
                    mayBeStill: true)
            ],
            cachePolicy: profile.cachePolicy)
    }

    private func base(_ index: Int, _ request: ListingRequest) -> String {
        request.otherBases.indices.contains(index) ? request.otherBases[index] : profile.otherBases[index]
    }
}

private struct GifCitiesItem {
    var title: String?
    /// A SHA-1 as 32 characters of Base32.
    var checksum: String?
    /// The timestamp and the original address of the file, as `<14 digits>/<address>`, percent-encoded.
    var archived: String?
    var page: String?
    var width: Int?
    var height: Int?
}

extension GifCitiesItem: Decodable {
    init(from decoder: any Decoder) throws {
        let item = try LenientObject(from: decoder)
        title = item.text("url_text")
        checksum = item.text("checksum").flatMap { Self.isChecksum($0) ? $0 : nil }
        archived = item.archived("gif")
        // Newer responses contain the full URL, and older responses only the part after `/web/`.
        page = item.address("page") ?? item.archived("page").map { "https://web.archive.org/web/\($0)" }
        width = item.size("width")
        height = item.size("height")
    }

    /// Only a checksum is safe as a file name in a URL of the archive.
    static func isChecksum(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains($0)
            }
    }

    /// Old web pages contain many spacers and dividing lines.
    var isJunk: Bool {
        guard let width, let height else { return false }
        return max(width, height) > 10 * min(width, height)
    }
}

extension LenientObject {
    /// Returns a member of the form `<14 digits>/<address>`; nil for any other value.
    fileprivate func archived(_ name: String) -> String? {
        guard let raw = text(name, limit: 2_000) else { return nil }
        let stamp = raw.prefix(14)
        guard stamp.utf8.count == 14, stamp.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            raw.dropFirst(14).first == "/"
        else { return nil }
        return WebAddress.checked(String(raw.dropFirst(15))).map { "\(stamp)/\($0)" }
    }
}
