import GIFDecode
import Synchronization

/// The download of one GIF: the bytes for the decoder as they arrive, and the progress.
///
/// After a broken connection it requests the rest if the server supports ranges. Otherwise it requests the whole file
/// again and skips the bytes it already has. Received bytes stay readable after a failure.
/// Releasing this object cancels the download.
public final class Download: Sendable {
    /// The progress at one moment.
    public struct Progress: Equatable, Sendable {
        /// The received bytes.
        public var received: Int
        /// The total size in bytes; nil if the server did not report it.
        public var expected: Int?
        /// The average of the last two seconds.
        public var bytesPerSecond: Int
        /// Whether the download is running but has received nothing for a second.
        public var isStalled: Bool
        /// The number of requests after the first.
        public var retries: Int
        public var state: State
    }

    /// Whether the download runs or how it ended.
    public enum State: Equatable, Sendable {
        case running
        case finished
        /// The received bytes stay readable.
        case failed(FetchError)
    }

    /// The parameters of a download.
    public struct Request: Sendable {
        /// An absolute URL with the scheme http or https.
        public var url: String
        /// Header fields that are sent to the URL's origin only, not to other origins after a redirect.
        public var headers: [String: String]
        /// The maximum size in bytes. A larger file is an error.
        public var limit: Int
        /// The store for the complete GIF. A failure to store it does not affect the download.
        public var store: (any MediaStore)?
        /// Whether the user specified the address, so that it may point to this machine or its network.
        public var mayBeLocal: Bool
        /// The maximum number of retries while less than 64 KiB have arrived; nil for the limit of the client's policy.
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

    /// The bytes, for one reader.
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

    /// The progress now. Never waits; intended for the status line.
    public var progress: Progress { sink.progress }

    /// Why the complete GIF could not be written to the store; nil if that did not fail or there is no store.
    public var storeFailure: FetchError? { sink.storeFailure }

    /// Ends the download immediately. The reader gets the received bytes.
    public func cancel() { task.cancel() }

    /// A stream that yields immediately and after bytes have arrived. It ends with the download.
    public func changes() -> AsyncStream<Void> { sink.changes() }

    /// Waits until the first bytes of a GIF have arrived or the download has ended.
    public func waitForStart() async -> State {
        // In a separate task: if the caller's task is cancelled, this must still wait for the end of the download.
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
    /// Starts a download and returns immediately. Errors are reported by the download.
    public func download(_ request: Download.Request) -> Download {
        Download(request, transport: transport)
    }
}
