/// KLIPY, API v1: a catalogue that offers many sizes and requires a key.
///
/// The documentation is behind a bot check, so the facts in this file come from the official demo app and from test
/// requests on 2026-07-01. The key is a segment of the path. A bad key results in status 404, and the error message
/// contains the key.
struct Klipy: Service {
    let profile = ServiceProfile(
        name: "klipy", title: "KLIPY",
        terms: "Needs a key (KLIPY_API_KEY); shown with “Powered by KLIPY”; nothing is stored on disk.",
        base: "https://api.klipy.com/api/v1", key: KeyUse(variable: "KLIPY_API_KEY", location: .path),
        // KLIPY's caching terms are unknown, so the policy is as strict as GIPHY's.
        cachePolicy: .sessionOnly, timeoutMilliseconds: 6_000, hasTrending: true,
        // A test key had a measured limit of 100 requests an hour. No header reports when the quota is reset.
        quotaHeaders: ["x-ratelimit-remaining": 600])

    func target(for request: ListingRequest) -> RequestTarget? {
        let page = request.page["page"] ?? "1"
        switch request.listing {
        case .search(let query):
            return makeTarget("/gifs/search", query: String(query.prefix(200)), page: page, perPage: 24, request)
        case .trending:
            return makeTarget("/gifs/trending", query: nil, page: page, perPage: 24, request)
        case .random(let number):
            // There is no random listing. The number of trending pages is unknown, so only the first 5 pages are used.
            let page = request.page["page"] ?? String(1 + number % 5)
            return makeTarget("/gifs/trending", query: nil, page: page, perPage: 50, request)
        }
    }

    private func makeTarget(
        _ path: String, query: String?, page: String, perPage: Int, _ request: ListingRequest
    ) -> RequestTarget {
        RequestTarget(
            path,
            [
                "q": query, "page": page, "per_page": String(perPage), "customer_id": request.visitorIdentifier,
                "locale": request.preferences.language, "content_filter": Self.filter(request.preferences.rating),
                "format_filter": "gif",
            ])
    }

    /// One known client sends `content_filter`, and another one sends `rating`. The effects of both are unverified.
    static func filter(_ rating: Rating) -> String {
        switch rating {
        case .g: "high"
        case .pg: "medium"
        case .pg13: "low"
        case .r: "off"
        }
    }

    /// If the page chosen at random is beyond the last page, requests the first one, which always exists.
    func fallbackRequest(for request: ListingRequest, after error: CatalogError?) -> ListingRequest? {
        guard case .random = request.listing, error == nil, request.page.isEmpty else { return nil }
        var fallback = request
        fallback.page = ["page": "1"]
        return fallback
    }

    func interpreted(_ error: CatalogError) -> CatalogError {
        guard case .refused(404, let message?, _) = error, let key = profile.key else { return error }
        let text = message.lowercased()
        guard text.contains("key"), text.contains("invalid") else { return error }
        return .keyRefused(variable: key.variable, message: message)
    }

    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(CatalogError) -> DecodedListing {
        let body = try response.json(KlipyResponse.self)
        if body.failed {
            throw .api(
                code: "result", message: body.message ?? "", retryAfterSeconds: response.retryAfterSeconds)
        }
        guard let listing = body.listing, listing.isListing else {
            throw .notJSON(status: response.http.status, received: .unexpectedJSON)
        }
        var next: [String: String]?
        let page = listing.page ?? request.number("page") ?? 1
        if listing.hasNext, page < 10_000, !listing.isEmpty { next = ["page": String(page + 1)] }
        if case .random = request.listing { next = nil }
        return DecodedListing(items: listing.items.compactMap(reference), next: next)
    }

    private func reference(_ item: KlipyResponse.Item) -> GIFReference? {
        guard let id = item.id, item.isPicture, !item.renditions.isEmpty else { return nil }
        let page = item.slug.map { "https://klipy.com/gifs/" + WebAddress.component($0) }
        return GIFReference(
            provider: profile.name, id: id, title: item.title ?? "", pageURL: page,
            attribution: ["Powered by KLIPY", page].compactMap(\.self).joined(separator: " · "),
            renditions: item.renditions, cachePolicy: profile.cachePolicy, tags: item.tags)
    }
}

/// A response of KLIPY. Its member `data` is a page. The list of items is the member `data` of that page.
private struct KlipyResponse: Decodable {
    var failed: Bool
    var message: String?
    var listing: Page?

    init(from decoder: any Decoder) throws {
        let body = try LenientObject(decoder)
        failed = body.flag("result") == false
        message = try ServiceErrorBody(from: decoder).message
        listing = body.value(Page.self, "data")
    }

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

    /// It can be an advertisement.
    struct Item: Decodable {
        var id: String?
        var slug: String?
        var title: String?
        var tags: [String]
        /// Whether the item is a GIF or a sticker, and not an advertisement or a clip. True if `type` is missing. Clips
        /// are excluded, because their member `file` has a different format.
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

    /// Their names do not determine the sizes: the `md` file can be larger than the `hd` file. Their order matters only
    /// if the sizes are unknown.
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
