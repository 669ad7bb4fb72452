import Catalog

/// Where a growing playlist gets its next items from.
protocol Supply: Sendable {
    /// Whether it goes on for ever, one at random after the other.
    var isEndless: Bool { get }
    /// What it looks for, while somebody waits.
    var purpose: String { get }

    /// The next items; none at the end.
    func more() async throws(Complaint) -> [PlayItem]
}

/// The results of a search, page by page.
actor SearchSupply: Supply {
    nonisolated let isEndless = false
    nonisolated let purpose: String
    private let repository: any GIFRepository
    private let query: SearchQuery
    private var following: PageToken?
    private var isAtEnd = false

    init(_ repository: any GIFRepository, _ query: SearchQuery) {
        self.repository = repository
        self.query = query
        purpose = "looking for “\(query.words)”…"
    }

    func more() async throws(Complaint) -> [PlayItem] {
        do throws(CatalogError) {
            while !isAtEnd {
                let page = try await repository.search(query, page: following)
                let isFirst = following == nil
                following = page.next
                isAtEnd = page.next == nil
                if !page.items.isEmpty { return page.items.map(PlayItem.init) }
                if isFirst, isAtEnd { throw CatalogError.nothingFound }
            }
            return []
        } catch {
            isAtEnd = true
            throw Complaint(describe(error))
        }
    }

    private func describe(_ error: CatalogError) -> String {
        let failure = "nothing found for \"\(query.words)\""
        if case .exhausted(let failures) = error {
            let online = failures.filter { $0.reason != .nothingFound && $0.source != "samples" }
            let reasons = online.map(Sentences.describe).joined(separator: "; ")
            return failure + offer + ". 'gifplay samples' lists what is carried. Not reached: " + reasons
        }
        if error == .nothingFound { return failure + offer + ". 'gifplay samples' lists what is carried" }
        return "\(repository.name): \(Sentences.describe(error))"
    }

    private var offer: String {
        let near = SampleSearch().near(query.words)
        return near.isEmpty ? "" : "; near it: " + near.joined(separator: ", ")
    }
}

/// GIFs at random, one at a time, without end.
struct FeedSupply: Supply {
    let isEndless = true
    let purpose = "looking for a GIF…"
    private let feed: RandomFeed<SystemRandomNumberGenerator>

    init(_ repository: any GIFRepository, _ preferences: Preferences) {
        feed = RandomFeed(repository, preferences: preferences, generator: SystemRandomNumberGenerator())
    }

    func more() async throws(Complaint) -> [PlayItem] {
        do throws(CatalogError) {
            return [PlayItem(try await feed.next())]
        } catch {
            throw Complaint(Sentences.describe(error))
        }
    }
}
