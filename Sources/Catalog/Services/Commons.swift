/// Wikimedia Commons through MediaWiki's action API: freely licensed files with their authors and licences. The service
/// needs no key.
///
/// Sources: mediawiki.org (API:Imageinfo, Help:CirrusSearch), the source code of MediaWiki and CirrusSearch.
struct Commons: Service {
    let profile = ServiceProfile(
        name: "commons", title: "Wikimedia Commons",
        terms: "No key; free works; author and licence are shown; set a contact; one request at a time.",
        base: "https://commons.wikimedia.org", cachePolicy: .persistent, responseCacheSeconds: 900,
        timeoutMilliseconds: 8_000, filtersByRating: false)

    func target(for request: ListingRequest) -> RequestTarget? {
        switch request.listing {
        case .search(let query):
            let terms = Self.terms(of: query)
            guard !terms.isEmpty else { return nil }
            let text = terms.joined(separator: request.page[Self.anyTerm] == nil ? " " : " OR ")
            // `filesize` is in KiB. Files of 4 MiB or more are excluded, because gifplay would display their
            // thumbnails, which might be stills.
            return makeTarget(text + " filemime:image/gif filesize:<4096 filew:>31", random: false, request)
        case .random:
            return makeTarget("filemime:image/gif filesize:<2048", random: true, request)
        case .trending:
            return nil
        }
    }

    private func makeTarget(_ search: String, random: Bool, _ request: ListingRequest) -> RequestTarget {
        let width = (request.preferences.targetWidth ?? 0) > 120 ? "250" : "120"
        let continued = request.page.filter { $0.key != Self.anyTerm }
        var target = RequestTarget(
            "/w/api.php",
            [
                "action": "query", "format": "json", "formatversion": "2", "errorformat": "plaintext",
                "generator": "search", "gsrnamespace": "6",
                // A response contains at most 50 hits with thumbnails. Many are stills, so a random batch requests all.
                "gsrlimit": random ? "50" : "20",
                "gsroffset": random || continued["gsroffset"] != nil ? nil : "0",
                "gsrsort": random ? "random" : nil, "gsrsearch": search, "prop": "imageinfo",
                "iiprop": "timestamp|url|size|mime|mediatype|sha1|metadata|extmetadata",
                // Requests for thumbnails of other widths than Wikimedia's standard widths are refused.
                "iiurlwidth": width, "iiextmetadatafilter": Self.metadata,
                "iiextmetadatalanguage": request.preferences.language,
                // Unattended clients must send it, so that Wikimedia can refuse requests while replicas lag.
                "maxlag": random ? "5" : nil,
            ])
        for (name, value) in continued.sorted(by: { $0.key < $1.key }) {
            target.parameters.append(.init(name: name, value: value))
        }
        return target
    }

    /// The page parameter that is set if the search terms are joined with OR.
    static let anyTerm = "gifplay-any"
    /// The metadata for the attribution that a licence requires.
    static let metadata = [
        "Artist", "Credit", "LicenseShortName", "LicenseUrl", "ImageDescription", "ObjectName",
        "AttributionRequired", "Restrictions",
    ].joined(separator: "|")

    /// Returns at most 20 search terms, in a form that the service does not interpret as search operators.
    ///
    /// Removes all characters except letters, combining marks, digits and apostrophes. Also removes `'` at the start of
    /// a word. Writes AND, OR and NOT in lower case, because the service treats them as operators only in upper case.
    static func terms(of query: String) -> [String] {
        query.split { !($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’") }
            .map { word in
                let bare = word.drop { $0 == "'" }
                return ["AND", "OR", "NOT"].contains(String(bare)) ? bare.lowercased() : String(bare)
            }
            .filter { !$0.isEmpty }.prefix(20).map(\.self)
    }

    /// Joins the search terms with OR; nil for a single term.
    func widened(_ request: ListingRequest) -> ListingRequest? {
        guard case .search(let query) = request.listing, Self.terms(of: query).count > 1 else { return nil }
        var widened = request
        widened.page[Self.anyTerm] = "1"
        return widened
    }

    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(CatalogError) -> DecodedListing {
        let body = try response.json(CommonsResponse.self)
        if let failure = body.failure {
            throw .api(
                code: failure.code, message: failure.message, retryAfterSeconds: response.retryAfterSeconds)
        }
        guard body.isListing else {
            throw .notJSON(status: response.http.status, received: .unexpectedJSON)
        }
        let ranked = body.pages.enumerated().sorted {
            ($0.element.index ?? .max, $0.offset) < ($1.element.index ?? .max, $1.offset)
        }
        return DecodedListing(
            items: ranked.compactMap { reference($0.element, rating: request.preferences.rating) },
            next: next(after: body, request))
    }

    /// Returns the parameters of the next page: all members of `continue`. A random listing has no second page.
    private func next(after body: CommonsResponse, _ request: ListingRequest) -> [String: String]? {
        guard case .search = request.listing, !body.continuation.isEmpty else { return nil }
        var next = body.continuation
        next[Self.anyTerm] = request.page[Self.anyTerm]
        return next
    }

    private func reference(_ page: CommonsResponse.Page, rating: Rating) -> GIFReference? {
        guard let id = page.id, let image = page.image, image.isAnimatedGIF, let original = image.original else {
            return nil
        }
        if rating != .r, ExplicitTextFilter.matches(image.description ?? "") { return nil }
        let title = page.title ?? image.objectName ?? ""
        return GIFReference(
            provider: profile.name, id: id, title: title, pageURL: image.page, author: image.artist,
            licence: image.licence, licenceURL: image.licenceURL,
            attribution: AttributionFormat.line(title, image.artist, image.licence, image.page),
            renditions: [original] + (image.thumbnail.map { [$0] } ?? []), cachePolicy: profile.cachePolicy,
            posted: image.posted)
    }
}
