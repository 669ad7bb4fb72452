/// Caches result pages of a service for a short time, so that a return to an earlier page needs no request.
actor ResultPageCache {
    /// The properties that identify a call. Two calls with equal keys have the same result.
    struct Key: Hashable, Sendable {
        var listing: ListingKind
        var rating: Rating
        var language: String
        /// The display width in pixels. Two widths can lead to the same request, but their pages are cached separately.
        var targetWidth: Int?
        var page: [String: String]
    }

    private let limit: Int
    private var pages: [Key: (page: ResultPage, until: ContinuousClock.Instant)] = [:]

    init(limit: Int = 64) { self.limit = limit }

    /// Returns the cached page; nil if there is none or if it has expired.
    func page(_ key: Key, at now: ContinuousClock.Instant) -> ResultPage? {
        guard let cached = pages[key] else { return nil }
        guard cached.until > now else {
            pages[key] = nil
            return nil
        }
        return cached.page
    }

    /// Caches a page. If the cache is full, the page that expires first is removed.
    func store(_ page: ResultPage, for key: Key, until moment: ContinuousClock.Instant) {
        if pages.count >= limit, pages[key] == nil {
            let oldest = pages.min { $0.value.until < $1.value.until }
            if let oldest { pages[oldest.key] = nil }
        }
        pages[key] = (page, moment)
    }
}
