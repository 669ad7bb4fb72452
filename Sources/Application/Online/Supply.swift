import Catalog

/// A batch of items from a supply, with the failures of the sources that were queried before.
public struct SupplyBatch: Sendable {
    public var items: [PlayItem] = []
    public var failures: [String] = []
}

/// Supplies further items for a playlist that grows during playback.
public protocol Supply: Sendable {
    /// Whether the supply returns random items without end.
    var isEndless: Bool { get }
    /// The text that is displayed while the user waits for items.
    var purpose: String { get }
    /// Whether another source can replace a failing one, so that the wait for one source is kept short.
    var hasAlternatives: Bool { get }

    /// Returns the next items. A batch without items means the end.
    /// - Parameters:
    ///   - avoided: the sources to skip because their files cannot be fetched now.
    ///   - budget: the time for all requests together; nil for the default time.
    func more(avoiding avoided: Set<String>, within budget: TimeBudget?) async throws(Complaint) -> SupplyBatch
}

/// Supplies the results of a search, page by page and source by source.
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
    /// URLs and identifiers of the items returned so far, to remove duplicates: several sources list the same works.
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
            // After a cancellation the caller may try again.
            guard error != .cancelled else { throw Complaint(describe(error)) }
            isAtEnd = true
            var failures = [SourceFailure(source: repository.name, reason: error)]
            if case .exhausted(let each) = error { failures = each }
            log.note(failures)
            // If earlier pages had results, this is the end of the list and not an error.
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

    /// The remaining budget minus one second, which is reserved for displaying a built-in sample.
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

/// Supplies random GIFs, one at a time, without end.
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
            // The feed reports the same failures until its next batch. Log them once.
            if failures != noted { log.note(failures) }
            noted = failures
            return SupplyBatch(items: [PlayItem(reference)], failures: SearchSupply.telling(failures))
        } catch {
            throw Complaint(Sentences.describe(error))
        }
    }
}

extension CatalogError {
    /// Whether the error indicates a problem of the source, or explains why another source is used.
    fileprivate var isTelling: Bool {
        switch self {
        case .nothingFound, .notOffered, .noKey, .cancelled: false
        default: true
        }
    }
}
