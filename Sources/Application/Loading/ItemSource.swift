import Catalog

/// A batch of items from an item source, and the failures of the queried services that could not provide items.
public struct ItemBatch: Sendable {
    public var items: [PlayItem]
    public var failures: [String]

    public init(items: [PlayItem] = [], failures: [String] = []) {
        self.items = items
        self.failures = failures
    }
}

/// Supplies further items for a playlist that grows during playback.
public protocol ItemSource: Sendable {
    /// Whether the item source returns random items without end.
    var isEndless: Bool { get }
    /// The text that is displayed while the user waits for items.
    var waitingText: String { get }
    /// Whether another service can replace a failing one. If true, gifplay waits only a short time for each service.
    var hasAlternatives: Bool { get }

    /// Returns the next items. A batch without items means that no more items follow.
    /// - Parameters:
    ///   - avoided: the sources to skip because their files cannot be fetched now.
    ///   - budget: the time for all requests together; nil for the default time.
    func nextBatch(avoiding avoided: Set<String>, within budget: TimeBudget?) async throws(CommandError) -> ItemBatch
}

/// Supplies the results of a search, page by page and source by source.
public actor SearchItemSource: ItemSource {
    public nonisolated let isEndless = false
    public nonisolated let waitingText: String
    public nonisolated let hasAlternatives: Bool
    private let repository: any GIFRepository
    private let query: SearchQuery
    private let log: FailureLog
    private var nextPage: PageToken?
    private var nextSourcePage: PageToken?
    private var isAtEnd = false
    private var hasQueried = false
    /// The source of the latest page that had results.
    private var source: String?
    /// URLs and identifiers of the items returned so far. They identify duplicates, because several sources can list
    /// the same GIF.
    private var seenNames: Set<String> = []

    public init(_ repository: any GIFRepository, _ query: SearchQuery, log: FailureLog) {
        self.log = log
        self.repository = repository
        self.query = query
        hasAlternatives = (repository as? ServiceChain).map { $0.links.count > 1 } ?? false
        waitingText = "looking for “\(query.text)”…"
    }

    public func nextBatch(
        avoiding avoided: Set<String>, within budget: TimeBudget?
    ) async throws(CommandError) -> ItemBatch {
        var query = query
        query.preferences.avoided = avoided
        if let budget { query.preferences.budgetMilliseconds = Self.milliseconds(budget) }
        var batch = ItemBatch()
        do throws(CatalogError) {
            while !isAtEnd {
                if let source, avoided.contains(source) { nextPage = nextSourcePage }
                let isFirst = !hasQueried
                guard isFirst || nextPage != nil else { break }
                let page = try await repository.search(query, page: nextPage)
                hasQueried = true
                add(page, to: &batch)
                if !batch.items.isEmpty { return batch }
                if isFirst, isAtEnd { throw CatalogError.nothingFound }
            }
            isAtEnd = true
            return batch
        } catch {
            // After a cancellation, the caller can try again. Any other error ends the list.
            guard error != .cancelled else { throw CommandError(describe(error)) }
            isAtEnd = true
            var failures = [SourceFailure(source: repository.name, reason: error)]
            if case .exhausted(let each) = error { failures = each }
            log.record(failures)
            // If earlier pages had results, the list ends without an error.
            guard source == nil else { return ItemBatch(failures: Self.reportable(failures)) }
            throw CommandError(describe(error))
        }
    }

    fileprivate static func reportable(_ failures: [SourceFailure]) -> [String] {
        failures.filter(\.reason.isReportable).map(ErrorMessages.describe)
    }

    private func add(_ page: ResultPage, to batch: inout ItemBatch) {
        log.record(page.sourceFailures)
        batch.failures += Self.reportable(page.sourceFailures)
        nextPage = page.next
        nextSourcePage = page.nextSource
        isAtEnd = page.next == nil
        source = page.items.first?.provider ?? source
        batch.items = page.items.filter { item in
            let names = [item.provider + " " + item.id] + item.renditions.prefix(1).map(\.url)
            return seenNames.isDisjoint(with: names) && names.allSatisfy { seenNames.insert($0).inserted }
        }.map(PlayItem.init)
    }

    /// Returns the time in milliseconds that remains of the budget. Subtracts one second, which is reserved for
    /// displaying a built-in sample.
    private static func milliseconds(_ budget: TimeBudget) -> Int {
        max(0, Int(budget.remaining / .milliseconds(1)) - 1_000)
    }

    private func describe(_ error: CatalogError) -> String {
        if case .exhausted(let failures) = error {
            let services = failures.filter { $0.reason != .nothingFound && $0.source != "samples" }
            return ErrorMessages.nothingFound(query.text, failures: services)
        }
        if error == .nothingFound { return ErrorMessages.nothingFound(query.text) }
        return "\(repository.name): \(ErrorMessages.describe(error))"
    }
}

/// Supplies random GIFs, one at a time, without end.
public actor FeedItemSource: ItemSource {
    public nonisolated let isEndless = true
    public nonisolated let waitingText = "looking for a GIF…"
    public nonisolated let hasAlternatives = true
    private let feed: RandomFeed
    private let log: FailureLog
    private var loggedFailures: [SourceFailure] = []

    public init(_ repository: any GIFRepository, _ preferences: ListingPreferences, log: FailureLog) {
        self.log = log
        feed = RandomFeed(repository, preferences: preferences)
    }

    public func nextBatch(
        avoiding avoided: Set<String>, within budget: TimeBudget?
    ) async throws(CommandError) -> ItemBatch {
        do throws(CatalogError) {
            let reference = try await feed.next(avoiding: avoided)
            let failures = await feed.failures
            // The feed reports the same failures for every GIF of a batch. Log these failures only once.
            if failures != loggedFailures { log.record(failures) }
            loggedFailures = failures
            return ItemBatch(items: [PlayItem(reference)], failures: SearchItemSource.reportable(failures))
        } catch {
            throw CommandError(ErrorMessages.describe(error))
        }
    }
}

extension CatalogError {
    /// Whether to report the error to the user. This is true if the error indicates a problem with the source or
    /// explains why another source is used.
    fileprivate var isReportable: Bool {
        switch self {
        case .nothingFound, .notOffered, .noKey, .cancelled: false
        default: true
        }
    }
}
