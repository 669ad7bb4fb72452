import Base
import Pixels

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
