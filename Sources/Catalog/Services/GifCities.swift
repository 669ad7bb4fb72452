import Base

/// GifCities: the animated GIFs of GeoCities' pages, at the Internet Archive; no key, no documentation.
///
/// Seen in clients only: `q` is the one known parameter, the answer one list of everything. Should
/// the call be gone or answer in HTML, the page of the site's own search is read instead.
struct GifCities: Service {
    let profile = ServiceProfile(
        name: "gifcities", title: "GifCities",
        terms: "No key; GIFs of the 1990s' web, authors and licences unknown; the archived page is shown.",
        base: "https://gifcities.archive.org",
        otherBases: [
            "https://blob.gifcities.org/gifcities", "https://web.archive.org/web", "https://gifcities.org",
        ],
        cachePolicy: .persistent, answersKeptSeconds: 900, timeoutMilliseconds: 12_000, rates: false)

    func call(_ question: Question) -> Call? {
        let words: String
        switch question.listing {
        case .search(let typed): words = String(typed.prefix(200))
        // No random listing: a word by chance, its hits shuffled by the caller.
        case .random(let draw): words = Self.randomWords[Int(draw % UInt64(Self.randomWords.count))]
        case .trending: return nil
        }
        guard question.page[Self.site] != nil else { return Call("/api/v1/gifsearch", ["q": words]) }
        var call = Call("/search", ["q": words, "offset": "0", "page_size": "50"])
        call.base = base(2, question)
        return call
    }

    /// Set in the page's words once the site itself is asked.
    static let site = "site"
    /// What the old web drew, all of it harmless.
    static let randomWords = [
        "dance", "cat", "dog", "fire", "star", "alien", "robot", "skull", "rainbow", "dragon", "welcome", "music",
        "globe", "horse", "bird", "fish", "flower", "heart", "computer", "rocket", "ghost", "angel", "car", "train",
        "dinosaur", "butterfly", "construction", "email", "penguin", "snow", "moon", "sun", "ship", "space", "party",
        "clown", "dolphin", "wolf", "bear", "baby", "coffee", "camera", "football", "guitar", "wizard", "pirate",
    ]

    func secondChance(_ question: Question, after error: CatalogError?) -> Question? {
        guard question.page.isEmpty else { return nil }
        switch error {
        case .notJSON, .refused(404, _, _), .refused(410, _, _): break
        default: return nil
        }
        var again = question
        again.page = [Self.site: "1"]
        return again
    }

    func decode(_ answer: Answer, to question: Question) throws(CatalogError) -> Listed {
        if question.page[Self.site] != nil {
            let items = answer.received == .html ? GifCitiesPage.items(answer) : []
            // A page without pictures may be any page, so it does not say that nothing was found.
            guard !items.isEmpty else {
                throw .notJSON(status: answer.response.status, received: answer.received)
            }
            return listed(items, question)
        }
        // A list, and nothing that stands for a list of one: an object is no answer of this call.
        return listed(try answer.json([Lossy<GifCitiesItem>].self).compactMap(\.value), question)
    }

    private func listed(_ items: [GifCitiesItem], _ question: Question) -> Listed {
        let references = items.prefix(1_000).compactMap { reference($0, question) }
        return Listed(items: references, total: references.count)
    }

    private func reference(_ item: GifCitiesItem, _ question: Question) -> GIFReference? {
        guard !item.isJunk, let id = item.checksum ?? item.archived else { return nil }
        if question.preferences.rating != .r, ExplicitWords.areIn(item.archived ?? "") { return nil }
        var urls: [String] = []
        if let checksum = item.checksum { urls.append("\(base(0, question))/\(checksum).gif") }
        if let archived = item.archived, archived.utf8.count > 15 {
            // `if_` behind the 14 digits asks the archive for the file without its toolbar.
            urls.append("\(base(1, question))/\(archived.prefix(14))if_\(archived.dropFirst(14))")
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

    private func base(_ index: Int, _ question: Question) -> String {
        question.otherBases.indices.contains(index) ? question.otherBases[index] : profile.otherBases[index]
    }
}

/// One GIF of a page of GeoCities.
private struct GifCitiesItem: Decodable {
    var title: String?
    /// 32 characters of base 32, a SHA-1.
    var checksum: String?
    /// `<14 digits>/<address>`, percent-encoded.
    var archived: String?
    var page: String?
    var width: Int?
    var height: Int?

    init(checksum: String, title: String?, width: Int?, height: Int?) {
        self.checksum = checksum
        self.title = title
        self.width = width
        self.height = height
    }

    init(from decoder: any Decoder) throws {
        let item = try LenientObject(decoder)
        title = item.text("url_text")
        checksum = item.text("checksum").flatMap { Self.isChecksum($0) ? $0 : nil }
        archived = item.archived("gif")
        // Newer answers have the whole address, older ones only what stands behind `/web/`.
        page = item.address("page") ?? item.archived("page").map { "https://web.archive.org/web/\($0)" }
        width = item.size("width")
        height = item.size("height")
    }

    /// Whether a text is safe and long enough to be a file's name at the archive.
    static func isChecksum(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains($0)
            }
    }

    /// Spacers and bars, of which the old web is full.
    var isJunk: Bool {
        guard let width, let height else { return false }
        return width < 30 || height < 30 || max(width, height) > 10 * min(width, height)
    }
}

extension LenientObject {
    /// A member of the form `<14 digits>/<address>`.
    fileprivate func archived(_ name: String) -> String? {
        guard let raw = text(name, limit: 2_000) else { return nil }
        let stamp = raw.prefix(14)
        guard stamp.utf8.count == 14, stamp.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            raw.dropFirst(14).first == "/"
        else { return nil }
        return WebAddress.checked(String(raw.dropFirst(15))).map { "\(stamp)/\($0)" }
    }
}

/// The result page of the site's own search.
private enum GifCitiesPage {
    /// The pictures whose address ends in a checksum.
    static func items(_ answer: Answer) -> [GifCitiesItem] {
        let html = String(decoding: answer.response.body, as: UTF8.self)
        return html.split(separator: "<img", omittingEmptySubsequences: true).dropFirst().compactMap { chunk in
            let tag = chunk.prefix { $0 != ">" }
            guard let source = attribute("src", tag), source.hasSuffix(".gif") else { return nil }
            guard let name = source.dropLast(4).split(separator: "/").last.map(String.init),
                GifCitiesItem.isChecksum(name)
            else { return nil }
            let title = attribute("alt", tag).map { text in
                SafeText.shortened(answer.redactor(SafeText.line(HTMLText.plain(text))), to: 300)
            }
            return GifCitiesItem(
                checksum: name, title: title, width: side("width", tag), height: side("height", tag))
        }
    }

    private static func side(_ name: String, _ tag: Substring) -> Int? {
        attribute(name, tag).flatMap(FlexInt.parsed).flatMap { (1...100_000).contains($0) ? $0 : nil }
    }

    private static func attribute(_ name: String, _ tag: Substring) -> String? {
        guard let start = tag.firstRange(of: " \(name)=\"") else { return nil }
        return String(tag[start.upperBound...].prefix { $0 != "\"" })
    }
}
