/// Wikimedia Commons through MediaWiki's action API: free works with author and licence, no key.
///
/// Facts: mediawiki.org (API:Imageinfo, Help:CirrusSearch), the sources of MediaWiki and CirrusSearch.
struct Commons: Service {
    let profile = ServiceProfile(
        name: "commons", title: "Wikimedia Commons",
        terms: "No key; free works, author and licence are shown; a user agent with a contact, one request at a time.",
        base: "https://commons.wikimedia.org", cachePolicy: .persistent, answersKeptSeconds: 900,
        timeoutMilliseconds: 8_000, rates: false)

    func call(_ question: Question) -> Call? {
        switch question.listing {
        case .search(let words):
            let terms = Self.terms(words)
            guard !terms.isEmpty else { return nil }
            let text = terms.joined(separator: question.page[Self.anyWord] == nil ? " " : " OR ")
            // In KiB: what is larger would be shown by its thumbnail, which may be a still.
            return call(text + " filemime:image/gif filesize:<4096 filew:>31", random: false, question)
        case .random:
            return call("filemime:image/gif filesize:<2048", random: true, question)
        case .trending:
            return nil
        }
    }

    private func call(_ search: String, random: Bool, _ question: Question) -> Call {
        let width = (question.preferences.targetWidth ?? 0) > 120 ? "250" : "120"
        let continued = question.page.filter { $0.key != Self.anyWord }
        var call = Call(
            "/w/api.php",
            [
                "action": "query", "format": "json", "formatversion": "2", "errorformat": "plaintext",
                "generator": "search", "gsrnamespace": "6",
                // Fifty is the most that comes with thumbnails. Many are stills, which a random batch is to make up for.
                "gsrlimit": random ? "50" : "20",
                "gsroffset": random || continued["gsroffset"] != nil ? nil : "0",
                "gsrsort": random ? "random" : nil, "gsrsearch": search, "prop": "imageinfo",
                "iiprop": "timestamp|url|size|mime|mediatype|sha1|metadata|extmetadata",
                // One of the standard steps; a thumbnail of another width is refused.
                "iiurlwidth": width, "iiextmetadatafilter": Self.metadata,
                "iiextmetadatalanguage": question.preferences.language,
                // Asked of what runs unattended: wait while the servers are behind.
                "maxlag": random ? "5" : nil,
            ])
        for (name, value) in continued.sorted(by: { $0.key < $1.key }) {
            call.parameters.append(.init(name: name, value: value))
        }
        return call
    }

    /// Set in the page's words once the words are joined with OR.
    static let anyWord = "gifplay-any"
    /// What is needed to name a work as its licence asks.
    static let metadata = [
        "Artist", "Credit", "LicenseShortName", "LicenseUrl", "ImageDescription", "ObjectName",
        "AttributionRequired", "Restrictions",
    ].joined(separator: "|")

    /// The typed words without anything that the search would take for an operator.
    ///
    /// Keeps letters, marks, digits and apostrophes inside; AND, OR and NOT are operators in capitals.
    static func terms(_ words: String) -> [String] {
        words.split { !($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’") }
            .map { word in
                let bare = word.drop { $0 == "'" }
                return ["AND", "OR", "NOT"].contains(String(bare)) ? bare.lowercased() : String(bare)
            }
            .filter { !$0.isEmpty }.prefix(20).map(\.self)
    }

    /// The words joined with OR.
    func widened(_ question: Question) -> Question? {
        guard case .search(let words) = question.listing, Self.terms(words).count > 1 else { return nil }
        var widened = question
        widened.page[Self.anyWord] = "1"
        return widened
    }

    func decode(_ answer: Answer, to question: Question) throws(CatalogError) -> Listed {
        let body = try answer.json(CommonsAnswer.self)
        if let failure = body.failure {
            throw .api(
                code: failure.code, message: failure.message, retryAfterSeconds: answer.retryAfterSeconds)
        }
        guard body.isListing else {
            throw .notJSON(status: answer.response.status, received: .unexpectedJSON)
        }
        let ranked = body.pages.enumerated().sorted {
            ($0.element.index ?? .max, $0.offset) < ($1.element.index ?? .max, $1.offset)
        }
        return Listed(
            items: ranked.compactMap { reference($0.element, rating: question.preferences.rating) },
            next: next(after: body, question))
    }

    /// Every word of `continue` goes into the next request; a random listing has no second page.
    private func next(after body: CommonsAnswer, _ question: Question) -> [String: String]? {
        guard case .search = question.listing, !body.proceed.isEmpty else { return nil }
        var next = body.proceed
        next[Self.anyWord] = question.page[Self.anyWord]
        return next
    }

    private func reference(_ page: CommonsAnswer.Page, rating: Rating) -> GIFReference? {
        guard let id = page.id, let image = page.image, image.isAnimatedGIF, let original = image.original else {
            return nil
        }
        if rating != .r, ExplicitWords.areIn(image.description ?? "") { return nil }
        let title = page.title ?? image.objectName ?? ""
        return GIFReference(
            provider: profile.name, id: id, title: title, pageURL: image.page, author: image.artist,
            licence: image.licence, licenceURL: image.licenceURL,
            attribution: Credit.line(title, image.artist, image.licence, image.page),
            renditions: [original] + (image.thumbnail.map { [$0] } ?? []), cachePolicy: profile.cachePolicy,
            posted: image.posted)
    }
}
