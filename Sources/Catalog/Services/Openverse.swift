/// Openverse: openly licensed pictures from many collections, with low limits for clients without an account.
///
/// Reported limits: 20 requests a minute and 200 a day. A page size over 20 results in status 401.
struct Openverse: Service {
    let profile = ServiceProfile(
        name: "openverse", title: "Openverse",
        terms: "No key; about 20 searches a minute and 200 a day; author and licence are shown.",
        base: "https://api.openverse.org", cachePolicy: .persistent, responseCacheSeconds: 900,
        timeoutMilliseconds: 8_000,
        quotaHeaders: ["x-ratelimit-available-anon_burst": 60, "x-ratelimit-available-anon_sustained": 600])

    /// The last page that the service returns.
    static let lastPage = 20

    func target(for request: ListingRequest) -> RequestTarget? {
        guard case .search(let query) = request.listing else { return nil }
        return RequestTarget(
            "/v1/images/",
            [
                // The service ignores all characters of the query after the first 200, so they are not sent.
                "q": String(query.prefix(200)), "extension": "gif", "page": request.page["page"] ?? "1",
                "page_size": "20", "mature": request.preferences.rating == .r ? "true" : "false",
            ])
    }

    /// The time to wait is only in the message (`Expected available in 41 seconds.`).
    func interpreted(_ error: CatalogError) -> CatalogError {
        guard case .refused(429, let message?, nil) = error else { return error }
        let seconds = message.firstRange(of: "available in ").map { message[$0.upperBound...].prefix { $0.isNumber } }
        return .refused(
            status: 429, message: message,
            retryAfterSeconds: seconds.flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, 86_400) : nil })
    }

    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(CatalogError) -> DecodedListing {
        let body = try response.json(OpenverseResponse.self)
        guard body.isListing else {
            throw .notJSON(status: response.http.status, received: .unexpectedJSON)
        }
        let page = body.page ?? request.number("page") ?? 1
        let isLast = page >= min(body.pages ?? page, Self.lastPage)
        let rating = request.preferences.rating
        return DecodedListing(
            items: body.pictures.compactMap { reference($0, rating: rating) },
            next: isLast ? nil : ["page": String(page + 1)], total: body.total)
    }

    private func reference(_ picture: OpenverseResponse.Picture, rating: Rating) -> GIFReference? {
        guard let id = picture.id, var rendition = picture.rendition else { return nil }
        guard picture.fileType == nil || picture.fileType == "gif", rating == .r || !picture.isMature else {
            return nil
        }
        // Many of the pictures are stills, and the response does not contain the number of frames.
        rendition.mayBeStill = true
        return GIFReference(
            provider: profile.name, id: id, title: picture.title ?? "", pageURL: picture.landing,
            author: picture.creator, licence: picture.licence, licenceURL: picture.licenceURL,
            attribution: picture.attribution
                ?? AttributionFormat.line(picture.title, picture.creator, picture.licence, picture.landing),
            renditions: [rendition], cachePolicy: profile.cachePolicy, tags: picture.tags)
    }
}

/// A response of Openverse, in which most members can be null.
private struct OpenverseResponse: Decodable {
    var pictures: [Picture]
    var isListing: Bool
    var total: Int?
    var pages: Int?
    var page: Int?

    init(from decoder: any Decoder) throws {
        let body = try LenientObject(decoder)
        let list = body.value(OneOrMany<Picture>.self, "results")
        pictures = list?.items ?? []
        isListing = list?.isPresent ?? false
        total = body.integer("result_count")
        pages = body.integer("page_count")
        page = body.size("page")
    }

    /// It might be a still.
    struct Picture: Decodable {
        var id: String?
        var title: String?
        var landing: String?
        var creator: String?
        var licence: String?
        var licenceURL: String?
        var attribution: String?
        var fileType: String?
        var isMature: Bool
        var tags: [String]
        var rendition: Rendition?

        init(from decoder: any Decoder) throws {
            let picture = try LenientObject(decoder)
            id = picture.text("id")
            title = picture.text("title")
            landing = picture.address("foreign_landing_url")
            creator = picture.text("creator", limit: 120)
            licence = Self.licence(picture.text("license"), picture.text("license_version"))
            licenceURL = picture.address("license_url")
            attribution = picture.text("attribution", limit: 500)
            fileType = picture.text("filetype")?.lowercased()
            isMature = picture.flag("mature") ?? false
            tags = picture.texts("tags", inside: ["name"])
            rendition = picture.address("url").map { url in
                Rendition(
                    url: url, width: picture.size("width"), height: picture.size("height"),
                    bytes: picture.size("filesize"))
            }
        }

        /// `CC BY-SA 4.0` for `by-sa` and `4.0`. The mark `pdm` is not a Creative Commons licence, so it has no `CC`.
        static func licence(_ code: String?, _ version: String?) -> String? {
            guard let code = code?.lowercased() else { return nil }
            let name: String
            switch code {
            case "pdm": name = "Public Domain Mark"
            case "cc0": name = "CC0"
            case _ where code.hasPrefix("by"): name = "CC " + code.uppercased()
            default: name = code
            }
            return [name, version].compactMap(\.self).joined(separator: " ")
        }
    }
}
