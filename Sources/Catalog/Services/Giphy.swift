/// GIPHY, API v1: the best known catalogue. It requires a key.
///
/// A random batch is one request for 50 trending GIFs at a random offset, because `/random` returns only one GIF per
/// request, and a beta key is limited to 100 requests an hour (developers.giphy.com/docs). The caller shuffles them.
struct Giphy: Service {
    let profile = ServiceProfile(
        name: "giphy", title: "GIPHY",
        terms: "Needs a key (GIPHY_API_KEY); shown with “Powered By GIPHY”; nothing is stored on disk.",
        base: "https://api.giphy.com/v1", key: KeyUse(variable: "GIPHY_API_KEY", location: .query(name: "api_key")),
        cachePolicy: .sessionOnly, timeoutMilliseconds: 6_000, hasTrending: true)

    /// In code points. A longer query results in status 414.
    static let longestQuery = 50
    /// The highest offset that search accepts.
    static let lastSearchOffset = 4_999
    /// The highest offset that trending accepts.
    static let lastTrendingOffset = 499

    func target(for request: ListingRequest) -> RequestTarget? {
        let rating = request.preferences.rating.rawValue
        switch request.listing {
        case .search(let query):
            return RequestTarget(
                "/gifs/search",
                [
                    "q": Self.shortened(query), "limit": "25", "offset": request.page["offset"] ?? "0",
                    "rating": rating, "lang": request.preferences.language, "fields": Self.fields,
                ])
        case .trending:
            return trending(limit: 25, offset: request.page["offset"] ?? "0", rating: rating)
        case .random(let number):
            // The offset is at most 449, so that a batch of 50 does not go beyond ``lastTrendingOffset``.
            return trending(limit: 50, offset: String(number % 450), rating: rating)
        }
    }

    private func trending(limit: Int, offset: String, rating: String) -> RequestTarget {
        RequestTarget(
            "/gifs/trending",
            ["limit": String(limit), "offset": offset, "rating": rating, "fields": Self.fields])
    }

    /// `analytics` is omitted because only pingbacks need it.
    static let fields = [
        "id", "title", "url", "username", "rating", "import_datetime", "user.display_name", "images.original",
        "images.downsized",
        "images.fixed_width_small", "images.fixed_height_small", "images.fixed_width", "images.fixed_height",
    ].joined(separator: ",")

    /// At most ``longestQuery`` code points. Never splits a character.
    static func shortened(_ query: String) -> String {
        var shortened = ""
        for character in query {
            guard shortened.unicodeScalars.count + character.unicodeScalars.count <= longestQuery else { break }
            shortened.append(character)
        }
        return shortened
    }

    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(CatalogError) -> DecodedListing {
        let body = try response.json(GiphyResponse.self)
        guard body.isListing else {
            throw .notJSON(status: response.http.status, received: .unexpectedJSON)
        }
        if let status = body.status, status >= 400 {
            throw .refused(status: status, message: body.message, retryAfterSeconds: response.retryAfterSeconds)
        }
        // GIPHY's "synthetic response" (developers.giphy.com/docs) has status 200, but it indicates an outage.
        if body.gifs.isEmpty, body.responseID == nil, body.count == nil { throw .outage }
        let items = body.gifs.compactMap { reference($0, rating: request.preferences.rating) }
        return DecodedListing(items: items, next: next(after: body, request.listing), total: body.total)
    }

    private func next(after body: GiphyResponse, _ listing: ListingKind) -> [String: String]? {
        guard let count = body.count, count > 0, let offset = body.offset else { return nil }
        let (next, overflow) = offset.addingReportingOverflow(count)
        let last: Int
        switch listing {
        case .search: last = Self.lastSearchOffset
        case .trending: last = Self.lastTrendingOffset
        case .random: return nil
        }
        guard !overflow, next <= last, next < body.total ?? .max else { return nil }
        return ["offset": String(next)]
    }

    private func reference(_ gif: GiphyResponse.GIF, rating: Rating) -> GIFReference? {
        guard let id = gif.id, gif.isPicture, !gif.renditions.isEmpty else { return nil }
        guard gif.renditions.allSatisfy({ $0.frames != 1 }), rating.allows(gif.rating) else { return nil }
        let page = gif.url ?? "https://giphy.com/gifs/" + WebAddress.component(id)
        return GIFReference(
            provider: profile.name, id: id, title: gif.title ?? "", pageURL: page, author: gif.author,
            attribution: "Powered By GIPHY · \(page)", renditions: gif.renditions,
            cachePolicy: profile.cachePolicy, rating: gif.rating, tags: gif.tags, posted: gif.posted)
    }
}

/// A response of GIPHY. Any member can be missing, and every number can be written as a string.
private struct GiphyResponse: Decodable {
    var gifs: [GIF]
    var isListing: Bool
    var status: Int?
    var message: String?
    var responseID: String?
    var total: Int?
    var count: Int?
    var offset: Int?

    init(from decoder: any Decoder) throws {
        let body = try LenientObject(decoder)
        gifs = body.list(GIF.self, "data")
        isListing = body.value(OneOrMany<GIF>.self, "data")?.isPresent ?? false
        let meta = body.value(NamedMembers.self, "meta")?.object
        status = meta?.integer("status")
        message = meta?.text("msg")
        responseID = meta?.text("response_id")
        let pagination = body.value(NamedMembers.self, "pagination")?.object
        total = pagination?.integer("total_count")
        count = pagination?.integer("count")
        offset = pagination?.integer("offset")
    }

    struct GIF: Decodable {
        var id: String?
        var title: String?
        var url: String?
        var author: String?
        var rating: String?
        var tags: [String]
        var posted: Int?
        /// Whether `type` is `gif` and not `video` or `text`. True if `type` is missing, because ``Giphy/fields`` does
        /// not request this member.
        var isPicture: Bool
        var renditions: [Rendition]

        init(from decoder: any Decoder) throws {
            let gif = try LenientObject(decoder)
            id = gif.text("id")
            title = gif.text("title")
            url = gif.address("url")
            author = gif.value(NamedMembers.self, "user")?.object.text("display_name") ?? gif.text("username")
            rating = gif.text("rating")
            tags = gif.texts("tags", inside: ["text"])
            posted = PostedTime.seconds(gif.text("import_datetime"))
            isPicture = gif.text("type").map { $0 == "gif" } ?? true
            renditions = gif.value(Images.self, "images")?.renditions ?? []
        }
    }

    /// The renditions that are complete animated GIFs. Omits stills, videos, versions with six frames, and previews of
    /// the first second.
    struct Images: Decodable {
        var renditions: [Rendition] = []

        init(from decoder: any Decoder) throws {
            let images = try LenientObject(decoder)
            let others = images.names.filter { name in
                !Self.preferred.contains(name) && !Self.leftOut.contains { name.contains($0) }
            }
            for name in Self.preferred + others {
                guard let rendition = images.value(WireRendition.self, name)?.rendition else { continue }
                if renditions.contains(where: { $0.url == rendition.url }) { continue }
                renditions.append(rendition)
            }
        }

        static let preferred = [
            "fixed_width_small", "fixed_height_small", "fixed_width", "fixed_height", "downsized", "original",
        ]
        static let leftOut = ["still", "downsampled", "preview", "mp4", "looping", "hd", "4k"]
    }
}
