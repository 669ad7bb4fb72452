import Application
import Base
import Catalog
import Fetching

/// A loader that returns the given responses. It opens no connection.
public final class LoaderDouble: ItemLoading {
    /// The outcome of a fetch.
    public enum Response: Sendable {
        case bytes([UInt8])
        case failure(CommandError)
        /// There is no outcome until the task is cancelled.
        case silence
    }

    public let clock: any WaitClock = SystemWaitClock()
    public let mediaHosts = MediaHosts()
    private let responses: [String: Response]
    private let stored: Set<String>
    private let requests = Monitor<[String]>([])

    /// - Parameters:
    ///   - responses: the responses by URL. Any other URL fails with "TITLE: no response".
    ///   - stored: the URLs that count as stored.
    public init(_ responses: [String: Response] = [:], stored: Set<String> = []) {
        self.responses = responses
        self.stored = stored
    }

    /// The URLs that were fetched, in order.
    public var requested: [String] { requests.withLock { $0 } }

    public func files(of reference: GIFReference) throws(CommandError) -> [MediaFile] {
        guard !reference.renditions.isEmpty else { throw CommandError("\(reference.title): no file") }
        return reference.renditions.map { MediaFile(PlayItem(reference), url: $0.url, mayBeStill: $0.mayBeStill) }
    }

    public func isStored(_ file: MediaFile) -> Bool { stored.contains(file.url) }

    public func fetch(
        _ file: MediaFile, needsAllBytes: Bool, startRetries: Int?, begun: @Sendable (Download) -> Void
    ) async throws(CommandError) -> FetchedItem {
        guard !file.item.isLocal else { return FetchedItem(item: file.item, content: .local) }
        requests.withLock { $0.append(file.url) }
        switch responses[file.url] ?? .failure(CommandError("\(file.item.name): no response")) {
        case .bytes(let bytes): return FetchedItem(item: file.item, content: .bytes(bytes))
        case .failure(let error): throw error
        case .silence:
            await waitUntilCancelled()
            throw CommandError("cancelled")
        }
    }
}

/// An item source that returns the given batches, then empty ones.
public actor BatchSource: ItemSource {
    public nonisolated let isEndless: Bool
    public nonisolated let waitingText = "looking around…"
    public nonisolated let hasAlternatives: Bool
    private var batches: [ItemBatch]
    private let isSilent: Bool
    /// The avoided sources of each request.
    public private(set) var requests: [Set<String>] = []

    /// - Parameter isSilent: whether a request has no outcome until its task is cancelled.
    public init(
        _ batches: [ItemBatch] = [], isEndless: Bool = false, hasAlternatives: Bool = false, isSilent: Bool = false
    ) {
        self.batches = batches
        self.isEndless = isEndless
        self.hasAlternatives = hasAlternatives
        self.isSilent = isSilent
    }

    public func nextBatch(
        avoiding avoided: Set<String>, within budget: TimeBudget?
    ) async throws(CommandError) -> ItemBatch {
        requests.append(avoided)
        if isSilent { await waitUntilCancelled() }
        return batches.isEmpty ? ItemBatch() : batches.removeFirst()
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

    /// The URL of the file of `titled(_:from:)`.
    public static func url(titled title: String) -> String { "https://\(title).example/\(title).gif" }
}
