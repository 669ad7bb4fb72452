import GIFDecode
import Synchronization

/// A GIF on its way: bytes for the decoder as they come, and how far they are.
///
/// A break is mended by asking for the rest where the server can give that, and by asking again and
/// passing over what is there where it cannot. What arrived stays readable whatever happens.
/// Dropping the object cancels it.
public final class Download: Sendable {
    /// How far it is, at one moment.
    public struct Progress: Equatable, Sendable {
        /// Bytes.
        public var received: Int
        /// Bytes in all, where the server said so.
        public var expected: Int?
        /// Over the last two seconds.
        public var bytesPerSecond: Int
        /// Whether it goes on but nothing has come for a second.
        public var isStalled: Bool
        /// Requests after the first.
        public var retries: Int
        public var state: State
    }

    /// Where it stands.
    public enum State: Equatable, Sendable {
        case running
        case finished
        /// What arrived before stays readable.
        case failed(FetchError)
    }

    /// What to fetch and how much of it to take.
    public struct Request: Sendable {
        /// Absolute, http or https.
        public var url: String
        /// Sent to the URL's own origin only, not to where it redirects.
        public var headers: [String: String]
        /// Bytes; more is an error.
        public var limit: Int
        /// Where the GIF is kept once it is whole; a failure to keep it does not hurt the download.
        public var store: (any MediaStore)?
        /// Whether the user gave the address, so that it may be of this machine or its network.
        public var isUsersOwn: Bool
        /// Requests after the first while less than 64 KiB have come; nil for as many as the client's policy allows.
        public var startRetries: Int?

        public init(
            url: String, headers: [String: String] = [:], limit: Int = 64 << 20, store: (any MediaStore)? = nil,
            isUsersOwn: Bool = true
        ) {
            self.url = url
            self.headers = headers
            self.limit = limit
            self.store = store
            self.isUsersOwn = isUsersOwn
        }
    }

    /// The bytes, for one reader.
    public let source: GrowingByteSource
    private let feed: DownloadFeed
    private let task: Task<Void, Never>

    init(_ request: Request, transport: Transport) {
        let source = GrowingByteSource()
        let feed = DownloadFeed(request, source: source, clock: transport.options.clock)
        self.source = source
        self.feed = feed
        task = Task { await DownloadRun(request, feed: feed, transport: transport).run() }
    }

    deinit { task.cancel() }

    /// Never waits; for the status line.
    public var progress: Progress { feed.progress }

    /// Why the whole GIF is not in the store, where one was given and it failed.
    public var storeFailure: FetchError? { feed.storeFailure }

    /// Ends it at once; the reader gets what arrived.
    public func cancel() { task.cancel() }

    /// An element at once, and after bytes have arrived; it ends with the download.
    public func changes() -> AsyncStream<Void> { feed.changes() }

    /// Waits until a GIF's first bytes are there, or it has ended without any.
    public func begun() async -> State {
        // In a task of its own: if the caller's is cancelled, the end of the download has to be waited for.
        await Task { [feed] in for await _ in feed.changes() where feed.hasBegun { break } }.value
        return feed.progress.state
    }

    /// Waits for the end, the keeping in the store included.
    public func end() async -> State {
        await task.value
        return feed.progress.state
    }
}

extension CurlHTTPClient {
    /// Begins to fetch a GIF and returns at once; errors come through the download.
    public func download(_ request: Download.Request) -> Download {
        Download(request, transport: transport)
    }
}
