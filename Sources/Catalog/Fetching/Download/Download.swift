import Base
import Pixels

/// The download of one GIF. The decoder reads the bytes as they arrive.
///
/// After a broken connection, it requests only the missing bytes if the server supports ranges. Otherwise it requests
/// the whole file again and skips known bytes. The GIF is complete at its trailer, whatever the server announces: the
/// download then ends, and later bytes are dropped. Deallocating this object cancels the download.
public final class Download: Sendable {
    public struct Progress: Equatable, Sendable {
        /// In bytes, as all sizes.
        public var received: Int
        /// The size of the file; nil if the server did not report it.
        public var expected: Int?
        /// The average speed over the last two seconds.
        public var bytesPerSecond: Int
        /// Whether the download is running but has received nothing for a second.
        public var isStalled: Bool
        /// The number of requests, not counting the first one.
        public var retries: Int
        public var state: State
        /// Nil unless the download waits before the next request.
        public var wait: Wait?

        public init(
            received: Int, expected: Int? = nil, bytesPerSecond: Int = 0, isStalled: Bool = false, retries: Int = 0,
            state: State = .running, wait: Wait? = nil
        ) {
            (self.received, self.expected, self.bytesPerSecond) = (received, expected, bytesPerSecond)
            (self.isStalled, self.retries, self.state, self.wait) = (isStalled, retries, state, wait)
        }
    }

    public struct Wait: Equatable, Sendable {
        public var seconds: Int
        /// Why the last request failed.
        public var reason: Failure
    }

    public enum State: Equatable, Sendable {
        case running
        case finished
        /// The received bytes stay readable.
        case failed(Failure)
    }

    public struct Request: Sendable {
        /// An absolute URL with the scheme http or https.
        public var url: String
        /// Sent to the URL's origin only, not to other origins after a redirect.
        public var headers: [String: String]
        /// In bytes. A larger file is an error.
        public var limit: Int
        /// If the GIF cannot be stored, the download continues.
        public var store: (any MediaStore)?
        /// Stores the GIF instead of ``store`` if the response does not allow it to stay after this run.
        public var runStore: (any MediaStore)?
        /// Whether the GIF is validated before a later use, for which its response is stored with it.
        public var isValidated = false
        /// Asks the server only whether this response still holds. If so, the download fails with the status 304, and
        /// ``Download/renewedResponse`` is set.
        public var stored: StoredResponse?
        /// Whether the URL may point to this machine or its network, for example because the user typed it.
        public var mayBeLocal: Bool
        /// Whether a page is read up to ``DownloadedPage``'s limit, because it can name the GIF.
        public var keepsPage = false
        /// The maximum number of retries until 64 KiB have arrived; nil for that of the client's retry policy.
        public var startRetries: Int?

        public init(
            url: String, headers: [String: String] = [:], limit: Int = 64 << 20, store: (any MediaStore)? = nil,
            mayBeLocal: Bool
        ) {
            (self.url, self.headers, self.limit) = (url, headers, limit)
            (self.store, self.mayBeLocal) = (store, mayBeLocal)
        }
    }

    /// Supports only one reader.
    public let source: GrowingByteSource
    private let sink: DownloadSink
    private let task: Task<Void, Never>

    init(_ request: Request, client: CurlHTTPClient) {
        let source = GrowingByteSource()
        let sink = DownloadSink(request, source: source, clock: client.options.clock)
        self.source = source
        self.sink = sink
        task = Task { await sink.run(on: client) }
    }

    deinit { task.cancel() }

    /// Reading it never waits, so that the status line can use it.
    public var progress: Progress { sink.progress }

    /// Whether the GIF is animated; nil if more bytes are needed to tell. Reading it never waits and copies no bytes.
    public var animation: BlockWalk.Kind? { sink.state.withLock { $0.file.animation } }

    /// Whether the responses so far allow the GIF to stay on disk after this run.
    public var mayOutliveRun: Bool { sink.state.withLock { $0.mayOutliveRun } }

    /// The stored response that the server has confirmed; nil if it sent another one.
    public var renewedResponse: StoredResponse? { sink.state.withLock { $0.renewedResponse } }

    /// The page that the server sent instead of a GIF; nil if it sent none.
    public var page: DownloadedPage? { sink.state.withLock { $0.receivedPage } }

    /// The address of the last response, after redirects; nil before the first one.
    public var finalAddress: String? { sink.state.withLock { $0.finalAddress } }

    /// The host of the URL.
    public var host: String { sink.state.withLock { $0.host } }

    /// Whether all bytes have arrived, so that ``waitForEnd()`` waits only for the commit to the store.
    public var hasAllBytes: Bool { sink.state.withLock { $0.file.hasTrailer } }

    /// The name that the server gives to the file; nil if it gives none.
    public var fileName: String? { sink.state.withLock { $0.fileName } }

    /// The error of writing to the store; nil without an error or without a store.
    public var storeFailure: Failure? { sink.state.withLock { $0.storeFailure } }

    /// The reader gets the received bytes first, and then an error.
    public func cancel() { task.cancel() }

    /// Yields immediately, and again after bytes have arrived, until the download ends.
    public func changes() -> AsyncStream<Void> { sink.changeFeed.changes() }

    /// Waits until the first bytes of a GIF have arrived or the download has ended.
    public func waitForStart() async -> State {
        // In a separate task, because a cancellation of the caller's task would end the stream during the download.
        await Task { [sink] in
            for await _ in sink.changeFeed.changes() where sink.state.withLock({ $0.hasBegun }) { break }
        }.value
        return sink.progress.state
    }

    /// Includes the commit to the store.
    public func waitForEnd() async -> State {
        await task.value
        return sink.progress.state
    }
}

extension CurlHTTPClient {
    /// Returns immediately. The returned object reports errors.
    public func download(_ request: Download.Request) -> Download { Download(request, client: self) }
}

/// A response that is a page instead of a GIF.
public struct DownloadedPage: Sendable {
    /// In bytes, after decompression.
    static let limit = 512 << 10

    /// The address after redirects.
    public let address: String
    /// Whether addresses in the page may point to this machine or its network.
    public let mayLeadToLocal: Bool
    public internal(set) var body: [UInt8] = []
    /// Whether the page is longer than what is read of it.
    public var isCut: Bool { body.count == Self.limit }
    /// Whether the server says that it is a page.
    let isHTML: Bool

    init(_ head: ResponseHead) {
        (address, mayLeadToLocal) = (head.address, head.mayLeadToLocal)
        let type = head.headers["content-type"]?.lowercased() ?? ""
        isHTML = type.contains("html")
    }
}

/// A report about a running download.
public struct PartialFile: Sendable {
    public var progress: Download.Progress
    /// The bytes received so far; nil if they have grown little since the last report.
    public var bytes: [UInt8]?

    public init(_ progress: Download.Progress, bytes: [UInt8]? = nil) {
        (self.progress, self.bytes) = (progress, bytes)
    }
}

public enum ByteSize {
    /// In decimal units, rounded half up: `512 B`, `23 kB`, `1.4 MB`.
    public static func file(_ bytes: Int, decimalMark: String = ".") -> String {
        let bytes = max(0, bytes)
        guard bytes >= 1000 else { return "\(bytes) B" }
        let kilobytes = rounded(bytes, by: 1000)
        guard kilobytes >= 1000 else { return "\(kilobytes) kB" }
        var tenths = rounded(bytes, by: 100_000)
        var unit = "MB"
        if tenths >= 10_000 { (tenths, unit) = (rounded(bytes, by: 100_000_000), "GB") }
        return "\(tenths / 10)\(decimalMark)\(tenths % 10) \(unit)"
    }

    /// In the largest binary unit that divides it, such as `512 MiB` for the option value `512M`, or else in bytes.
    public static func limit(_ bytes: Int) -> String {
        let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        let unit = units.first { bytes >= 1 << $0.0 && bytes % (1 << $0.0) == 0 }
        return unit.map { "\(bytes >> $0.0) \($0.1)" } ?? "\(bytes) B"
    }

    private static func rounded(_ bytes: Int, by unit: Int) -> Int { bytes / unit + (bytes % unit * 2 >= unit ? 1 : 0) }
}

extension Language {
    public func bytes(_ count: Int) -> String { ByteSize.file(count, decimalMark: self(en: ".", de: ",")) }

    /// Returns a text such as "87 kB of 278 kB".
    public func amount(_ progress: Download.Progress) -> String {
        let received = bytes(progress.received)
        guard let expected = progress.expected.map(bytes) else { return received }
        return self(en: "\(received) of \(expected)", de: "\(received) von \(expected)")
    }
}

/// Sends the requests of a download, receives the bytes of their responses, and forwards each byte exactly once.
///
/// The transfer thread delivers the bytes, the download's task sends the requests, and the player reads the progress.
final class DownloadSink: ExchangeSink {
    enum NextStep: Equatable {
        case finish
        case retry(Failure)
        case fail(Failure)
    }

    /// An attempt that receives at least this number of bytes resets the number of retries.
    private static let progressBytes = 64 << 10
    /// In milliseconds. If a server requests a longer wait, the download fails, because it has no total timeout.
    private static let maximumWait = 60_000
    /// In milliseconds, if `startRetries` is set and fewer than `progressBytes` have arrived. It is short because
    /// gifplay can try another file instead.
    private static let maximumWaitAtStart = 2_000
    /// In milliseconds. The user learns the reason for a longer wait.
    private static let notedWait = 2_000

    private let source: GrowingByteSource
    private let request: Download.Request
    private let clock: any WaitClock
    let state: Monitor<DownloadState>
    let changeFeed = ChangeFeed()

    init(_ request: Download.Request, source: GrowingByteSource, clock: any WaitClock) {
        (self.request, self.source, self.clock) = (request, source, clock)
        state = Monitor(
            DownloadState(
                limit: request.limit, keepsPage: request.keepsPage, now: clock.milliseconds,
                isValidated: request.isValidated, stored: request.stored))
    }

    var progress: Download.Progress {
        let now = clock.milliseconds
        return state.withLock { $0.progress(at: now) }
    }

    // MARK: - The task

    /// Sends the requests of the download, one after another.
    func run(on client: CurlHTTPClient) async {
        do throws(Failure) {
            await run(on: client, try client.address(request.url))
        } catch {
            fail(error)
        }
    }

    private func run(on client: CurlHTTPClient, _ address: ParsedURL) async {
        var retry = 0
        var decodesBody = true
        while true {
            let before = progress.received
            // Without this field, because a GIF gains nothing by compression, and ranges of a compressed body are useless.
            let headers = headersForNextRequest(host: address.host).merging(["Accept-Encoding": ""]) { $1 }
            let transportRequest = TransportRequest(
                address: address, headers: request.headers, rangeHeaders: headers, decodesBody: decodesBody,
                mayBeLocal: request.mayBeLocal, stored: before == 0 ? request.stored : nil)
            let result = await client.send(transportRequest, sink: self)
            // Browsers, too, ignore an unknown encoding, such as "binary".
            if case .undecodable = result { decodesBody = false }
            let now = clock.milliseconds
            switch state.withLock({ $0.nextStep(after: result, at: now) }) {
            case .finish: return finish()
            case .fail(let error): return fail(error)
            case .retry(let error):
                let received = progress.received
                retry = received - before >= Self.progressBytes ? 1 : retry + 1
                let startRetries = received < Self.progressBytes ? request.startRetries : nil
                if let startRetries, retry > startRetries { return fail(error) }
                let wait = client.options.wait(
                    beforeRetry: retry, after: result,
                    remaining: startRetries == nil ? Self.maximumWait : Self.maximumWaitAtStart)
                guard let wait else { return fail(error) }
                if wait >= Self.notedWait { noteWait(until: clock.milliseconds + wait, after: error) }
                do { try await clock.wait(milliseconds: wait) } catch { return fail(.cancelled) }
            }
        }
    }

    /// - Parameter time: the time of the next request, in milliseconds.
    private func noteWait(until time: Int, after error: Failure) {
        state.withLock { $0.nextAttempt = (time, error) }
        changeFeed.noteChange()
    }

    /// Returns header fields for the missing bytes if the server is known to support ranges; otherwise none.
    func headersForNextRequest(host: String) -> [String: String] {
        state.withLock { state in
            state.host = host
            return state.prepareNextResponse()
        }
    }

    /// Reports the end of the data to the reader, and then commits the GIF to the store.
    private func finish() {
        source.finish()
        changeFeed.noteChange()
        let (writer, response): ((any MediaStoreWriter)?, StoredResponse?) = state.withLock { state in
            defer { state.writer = nil }
            return state.file.isStorable ? (state.writer, state.wholeResponse) : (nil, nil)
        }
        // Commit only after the reader has all bytes, so that a slow disk does not delay the reader.
        do throws(Failure) { try writer?.commit(response) } catch {
            state.withLock { $0.storeFailure = error }
        }
        state.withLock { $0.end = .finished }
        changeFeed.end()
    }

    /// The reader gets the received bytes first, and then the error.
    private func fail(_ error: Failure) {
        state.withLock { state in
            state.end = .failed(error)
            state.writer = nil
        }
        source.fail()
        changeFeed.end()
    }

    // MARK: - Called by the transfer thread

    func begin(_ head: ResponseHead) -> Bool {
        let now = clock.unixSeconds
        return state.withLock { $0.begin(head, unixSeconds: now) }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let now = clock.milliseconds
        let (start, fresh, continues) = state.withLock { state -> ([UInt8], UnsafeRawBufferPointer, Bool) in
            // Ignore bytes after the download has ended, because a cancelled transfer can deliver one more chunk.
            guard state.end == .running else { return ([], UnsafeRawBufferPointer(start: nil, count: 0), false) }
            let (start, fresh) = state.receive(bytes, at: now, forwarded: { source.receivedBytes })
            return (start, fresh, state.continues)
        }
        // Outside the lock, because a slow disk must not block readers of the progress. The bytes stay in order,
        // because only this thread forwards them.
        if !start.isEmpty {
            openWriter()
            start.withUnsafeBytes { forward($0) }
        }
        if !fresh.isEmpty { forward(fresh) }
        return continues
    }

    private func forward(_ bytes: UnsafeRawBufferPointer) {
        source.append(bytes)
        changeFeed.noteChange()
        do throws(Failure) {
            try state.withLock { $0.writer }?.append(bytes)
        } catch {
            stopStoring(after: error)
        }
    }

    private func openWriter() {
        guard let store = state.withLock({ $0.mayOutliveRun }) ? request.store : request.runStore else { return }
        do throws(Failure) {
            let writer = try store.writer(for: request.url)
            state.withLock { if $0.end == .running { $0.writer = writer } }
        } catch {
            stopStoring(after: error)
        }
    }

    private func stopStoring(after error: Failure) {
        state.withLock { state in
            state.storeFailure = error
            state.writer = nil
        }
    }
}

/// Notifies tasks of changes until ``end()`` is called.
final class ChangeFeed: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
        var isEnded = false
    }

    private let state = Monitor(State())

    deinit { end() }

    /// Yields immediately and after each change, until the feed ends. Changes between two reads become one element.
    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let number = state.withLock { state -> Int? in
            guard !state.isEnded else { return nil }
            state.count += 1
            state.listeners[state.count] = continuation
            return state.count
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        // The continuation and the state refer to each other until the stream or the feed ends. The address sanitizer
        // would report the side table of a weak reference as a leak.
        continuation.onTermination = { [state] _ in
            _ = state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func noteChange() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }

    /// Ends every stream after its pending element.
    func end() {
        // Outside the lock, because finishing a stream calls its termination handler, which takes the lock.
        let listeners = state.withLock { state in
            defer { state = State(isEnded: true) }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
