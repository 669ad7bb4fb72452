import GIFDecode
import Synchronization

/// The download of one GIF. It provides the bytes to the decoder as they arrive, and reports the progress.
///
/// After a broken connection, it requests only the missing bytes if the server supports ranges. Otherwise it requests
/// the whole file again and skips the bytes that it already has. Received bytes stay readable after a failure. If this
/// object is deallocated, the download is cancelled.
public final class Download: Sendable {
    /// The progress at one moment.
    public struct Progress: Equatable, Sendable {
        public var received: Int
        /// The total size in bytes; nil if the server did not report it.
        public var expected: Int?
        /// The average speed over the last two seconds.
        public var bytesPerSecond: Int
        /// Whether the download is running but has received nothing for a second.
        public var isStalled: Bool
        /// The number of requests, not counting the first one.
        public var retries: Int
        public var state: State
    }

    /// The state of a download: running, or how it ended.
    public enum State: Equatable, Sendable {
        case running
        case finished
        /// The download failed. The received bytes stay readable.
        case failed(FetchError)
    }

    public struct Request: Sendable {
        /// An absolute URL with the scheme http or https.
        public var url: String
        /// Header fields that are sent to the URL's origin only, not to other origins after a redirect.
        public var headers: [String: String]
        /// The maximum size in bytes. A larger file is an error.
        public var limit: Int
        /// The store for the complete GIF. If the GIF cannot be stored, the download continues.
        public var store: (any MediaStore)?
        /// Whether the address is allowed to point to this machine or its network, for example because the user typed
        /// the address.
        public var mayBeLocal: Bool
        /// The maximum number of retries until 64 KiB have arrived. If nil, only the client's retry policy limits the
        /// retries.
        public var startRetries: Int?

        public init(
            url: String, headers: [String: String] = [:], limit: Int = 64 << 20, store: (any MediaStore)? = nil,
            mayBeLocal: Bool = true
        ) {
            self.url = url
            self.headers = headers
            self.limit = limit
            self.store = store
            self.mayBeLocal = mayBeLocal
        }
    }

    /// The received bytes. This source supports only one reader.
    public let source: GrowingByteSource
    private let sink: DownloadSink
    private let task: Task<Void, Never>

    init(_ request: Request, transport: Transport) {
        let source = GrowingByteSource()
        let sink = DownloadSink(request, source: source, clock: transport.options.clock)
        self.source = source
        self.sink = sink
        task = Task { await DownloadRun(request, sink: sink, transport: transport).run() }
    }

    deinit { task.cancel() }

    /// The current progress. Reading it never waits, so that the status line can use it.
    public var progress: Progress { sink.progress }

    /// The error that occurred when the GIF was written to the store; nil if there was no error or there is no store.
    public var storeFailure: FetchError? { sink.storeFailure }

    /// Ends the download immediately. The reader gets the received bytes first, and then an error.
    public func cancel() { task.cancel() }

    /// Returns a stream that yields immediately, and again after bytes have arrived. The stream ends when the download
    /// ends.
    public func changes() -> AsyncStream<Void> { sink.changes() }

    /// Waits until the first bytes of a GIF have arrived or the download has ended.
    public func waitForStart() async -> State {
        // Wait in a separate task. Otherwise, a cancellation of the caller's task would end the stream, and thus this
        // wait, while the download is still running.
        await Task { [sink] in for await _ in sink.changes() where sink.hasBegun { break } }.value
        return sink.progress.state
    }

    /// Waits for the end of the download, including the commit to the store.
    public func waitForEnd() async -> State {
        await task.value
        return sink.progress.state
    }
}

extension CurlHTTPClient {
    /// Starts a download and returns immediately. The returned object reports errors.
    public func download(_ request: Download.Request) -> Download {
        Download(request, transport: transport)
    }
}
