import Catalog

/// Where a growing playlist gets its next items from.
public protocol Supply: Sendable {
    /// Whether it goes on for ever, one at random after the other.
    var isEndless: Bool { get }
    /// What it looks for, while somebody waits.
    var purpose: String { get }

    /// The next items; none at the end.
    func more() async throws(Complaint) -> [PlayItem]
}

/// The results of a search, page by page.
public actor SearchSupply: Supply {
    public nonisolated let isEndless = false
    public nonisolated let purpose: String
    private let repository: any GIFRepository
    private let query: SearchQuery
    private let log: FailureLog
    private var following: PageToken?
    private var isAtEnd = false

    public init(_ repository: any GIFRepository, _ query: SearchQuery, log: FailureLog) {
        self.log = log
        self.repository = repository
        self.query = query
        purpose = "looking for “\(query.words)”…"
    }

    public func more() async throws(Complaint) -> [PlayItem] {
        do throws(CatalogError) {
            while !isAtEnd {
                let page = try await repository.search(query, page: following)
                let isFirst = following == nil
                log.note(page.passedOver)
                following = page.next
                isAtEnd = page.next == nil
                if !page.items.isEmpty { return page.items.map(PlayItem.init) }
                if isFirst, isAtEnd { throw CatalogError.nothingFound }
            }
            return []
        } catch {
            isAtEnd = true
            if case .exhausted(let failures) = error {
                log.note(failures)
            } else {
                log.note([SourceFailure(source: repository.name, reason: error)])
            }
            throw Complaint(describe(error))
        }
    }

    private func describe(_ error: CatalogError) -> String {
        if case .exhausted(let failures) = error {
            let services = failures.filter { $0.reason != .nothingFound && $0.source != "samples" }
            return Sentences.nothingFound(query.words, failures: services)
        }
        if error == .nothingFound { return Sentences.nothingFound(query.words) }
        return "\(repository.name): \(Sentences.describe(error))"
    }
}

/// GIFs at random, one at a time, without end.
public actor FeedSupply: Supply {
    public nonisolated let isEndless = true
    public nonisolated let purpose = "looking for a GIF…"
    private let feed: RandomFeed
    private let log: FailureLog
    private var noted: [SourceFailure] = []

    public init(_ repository: any GIFRepository, _ preferences: Preferences, log: FailureLog) {
        self.log = log
        feed = RandomFeed(repository, preferences: preferences)
    }

    public func more() async throws(Complaint) -> [PlayItem] {
        do throws(CatalogError) {
            let reference = try await feed.next()
            let failures = await feed.failures
            // Those of one batch are the same until the next one.
            if failures != noted { log.note(failures) }
            noted = failures
            return [PlayItem(reference)]
        } catch {
            throw Complaint(Sentences.describe(error))
        }
    }
}
