import Base

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
    func refusal(_ response: ServiceResponse) -> Failure {
        var failure = response.refusal(of: profile)
        guard failure.kind == .status(429), failure.waitSeconds == nil, let message = response.message,
            let start = message.firstRange(of: "available in ")?.upperBound,
            let seconds = Int(outside: message[start...].prefix { $0.isNumber }, clampedTo: 0...86_400), seconds > 0
        else { return failure }
        failure.waitSeconds = seconds
        return failure
    }

    /// Most members of a response can be null.
    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(Failure) -> DecodedListing {
        let body = try response.json(LenientObject.self)
        guard let pictures = body.listing("results") else { throw response.unexpectedJSON }
        let page = body.size("page") ?? request.number("page") ?? 1
        let isLast = page >= min(body.integer("page_count") ?? page, Self.lastPage)
        let allowed = pictures.filter { request.preferences.rating == .r || $0.flag("mature") != true }
        return DecodedListing(
            items: allowed.compactMap(reference), next: isLast ? nil : ["page": String(page + 1)],
            total: body.size("result_count"))
    }

    private func reference(_ picture: LenientObject) -> GIFReference? {
        guard let id = picture.text("id"), let url = picture.address("url"),
            ["gif", nil].contains(picture.text("filetype")?.lowercased())
        else { return nil }
        let title = picture.text("title")
        let author = picture.text("creator", limit: 120)
        let licence = Self.licence(picture.text("license"), picture.text("license_version"))
        let page = picture.address("foreign_landing_url")
        // Many of the pictures are stills, and the response does not contain the number of frames.
        let rendition = Rendition(
            url: url, width: picture.size("width"), height: picture.size("height"), bytes: picture.size("filesize"),
            mayBeStill: true)
        return GIFReference(
            provider: profile.name, id: id, title: title ?? "", pageURL: page, author: author, licence: licence,
            licenceURL: picture.address("license_url"),
            attribution: picture.text("attribution", limit: 500)
                ?? GIFReference.attributionLine(title, author, licence, page),
            renditions: [rendition], cachePolicy: profile.cachePolicy, tags: picture.texts("tags", inside: ["name"]))
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
