import Base

/// KLIPY, API v1: a catalogue that offers many sizes and requires a key.
///
/// The documentation is behind a bot check, so the facts in this file come from the official demo app and from test
/// requests on 2026-07-01. The key is a segment of the path. A bad key results in status 404, and the error message
/// contains the key.
struct Klipy: Service {
    let profile = ServiceProfile(
        name: "klipy", title: "KLIPY",
        terms: "Needs a key (KLIPY_API_KEY); shown with “Powered by KLIPY”; nothing is stored on disk.",
        credit: .mark("Powered by KLIPY"), base: "https://api.klipy.com/api/v1",
        key: KeyUse(variable: "KLIPY_API_KEY", location: .path),
        // KLIPY's caching terms are unknown, so the policy is as strict as GIPHY's.
        cachePolicy: .sessionOnly, timeoutMilliseconds: 6_000, hasTrending: true,
        // A test key had a measured limit of 100 requests an hour. No header reports when the quota is reset.
        quotaHeaders: ["x-ratelimit-remaining": 600])

    func target(for request: ListingRequest) -> RequestTarget? {
        let page = request.page["page"] ?? "1"
        switch request.listing {
        case .search(let query):
            return makeTarget("/gifs/search", query: String(query.prefix(200)), page: page, perPage: 24, request)
        case .item(let slug): return RequestTarget("/gifs/items", ["slugs": slug])
        case .trending: return makeTarget("/gifs/trending", query: nil, page: page, perPage: 24, request)
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

    /// The only known completion belongs to the API version that imitates Tenor's (docs.klipy.com/migrate-from-tenor).
    /// Its base replaces `/api/v1` by `/v2`, and the key is a query parameter.
    func completionTarget(for prefix: String, base: String) -> RequestTarget? {
        guard base.hasSuffix("/api/v1") else { return nil }
        var target = RequestTarget("/v2/autocomplete", ["q": String(prefix.prefix(200)), "limit": "5"])
        target.base = String(base.dropLast("/api/v1".count))
        target.keyLocation = .query(name: "key")
        return target
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
    func fallbackRequest(for request: ListingRequest, after error: Failure?) -> ListingRequest? {
        guard case .random = request.listing, error == nil, request.page.isEmpty else { return nil }
        var fallback = request
        fallback.page = ["page": "1"]
        return fallback
    }

    func refusal(_ response: ServiceResponse) -> Failure {
        guard response.http.status == 404, let message = response.message, let key = profile.key,
            ["key", "invalid"].allSatisfy(message.lowercased().contains)
        else { return response.refusal(of: profile) }
        return .keyRefused(variable: key.variable, message: message)
    }

    /// The member `data` of a response is a page, and the member `data` of the page is the list of items.
    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(Failure) -> DecodedListing {
        let body = try response.json(LenientObject.self)
        if body.flag("result") == false {
            throw .api(
                code: "result", message: response.message ?? "", retryAfterSeconds: response.http.retryAfterSeconds)
        }
        guard let page = body.object("data"), let items = page.listing("data") else { throw response.unexpectedJSON }
        var next: [String: String]?
        let number = page.size("current_page") ?? request.number("page") ?? 1
        if page.flag("has_next") ?? false, number < 10_000, !items.isEmpty { next = ["page": String(number + 1)] }
        if case .random = request.listing { next = nil }
        return DecodedListing(items: items.compactMap(reference), next: next)
    }

    /// Nil for an advertisement, and for a clip, whose member `file` has a different format.
    private func reference(_ item: LenientObject) -> GIFReference? {
        let renditions = item.object("file").map(Self.renditions) ?? []
        guard let id = item.text("id"), ["gif", "sticker", nil].contains(item.text("type")), !renditions.isEmpty
        else { return nil }
        let slug = item.text("slug").map(WebAddress.component)
        let page = slug.map { "https://klipy.com/gifs/" + $0 }
        var reference = GIFReference(
            provider: profile.name, id: id, title: item.text("title") ?? "", pageURL: page,
            attribution: ["Powered by KLIPY", page].compactMap(\.self).joined(separator: " · "),
            renditions: renditions, cachePolicy: profile.cachePolicy,
            tags: item.texts("tags", inside: ["name", "text"]))
        reference.useReports[.view] = slug.map { "/gifs/view/" + $0 }
        reference.useReports[.share] = slug.map { "/gifs/share/" + $0 }
        return reference
    }

    /// The names do not determine the sizes: `md` can be larger than `hd`. Their order matters only without sizes.
    private static func renditions(_ file: LenientObject) -> [Rendition] {
        let known = ["xs", "sm", "md", "hd"]
        return (known + file.names.filter { !known.contains($0) }).compactMap { file.object($0)?.rendition("gif") }
    }
}
