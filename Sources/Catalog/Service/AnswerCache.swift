/// Keeps the pages that a service gave for a short time, so that going back asks nobody.
actor AnswerCache {
    /// What makes two calls the same.
    struct Key: Hashable, Sendable {
        var listing: Listing
        var rating: Rating
        var language: String
        /// Only its side of 120 shapes a request, but its value is as good a key.
        var targetWidth: Int?
        var page: [String: String]
    }

    private let limit: Int
    private var pages: [Key: (page: ResultPage, until: ContinuousClock.Instant)] = [:]

    init(limit: Int = 64) { self.limit = limit }

    /// The page, if it is there and not too old.
    func page(_ key: Key, at now: ContinuousClock.Instant) -> ResultPage? {
        guard let kept = pages[key] else { return nil }
        guard kept.until > now else {
            pages[key] = nil
            return nil
        }
        return kept.page
    }

    /// Keeps a page; the one that ends first goes when there are too many.
    func keep(_ page: ResultPage, for key: Key, until moment: ContinuousClock.Instant) {
        if pages.count >= limit, pages[key] == nil {
            let oldest = pages.min { $0.value.until < $1.value.until }
            if let oldest { pages[oldest.key] = nil }
        }
        pages[key] = (page, moment)
    }
}
