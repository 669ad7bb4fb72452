import Base

/// GIPHY, API v1: the best known catalogue. It requires a key.
///
/// A random batch is one request for 50 trending GIFs at a random offset, because `/random` returns only one GIF per
/// request, and a beta key is limited to 100 requests an hour (developers.giphy.com/docs). The caller shuffles them.
///
/// Any member of a response can be missing, and every number can be written as a string.
struct Giphy: Service {
    let profile = ServiceProfile(
        name: "giphy", title: "GIPHY",
        terms: "Needs a key (GIPHY_API_KEY); shown with “Powered By GIPHY”; nothing is stored on disk.",
        credit: .mark("Powered By GIPHY"), base: "https://api.giphy.com/v1",
        key: KeyUse(variable: "GIPHY_API_KEY", location: .query(name: "api_key")),
        cachePolicy: .sessionOnly, timeoutMilliseconds: 6_000, hasTrending: true)

    /// In code points. A longer query results in status 414.
    static let longestQuery = 50
    static let lastSearchOffset = 4_999
    static let lastTrendingOffset = 499

    func target(for request: ListingRequest) -> RequestTarget? {
        let rating = request.preferences.rating.rawValue
        switch request.listing {
        case .search(let query):
            return RequestTarget(
                "/gifs/search",
                [
                    "q": Self.shortened(query), "limit": "25", "offset": request.page["offset"] ?? "0",
                    "rating": rating, "lang": request.preferences.language, "fields": Self.fields(request),
                ])
        case .item: return nil
        case .trending: return trending(limit: 25, offset: request.page["offset"] ?? "0", request)
        case .random(let number):
            // The offset is at most 449, so that a batch of 50 does not go beyond ``lastTrendingOffset``.
            return trending(limit: 50, offset: String(number % 450), request)
        }
    }

    private func trending(limit: Int, offset: String, _ request: ListingRequest) -> RequestTarget {
        RequestTarget(
            "/gifs/trending",
            [
                "limit": String(limit), "offset": offset, "rating": request.preferences.rating.rawValue,
                "fields": Self.fields(request),
            ])
    }

    func completionTarget(for prefix: String, base: String) -> RequestTarget? {
        RequestTarget("/gifs/search/tags", ["q": Self.shortened(prefix), "limit": "5"])
    }

    private static func fields(_ request: ListingRequest) -> String {
        let fields = [
            "id", "title", "url", "username", "rating", "import_datetime", "user.display_name", "images.original",
            "images.downsized", "images.fixed_width_small", "images.fixed_height_small", "images.fixed_width",
            "images.fixed_height",
        ]
        return (fields + (request.reportsUse ? ["analytics"] : [])).joined(separator: ",")
    }

    /// At most ``longestQuery`` code points. Never splits a character.
    static func shortened(_ query: String) -> String {
        var shortened = ""
        for character in query {
            guard shortened.unicodeScalars.count + character.unicodeScalars.count <= longestQuery else { break }
            shortened.append(character)
        }
        return shortened
    }

    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(Failure) -> DecodedListing {
        let body = try response.json(LenientObject.self)
        guard let gifs = body.listing("data") else { throw response.unexpectedJSON }
        let meta = body.object("meta")
        if let status = meta?.integer("status"), status >= 400 {
            throw .refused(
                status: status, message: meta?.text("msg"), retryAfterSeconds: response.http.retryAfterSeconds)
        }
        let pagination = body.object("pagination")
        // GIPHY's "synthetic response" (developers.giphy.com/docs) has status 200, but it indicates an outage.
        if gifs.isEmpty, meta?.text("response_id") == nil, pagination?.integer("count") == nil { throw .outage }
        return DecodedListing(
            items: gifs.compactMap(reference).filter { request.preferences.rating.allows($0.rating) },
            next: pagination.flatMap { next(after: $0, request.listing) }, total: pagination?.size("total_count"))
    }

    private func next(after pagination: LenientObject, _ listing: ListingKind) -> [String: String]? {
        guard let count = pagination.integer("count"), count > 0, let offset = pagination.integer("offset") else {
            return nil
        }
        let next = offset + count
        let last: Int
        switch listing {
        case .search: last = Self.lastSearchOffset
        case .trending, .item: last = Self.lastTrendingOffset
        case .random: return nil
        }
        guard next <= last, next < pagination.integer("total_count") ?? .max else { return nil }
        return ["offset": String(next)]
    }

    /// Nil for a video or a text, and for a GIF without an animated file.
    private func reference(_ gif: LenientObject) -> GIFReference? {
        let renditions = gif.object("images").map(Self.renditions) ?? []
        // `type` is usually missing, because ``fields(_:)`` does not contain it.
        guard let id = gif.text("id"), ["gif", nil].contains(gif.text("type")), !renditions.isEmpty,
            renditions.allSatisfy({ $0.frames != 1 })
        else { return nil }
        let page = gif.address("url") ?? "https://giphy.com/gifs/" + WebAddress.component(id)
        var reference = GIFReference(
            provider: profile.name, id: id, title: gif.text("title") ?? "", pageURL: page,
            author: gif.object("user")?.text("display_name") ?? gif.text("username"),
            attribution: "Powered By GIPHY · \(page)", renditions: renditions, cachePolicy: profile.cachePolicy,
            rating: gif.text("rating"), tags: gif.texts("tags", inside: ["text"]),
            posted: PostedTime.seconds(gif.text("import_datetime")))
        let reports = gif.object("analytics")
        reference.useReports[.view] = reports?.object("onload")?.address("url")
        reference.useReports[.share] = reports?.object("onsent")?.address("url")
        return reference
    }

    /// The complete animated GIFs. Omits stills, videos, and versions with six frames or one second.
    private static func renditions(_ images: LenientObject) -> [Rendition] {
        let others = images.names.filter { name in
            !preferred.contains(name) && !leftOut.contains { name.contains($0) }
        }
        var urls: Set<String> = []
        return (preferred + others).compactMap(images.rendition).filter { urls.insert($0.url).inserted }
    }

    private static let preferred = [
        "fixed_width_small", "fixed_height_small", "fixed_width", "fixed_height", "downsized", "original",
    ]
    private static let leftOut = ["still", "downsampled", "preview", "mp4", "looping", "hd", "4k"]
}
