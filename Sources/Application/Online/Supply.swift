import Catalog

/// Items that a supply gave, and why they are not of the sources before theirs.
public struct SupplyBatch: Sendable {
    public var items: [PlayItem] = []
    public var failures: [String] = []
}

/// Where a growing playlist gets its next items from.
public protocol Supply: Sendable {
    /// Whether it goes on for ever, one at random after the other.
    var isEndless: Bool { get }
    /// What it looks for, while somebody waits.
    var purpose: String { get }
    /// Whether something else stands in where a source fails, so that nobody waits long for one.
    var hasAlternatives: Bool { get }

    /// The next items; none at the end.
    /// - Parameters:
    ///   - avoided: sources whose files cannot be had now.
    ///   - budget: for all requests that this takes; nil for the usual time.
    func more(avoiding avoided: Set<String>, within budget: TimeBudget?) async throws(Complaint) -> SupplyBatch
}

/// The results of a search, page by page and source after source.
public actor SearchSupply: Supply {
    public nonisolated let isEndless = false
    public nonisolated let purpose: String
    public nonisolated let hasAlternatives: Bool
    private let repository: any GIFRepository
    private let query: SearchQuery
    private let log: FailureLog
    private var following: PageToken?
    private var followingSource: PageToken?
    private var isAtEnd = false
    private var hasAsked = false
    /// The source of the latest page that had hits.
    private var source: String?
    /// Addresses and names of what was given already: sources list each other's works.
    private var given: Set<String> = []

    public init(_ repository: any GIFRepository, _ query: SearchQuery, log: FailureLog) {
        self.log = log
        self.repository = repository
        self.query = query
        hasAlternatives = (repository as? ServiceChain).map { $0.links.count > 1 } ?? false
        purpose = "looking for “\(query.words)”…"
    }

    public func more(
        avoiding avoided: Set<String>, within budget: TimeBudget?
    ) async throws(Complaint) -> SupplyBatch {
        var query = query
        query.preferences.avoided = avoided
        if let budget { query.preferences.budgetMilliseconds = Self.milliseconds(budget) }
        var batch = SupplyBatch()
        do throws(CatalogError) {
            while !isAtEnd {
                if let source, avoided.contains(source) { following = followingSource }
                let isFirst = !hasAsked
                guard isFirst || following != nil else { break }
                let page = try await repository.search(query, page: following)
                hasAsked = true
                take(page, &batch)
                if !batch.items.isEmpty { return batch }
                if isFirst, isAtEnd { throw CatalogError.nothingFound }
            }
            isAtEnd = true
            return batch
        } catch {
            // Whoever called it off may ask again.
            guard error != .cancelled else { throw Complaint(describe(error)) }
            isAtEnd = true
            var failures = [SourceFailure(source: repository.name, reason: error)]
            if case .exhausted(let each) = error { failures = each }
            log.note(failures)
            // Something was found before, whatever became of it.
            guard source == nil else { return SupplyBatch(failures: Self.telling(failures)) }
            throw Complaint(describe(error))
        }
    }

    fileprivate static func telling(_ failures: [SourceFailure]) -> [String] {
        failures.filter(\.reason.isTelling).map(Sentences.describe)
    }

    private func take(_ page: ResultPage, _ batch: inout SupplyBatch) {
        log.note(page.passedOver)
        batch.failures += Self.telling(page.passedOver)
        following = page.next
        followingSource = page.nextSource
        isAtEnd = page.next == nil
        source = page.items.first?.provider ?? source
        batch.items = page.items.filter { item in
            let names = [item.provider + " " + item.id] + item.renditions.prefix(1).map(\.url)
            return given.isDisjoint(with: names) && names.allSatisfy { given.insert($0).inserted }
        }.map(PlayItem.init)
    }

    /// Without the last second, in which what stands in is to be shown.
    private static func milliseconds(_ budget: TimeBudget) -> Int {
        max(0, Int(budget.left / .milliseconds(1)) - 1_000)
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
    public nonisolated let hasAlternatives = true
    private let feed: RandomFeed
    private let log: FailureLog
    private var noted: [SourceFailure] = []

    public init(_ repository: any GIFRepository, _ preferences: Preferences, log: FailureLog) {
        self.log = log
        feed = RandomFeed(repository, preferences: preferences)
    }

    public func more(
        avoiding avoided: Set<String>, within budget: TimeBudget?
    ) async throws(Complaint) -> SupplyBatch {
        do throws(CatalogError) {
            let reference = try await feed.next(avoiding: avoided)
            let failures = await feed.failures
            // Those of one batch are the same until the next one.
            if failures != noted { log.note(failures) }
            noted = failures
            return SupplyBatch(items: [PlayItem(reference)], failures: SearchSupply.telling(failures))
        } catch {
            throw Complaint(Sentences.describe(error))
        }
    }
}

extension CatalogError {
    /// Whether it says something of a source's health, or of why another source stands in.
    fileprivate var isTelling: Bool {
        switch self {
        case .nothingFound, .notOffered, .noKey, .cancelled: false
        default: true
        }
    }
}
