import Base
import Catalog

/// A batch of candidates, and the failures of the queried services that could not provide any.
public struct CandidateBatch: Sendable {
    public var items: [PlayItem] = []
    public var failures: [String] = []

    public init(items: [PlayItem] = [], failures: [String] = []) { (self.items, self.failures) = (items, failures) }
}

/// Supplies further items for a playlist that grows during playback. Decides which source comes next.
public protocol CandidateStream: Sendable {
    /// Whether the stream returns random items without end.
    var isEndless: Bool { get }
    /// Whether items arrive at any time, so that no other one replaces a missing one.
    var waitsForItems: Bool { get }
    func waitingText(in language: Language) -> String
    /// Why the latest item was left out; nil if none was since the last good one.
    var problem: String? { get }
    /// Whether another service can replace a failing one. If true, gifplay waits only a short time for each service.
    var hasAlternatives: Bool { get }
    /// The time of the next automatic attempt while there is no connection; otherwise nil.
    var retryTime: ContinuousClock.Instant? { get }

    /// Makes the attempt of ``retryTime`` now.
    func retryNow()

    /// Call this if the host of an item's file cannot be reached.
    func reportUnreachable()

    /// Returns the next items. A batch without items means that no more items follow.
    /// - Parameter budget: the time for all requests; nil for the default. If spent, the items need no network.
    func next(within budget: TimeBudget?) async throws(CommandError) -> CandidateBatch
}

extension CandidateStream {
    public var retryTime: ContinuousClock.Instant? { nil }
    public var waitsForItems: Bool { false }
    public var problem: String? { nil }

    public func retryNow() {}

    public func reportUnreachable() {}

    func outcome(within budget: TimeBudget?) async -> Result<CandidateBatch, CommandError> {
        do throws(CommandError) { return .success(try await next(within: budget)) } catch { return .failure(error) }
    }
}

/// Supplies the results of a search, page by page and source by source, without duplicates.
public actor SearchCandidates: CandidateStream {
    /// The part of a time budget that is reserved for displaying a built-in sample, in milliseconds.
    private static let reserve = 1_000

    public nonisolated let isEndless = false
    public nonisolated let hasAlternatives: Bool
    private let repository: any GIFRepository
    private let query: SearchQuery
    private let health: SourceHealth
    private var nextPage: PageToken?
    private var nextSourcePage: PageToken?
    private var isAtEnd = false
    private var hasQueried = false
    /// The source of the latest page that had results.
    private var source: String?
    /// URLs and identifiers of the items returned so far. Several sources can list the same GIF.
    private var seenNames: Set<String> = []

    public init(_ repository: any GIFRepository, _ query: SearchQuery, health: SourceHealth) {
        self.repository = repository
        self.query = query
        self.health = health
        hasAlternatives = (repository as? ServiceChain).map { $0.links.count > 1 } ?? false
    }

    public nonisolated func waitingText(in language: Language) -> String {
        language(en: "looking for “\(query.text)”…", de: "suche „\(query.text)“ …")
    }

    public func next(within budget: TimeBudget?) async throws(CommandError) -> CandidateBatch {
        var query = query
        if let budget {
            query.preferences.budgetMilliseconds = max(0, Int(budget.remaining / .milliseconds(1)) - Self.reserve)
        }
        var batch = CandidateBatch()
        do throws(CatalogError) {
            while !isAtEnd {
                if query.preferences.budgetMilliseconds == 0 || !isSourceUsable { nextPage = nextSourcePage }
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
            // If earlier pages had results, the list ends without an error.
            guard source == nil else { return CandidateBatch(failures: messages(error)) }
            throw CommandError(describe(error))
        }
    }

    private var isSourceUsable: Bool { source.map { health.isUsable(.files($0)) } ?? true }

    private func add(_ page: ResultPage, to batch: inout CandidateBatch) {
        batch.failures += page.sourceFailures.messages
        nextPage = page.next
        nextSourcePage = page.nextSource
        isAtEnd = page.next == nil
        source = page.items.first?.provider ?? source
        batch.items = page.items.filter { item in
            let names = [item.provider + " " + item.id] + item.renditions.prefix(1).map(\.url)
            return seenNames.isDisjoint(with: names) && names.allSatisfy { seenNames.insert($0).inserted }
        }.map(PlayItem.init)
    }

    private func messages(_ error: CatalogError) -> [String] {
        if case .exhausted(let failures) = error { return failures.messages }
        return [SourceFailure(source: repository.name, reason: error)].messages
    }

    private func describe(_ error: CatalogError) -> String {
        ErrorMessages.describe(error, query: query.text, source: repository.name)
    }
}

/// Supplies random GIFs, one at a time, without end.
public struct RandomCandidates: CandidateStream {
    public let isEndless = true
    public let hasAlternatives = true
    private let feed: RandomFeed

    public init(_ repository: any GIFRepository, _ preferences: ListingPreferences, health: SourceHealth) {
        feed = RandomFeed(repository, preferences: preferences, health: health, reconnects: true)
    }

    public var retryTime: ContinuousClock.Instant? { feed.retryTime }

    public func retryNow() { Task { [feed] in await feed.retryNow() } }
    public func waitingText(in language: Language) -> String {
        language(en: "looking for a GIF…", de: "suche ein GIF …")
    }

    public func reportUnreachable() { Task { [feed] in await feed.checkConnection() } }

    public func next(within budget: TimeBudget?) async throws(CommandError) -> CandidateBatch {
        do throws(CatalogError) {
            let reference = try await feed.next()
            return CandidateBatch(items: [PlayItem(reference)], failures: await feed.failures.messages)
        } catch {
            throw CommandError(ErrorMessages.describe(error))
        }
    }
}

extension [SourceFailure] {
    /// The messages about failures that indicate a problem with a source or explain why another source is used.
    fileprivate var messages: [String] {
        filter { failure in
            switch failure.reason {
            case .nothingFound, .notOffered, .noKey, .cancelled: false
            default: true
            }
        }.map(ErrorMessages.describe)
    }
}
