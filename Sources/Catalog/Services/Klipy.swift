/// KLIPY, API v1: rich in sizes, for those who hold a key.
///
/// Its documentation lies behind a bot check; the facts are from its official demo app and from a
/// probe of 2026-07-01. The key is a segment of the path, and a bad one is a 404 that echoes it.
struct Klipy: Service {
    let profile = ServiceProfile(
        name: "klipy", title: "KLIPY",
        terms: "Key needed (KLIPY_API_KEY); shown with “Powered by KLIPY”; media and answers are not kept on disk.",
        base: "https://api.klipy.com/api/v1", key: KeyUse(variable: "KLIPY_API_KEY", place: .path),
        // Its terms on caching are unknown: as strict as GIPHY's until they are known.
        cachePolicy: .sessionOnly, timeoutMilliseconds: 6_000, hasTrending: true,
        // 100 an hour were measured for a test key; no header says when they come back.
        quotaHeaders: ["x-ratelimit-remaining": 600])

    func call(_ question: Question) -> Call? {
        let page = question.page["page"] ?? "1"
        switch question.listing {
        case .search(let words):
            return call("/gifs/search", words: String(words.prefix(200)), page: page, perPage: 24, question)
        case .trending:
            return call("/gifs/trending", words: nil, page: page, perPage: 24, question)
        case .random(let draw):
            // There is no random listing; how far trending goes is unknown, so the dice stay low.
            let page = question.page["page"] ?? String(1 + draw % 5)
            return call("/gifs/trending", words: nil, page: page, perPage: 50, question)
        }
    }

    private func call(_ path: String, words: String?, page: String, perPage: Int, _ question: Question) -> Call {
        Call(
            path,
            [
                "q": words, "page": page, "per_page": String(perPage), "customer_id": question.visitor,
                "locale": question.preferences.language, "content_filter": Self.filter(question.preferences.rating),
                "format_filter": "gif",
            ])
    }

    /// `content_filter` and `rating` are each seen in one client; only the first is sent, none is proven.
    static func filter(_ rating: Rating) -> String {
        switch rating {
        case .g: "high"
        case .pg: "medium"
        case .pg13: "low"
        case .r: "off"
        }
    }

    /// Behind the end of trending the dice meant nothing: the first page is always there.
    func secondChance(_ question: Question, after error: CatalogError?) -> Question? {
        guard case .random = question.listing, error == nil, question.page.isEmpty else { return nil }
        var again = question
        again.page = ["page": "1"]
        return again
    }

    func refined(_ error: CatalogError) -> CatalogError {
        guard case .refused(404, let message?, _) = error, let key = profile.key else { return error }
        let words = message.lowercased()
        guard words.contains("key"), words.contains("invalid") else { return error }
        return .keyRefused(variable: key.variable, message: message)
    }

    func decode(_ answer: Answer, to question: Question) throws(CatalogError) -> Listed {
        let body = try answer.json(KlipyAnswer.self)
        if body.failed {
            throw .api(
                code: "result", message: body.message ?? "", retryAfterSeconds: answer.retryAfterSeconds)
        }
        guard let listing = body.listing, listing.isListing else {
            throw .notJSON(status: answer.response.status, received: .unexpectedJSON)
        }
        var next: [String: String]?
        let page = listing.page ?? question.number("page") ?? 1
        if listing.hasNext, page < 10_000, !listing.isEmpty { next = ["page": String(page + 1)] }
        if case .random = question.listing { next = nil }
        return Listed(items: listing.items.compactMap(reference), next: next)
    }

    private func reference(_ item: KlipyAnswer.Item) -> GIFReference? {
        guard let id = item.id, item.isPicture, !item.renditions.isEmpty else { return nil }
        let page = item.slug.map { "https://klipy.com/gifs/" + WebAddress.component($0) }
        return GIFReference(
            provider: profile.name, id: id, title: item.title ?? "", pageURL: page,
            attribution: ["Powered by KLIPY", page].compactMap(\.self).joined(separator: " · "),
            renditions: item.renditions, cachePolicy: profile.cachePolicy, tags: item.tags)
    }
}

/// What KLIPY answers: an envelope around an envelope.
private struct KlipyAnswer: Decodable {
    var failed: Bool
    var message: String?
    var listing: Page?

    init(from decoder: any Decoder) throws {
        let body = try LenientObject(decoder)
        failed = body.flag("result") == false
        message = try ErrorBody(from: decoder).message
        listing = body.value(Page.self, "data")
    }

    /// The inner envelope, which is a page.
    struct Page: Decodable {
        var items: [Item]
        var isListing: Bool
        var isEmpty: Bool
        var page: Int?
        var hasNext: Bool

        init(from decoder: any Decoder) throws {
            let page = try LenientObject(decoder)
            let list = page.value(OneOrMany<Item>.self, "data")
            items = list?.items ?? []
            isListing = list?.isPresent ?? false
            isEmpty = items.isEmpty
            self.page = page.size("current_page")
            hasNext = page.flag("has_next") ?? false
        }
    }

    /// One of the list, which may be an advertisement.
    struct Item: Decodable {
        var id: String?
        var slug: String?
        var title: String?
        var tags: [String]
        /// Not an advertisement, and no clip, whose `file` has another shape.
        var isPicture: Bool
        var renditions: [Rendition]

        init(from decoder: any Decoder) throws {
            let item = try LenientObject(decoder)
            id = item.text("id")
            slug = item.text("slug")
            title = item.text("title")
            tags = item.texts("tags", inside: ["name", "text"])
            isPicture = item.text("type").map { $0 == "gif" || $0 == "sticker" } ?? true
            renditions = item.value(Tiers.self, "file")?.renditions ?? []
        }
    }

    /// The tiers; their names are no ladder (`md` larger than `hd` was seen), the order is for want of sizes.
    struct Tiers: Decodable {
        var renditions: [Rendition] = []

        init(from decoder: any Decoder) throws {
            let file = try LenientObject(decoder)
            let known = ["xs", "sm", "md", "hd"]
            for name in known + file.names.filter({ !known.contains($0) }) {
                let tier = file.value(NamedMembers.self, name)?.object
                guard let rendition = tier?.value(WireRendition.self, "gif")?.rendition else { continue }
                renditions.append(rendition)
            }
        }
    }
}
