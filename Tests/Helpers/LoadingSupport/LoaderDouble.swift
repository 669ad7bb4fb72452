import Base
import Catalog

@testable import Application

/// A loader that returns the given responses. It opens no connection.
public final class LoaderDouble: ItemLoading {
    /// The outcome of a fetch.
    public enum Response: Sendable {
        case bytes([UInt8])
        case failure(Failure)
        /// The fetch waits until its task is cancelled, and then fails.
        case silence
    }

    public let health: SourceHealth
    private let responses: [String: Response]
    private let stored: Set<String>
    private let requests = Monitor<[String]>([])
    private let silent = Monitor<Set<String>>([])

    /// - Parameters:
    ///   - responses: the response for each URL. A fetch of any other URL fails with "NAME: no response", where NAME is
    ///     the name of the item.
    ///   - stored: the URLs of the files that ``isStored(_:)`` reports as stored.
    public init(
        _ responses: [String: Response] = [:], stored: Set<String> = [], health: SourceHealth = SourceHealth()
    ) {
        self.health = health
        self.responses = responses
        self.stored = stored
    }

    /// The URLs that were fetched, in order.
    public var requested: [String] { requests.withLock { $0 } }

    /// The URLs whose fetches are waiting.
    public var waiting: Set<String> { silent.withLock { $0 } }

    public func files(of reference: GIFReference) throws(Failure) -> [Rendition] {
        guard !reference.renditions.isEmpty else { throw Failure("no file") }
        return reference.renditions
    }

    public func isStored(_ file: Rendition, of item: GIFReference) -> Bool { stored.contains(file.url) }

    public func fetch(
        _ file: Rendition, of item: GIFReference, needsAllBytes: Bool, startRetries: Int?,
        begun: @Sendable (Download) -> Void
    ) async throws(Failure) -> FetchedItem {
        requests.withLock { $0.append(file.url) }
        switch responses[file.url] ?? .failure(Failure("no response")) {
        case .bytes(let bytes): return FetchedItem(item, content: bytes)
        case .failure(let error): throw error
        case .silence:
            silent.withLock { _ = $0.insert(file.url) }
            await waitUntilCancelled()
            silent.withLock { _ = $0.remove(file.url) }
            throw .cancelled
        }
    }
}

/// A feed that returns the given GIFs one by one, and then nothing.
public final class FeedDouble: ItemFeed {
    public let retryTime: ContinuousClock.Instant?
    /// With one, items are awaited as those of a followed file are.
    public let problem: Failure?
    public var waitsForItems: Bool { problem != nil }
    private let isSilent: Bool
    private let items: Monitor<[GIFReference]>
    private let retries = Monitor(0)
    /// The number of calls of ``retryNow()``.
    public var retryCount: Int { retries.withLock { $0 } }

    /// - Parameter isSilent: whether a request returns only after its task is cancelled.
    public init(
        _ titles: [String] = [], isSilent: Bool = false, retryTime: ContinuousClock.Instant? = nil,
        problem: Failure? = nil
    ) {
        (self.retryTime, self.problem) = (retryTime, problem)
        self.isSilent = isSilent
        items = Monitor(titles.map { .titled($0) })
    }

    public func waitingText(in language: Language) -> String { "looking around…" }

    public func retryNow() { retries.withLock { $0 += 1 } }

    public func next() async throws(Failure) -> ResultPage {
        if isSilent || items.withLock(\.isEmpty) { await waitUntilCancelled() }
        return ResultPage(items: items.withLock { $0.isEmpty ? [] : [$0.removeFirst()] })
    }
}

extension SearchLoop {
    /// A search for "cat" in one source that has these pages.
    public static func results(_ pages: [GIFReference]...) -> SearchLoop {
        let outcomes = pages.enumerated().map { number, items in
            let next = PageToken(source: "commons", parameters: ["page": "\(number + 1)"])
            return Result<ResultPage, Failure>.success(
                ResultPage(items: items, next: number + 1 < pages.count ? next : nil))
        }
        return ServiceChain([.init(RepositoryDouble("commons", outcomes))]).results(of: SearchQuery("cat"))
    }

    /// A search for "cat" in one source that does not answer.
    public static var silent: SearchLoop {
        ServiceChain([.init(RepositoryDouble(isSilent: true))]).results(of: SearchQuery("cat"))
    }
}

/// Returns when the task is cancelled.
public func waitUntilCancelled() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
}

extension GIFReference {
    /// Creates a reference with one file, `https://TITLE.example/TITLE.gif`.
    public static func titled(_ title: String, from provider: String = "commons") -> GIFReference {
        GIFReference(
            provider: provider, id: title, title: title, attribution: "",
            renditions: [Rendition(url: url(titled: title))], cachePolicy: .persistent)
    }

    /// Returns the URL of the file in a reference that `titled(_:from:)` creates.
    public static func url(titled title: String) -> String { "https://\(title).example/\(title).gif" }
}
