import Base

/// Wikimedia Commons through MediaWiki's action API: freely licensed files with their authors. It needs no key.
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
            let isWidened = request.page[Self.anyTerm] != nil
            let terms = Self.terms(of: query).filter { !isWidened || !QueryWords.stopWords.contains($0.lowercased()) }
            guard !terms.isEmpty else { return nil }
            let text = terms.joined(separator: isWidened ? " OR " : " ")
            // `filesize` is in KiB. Larger files are excluded, because their thumbnails might be stills.
            return makeTarget(text + " filemime:image/gif filesize:<4096 filew:>31", random: false, request)
        case .random: return makeTarget("filemime:image/gif filesize:<2048", random: true, request)
        case .trending, .item: return nil
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
                // A response contains at most 50 hits with thumbnails. The first page of a search is small, so that it
                // arrives sooner. Many hits of a random batch are stills, so it requests all.
                "gsrlimit": random || !continued.isEmpty ? "50" : "20",
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
            target.parameters.append((name, value))
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

    /// Joins the content words with OR; nil for a single one, and for a query with a negation.
    func widened(_ request: ListingRequest) -> ListingRequest? {
        guard case .search(let query) = request.listing else { return nil }
        let words = Set(QueryWords.words(of: query)).subtracting(QueryWords.stopWords)
        guard words.count > 1, words.isDisjoint(with: QueryWords.negations) else { return nil }
        var widened = request
        widened.page[Self.anyTerm] = "1"
        return widened
    }

    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(Failure) -> DecodedListing {
        let body = try response.json(LenientObject.self)
        // Errors have one of two formats, depending on `errorformat`. In both cases, the HTTP status is 200.
        if let error = body.objects("error").first ?? body.objects("errors").first {
            throw .api(
                code: error.text("code", limit: 60) ?? "",
                message: error.text("info", limit: 200) ?? error.text("text", limit: 200) ?? "",
                retryAfterSeconds: response.http.retryAfterSeconds)
        }
        // A listing without hits has no member `query`.
        guard ["query", "batchcomplete", "continue"].contains(where: body.has) else { throw response.unexpectedJSON }
        // `index` is the rank among the hits. MediaWiki returns the pages in a different order.
        let pages = (body.object("query")?.objects("pages") ?? []).map { ($0.integer("index") ?? .max, $0) }
        let rating = request.preferences.rating
        return DecodedListing(
            items: pages.sorted { $0.0 < $1.0 }.compactMap { reference($0.1, rating: rating) },
            next: body.object("continue").flatMap { next(after: $0, request) })
    }

    /// Returns the parameters of the next page: all members of `continue`. A random listing has no second page.
    private func next(after continuation: LenientObject, _ request: ListingRequest) -> [String: String]? {
        guard case .search = request.listing, !continuation.names.isEmpty else { return nil }
        var next: [String: String] = [:]
        for name in continuation.names { next[name] = continuation.text(name) }
        next[Self.anyTerm] = request.page[Self.anyTerm]
        return next
    }

    /// Nil if the file is hidden or missing, or is not an animated GIF, or if its description is too explicit.
    private func reference(_ page: LenientObject, rating: Rating) -> GIFReference? {
        let name = page.text("title")
        guard let id = page.text("pageid") ?? name, let info = page.objects("imageinfo").first,
            let original = Self.original(info)
        else { return nil }
        let details = info.object("extmetadata")
        func detail(_ name: String, limit: Int = LenientObject.textLimit) -> String? {
            details?.object(name)?.html("value", limit: limit)
        }
        if rating != .r, ExplicitTextFilter.matches(detail("ImageDescription", limit: 2_000) ?? "") { return nil }
        let title = name.map(Self.bare) ?? detail("ObjectName") ?? ""
        let artist = detail("Artist", limit: 120)
        let licence = detail("LicenseShortName", limit: 60)
        let address = info.address("descriptionurl")
        return GIFReference(
            provider: profile.name, id: id, title: title, pageURL: address, author: artist, licence: licence,
            licenceURL: details?.object("LicenseUrl")?.address("value"),
            attribution: GIFReference.attributionLine(title, artist, licence, address),
            renditions: [original] + Self.thumbnails(info, beside: original.url), cachePolicy: profile.cachePolicy,
            posted: PostedTime.seconds(info.text("timestamp")))
    }

    /// Returns `Dancing cat` for `File:Dancing cat.gif`.
    private static func bare(_ name: String) -> String {
        let file = name.hasPrefix("File:") ? name.dropFirst(5) : name[...]
        return String(file.lowercased().hasSuffix(".gif") ? file.dropLast(4) : file)
    }

    /// Nil if the file is not an animated GIF.
    private static func original(_ info: LenientObject) -> Rendition? {
        let frames = info.objects("metadata").first { $0.text("name") == "frameCount" }?.integer("value")
        // Without a frame count, a `duration` shows at least two frames. It exists only if it is above zero.
        guard let url = info.address("url"), ["image/gif", nil].contains(info.text("mime")),
            frames.map({ $0 > 1 }) ?? info.has("duration")
        else { return nil }
        return Rendition(
            url: url, width: info.size("width"), height: info.size("height"), bytes: info.size("size"), frames: frames)
    }

    /// Returns the thumbnail if it is not the original file. The thumbnail might be a still, because Wikimedia keeps
    /// only one frame in thumbnails of very large files.
    private static func thumbnails(_ info: LenientObject, beside original: String) -> [Rendition] {
        guard let url = info.address("thumburl"), url != original, !info.has("thumberror") else { return [] }
        return [Rendition(url: url, width: info.size("thumbwidth"), height: info.size("thumbheight"), mayBeStill: true)]
    }
}
