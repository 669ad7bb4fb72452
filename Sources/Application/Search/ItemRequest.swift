import Base
import Catalog

/// The result of a search for the next playable item.
public struct NextItem: Sendable {
    /// The number of candidates at the start, which the playlist replaces by `skipped`, `fetched` and `remaining`.
    public var candidates = 0
    /// The items before the one that the choice selects. They are not tried.
    public var skipped: [GIFReference] = []
    /// The playable item; nil at the end of the list or if no item could be played.
    public var fetched: FetchedItem?
    /// The items after `fetched`, in order, without those that cannot be played.
    public var remaining: [GIFReference] = []
    /// The reasons why items or sources were skipped, or why no more items follow.
    public var failures: [Failure] = []
}

/// Which result of a search to play.
public enum ResultChoice: Equatable, Sendable {
    /// The first result that can be played.
    case first
    /// The result at this position, counted from 1. If it cannot be played, no other result replaces it.
    case number(Int)
    case any

    /// Whether another item is played if the chosen one cannot be.
    var isReplaceable: Bool { if case .number = self { false } else { true } }
}

/// What a playlist asks for: the next of its items that can be played, or else the next one of its search.
public struct ItemRequest: Sendable {
    public var candidates: [GIFReference]
    /// Nil if the candidates are all items.
    public var search: SearchLoop?
    /// Of the results of the search.
    public var choice = ResultChoice.first
    public var needsAllBytes = false
    /// Whether the server of the only candidate is asked, even if its file is stored.
    public var isReload = false

    /// Whether the search for one of them is one for the other.
    func isEqual(_ other: ItemRequest?) -> Bool { candidates == other?.candidates && search === other?.search }

    /// - Parameter tried: gets the state of the search in a list. The item that is being tried is the first remaining one.
    public func run(_ loader: any ItemLoading, _ tried: Monitor<NextItem>? = nil) async -> NextItem {
        if let search { return await search.nextItem(candidates, choice, needsAllBytes: needsAllBytes, loader) }
        if isReload, let item = candidates.first { loader.reload(item) }
        // The user has named these items, so they are tried in order and one at a time, however slow one is. A search has
        // several downloads at once, because any of its results will do.
        var next = NextItem(candidates: candidates.count, remaining: candidates)
        while next.fetched == nil, let item = next.remaining.first {
            tried?.withLock { $0 = next }
            next.fetched = await fetch(item, loader, &next.failures)
            guard next.fetched != nil || !Task.isCancelled else { break }
            next.remaining.removeFirst()
        }
        return next
    }

    /// Fetches the first file of the item that can be fetched. Nil if there is none, or if the task was cancelled.
    private func fetch(
        _ item: GIFReference, _ loader: any ItemLoading, _ failures: inout [Failure]
    ) async -> FetchedItem? {
        guard item.needsDownload else { return FetchedItem(item) }
        let files: [Rendition]
        do throws(Failure) { files = try loader.files(of: item) } catch {
            failures.append(error.of(item.name))
            return nil
        }
        let start = failures.endIndex
        for file in files {
            do throws(Failure) {
                let fetched = try await loader.fetch(
                    file, of: item, needsAllBytes: needsAllBytes, startRetries: nil, begun: { _ in })
                loader.health.update { coolDowns, _ in coolDowns.recordSuccess(of: .files(item.provider)) }
                return fetched
            } catch {
                guard !Task.isCancelled else { return nil }
                let failure = error.of(item.name)
                if !failures[start...].contains(failure) { failures.append(failure) }
                if file.showsThatOthersFail(error) { return nil }
                if error.kind != .notAnimated, item.origin == .source {
                    loader.health.update { $0.recordFailedFile(of: item.provider, failure, at: $1) }
                }
            }
        }
        return nil
    }
}

/// Loads the files of items. ``GIFLoader`` is the implementation; tests use a double.
public protocol ItemLoading: Sendable {
    var health: SourceHealth { get }
    /// The most recently started download, for progress reports.
    var latestDownload: Download? { get }

    /// Returns the files of an item in the order in which to try them, at most four. None of them has alternatives.
    /// - Throws: an error if the list would be empty.
    func files(of item: GIFReference) throws(Failure) -> [Rendition]

    /// Whether the file is stored on this machine and can be loaded without its host.
    func isStored(_ file: Rendition, of item: GIFReference) -> Bool

    /// Makes the next fetch of the item ask its server, even if it is stored.
    func reload(_ item: GIFReference)

    /// Fetches a file. If the file is from a service, returns once it is known to be animated. If it is from any other
    /// server, returns once its first bytes have arrived.
    /// - Parameters:
    ///   - needsAllBytes: whether to wait for all bytes of the file.
    ///   - startRetries: the maximum number of retries at the start of the download, as in `Download.Request`.
    ///   - begun: called with the download, unless the file is stored.
    func fetch(
        _ file: Rendition, of item: GIFReference, needsAllBytes: Bool, startRetries: Int?,
        begun: @Sendable (Download) -> Void
    ) async throws(Failure) -> FetchedItem
}

extension ItemLoading {
    public var latestDownload: Download? { nil }

    public func reload(_ item: GIFReference) {}
}

/// Supplies items without end, one at a time.
public protocol ItemFeed: Sendable {
    /// Whether items arrive at any time, so that no other one replaces a missing one.
    var waitsForItems: Bool { get }
    func waitingText(in language: Language) -> String
    /// Why the latest item was left out; nil if none was since the last good one. Its kind is ``Failure/Kind/nothingFound``
    /// if only an item is awaited.
    var problem: Failure? { get }
    /// The time of the next automatic attempt while there is no connection; otherwise nil.
    var retryTime: ContinuousClock.Instant? { get }

    /// Makes the attempt of ``retryTime`` now.
    func retryNow()

    /// Call this if the host of an item's file cannot be reached.
    func reportUnreachable()

    /// Returns the next item, and the failures of the sources that could not provide it.
    func next() async throws(Failure) -> ResultPage
}

extension ItemFeed {
    public var retryTime: ContinuousClock.Instant? { nil }
    public var waitsForItems: Bool { false }
    public var problem: Failure? { nil }

    public func retryNow() {}

    public func reportUnreachable() {}
}

/// Supplies random GIFs.
extension RandomFeed: ItemFeed {
    public nonisolated func retryNow() { Task { await reconnectNow() } }

    public nonisolated func waitingText(in language: Language) -> String {
        language(en: "looking for a GIF…", de: "suche ein GIF …")
    }

    public nonisolated func reportUnreachable() { Task { await checkConnection() } }

    public func next() async throws(Failure) -> ResultPage {
        let reference = try await nextReference()
        return ResultPage(items: [reference], sourceFailures: failures)
    }
}
