import Base
import Catalog
import GIFDecode

/// Takes a download's bytes in, over as many answers as it takes, and hands each byte on once.
///
/// Fed by the transfer thread, steered by the download's task, looked at by the player.
final class DownloadFeed: ExchangeSink {
    /// What to do after an answer.
    enum Verdict: Equatable {
        case whole
        case again(FetchError, retryAfter: String?)
        case failed(FetchError)
    }

    private let source: GrowingByteSource
    private let request: Download.Request
    private let clock: any WaitClock
    private let state: Monitor<DownloadState>
    private let feed = ChangeFeed()

    init(_ request: Download.Request, source: GrowingByteSource, clock: any WaitClock) {
        self.request = request
        self.source = source
        self.clock = clock
        state = Monitor(DownloadState(limit: request.limit, now: clock.milliseconds))
    }

    var progress: Download.Progress {
        let now = clock.milliseconds
        return state.withLock { $0.progress(at: now) }
    }

    var storeFailure: FetchError? { state.withLock { $0.storeFailure } }

    /// Whether a GIF's first bytes are there, or no more bytes will come.
    var hasBegun: Bool { !source.arrived.isEmpty || progress.state != .running }

    /// An element at once, and after bytes have arrived; it ends with the download.
    func changes() -> AsyncStream<Void> { feed.changes() }

    // MARK: - The task's side

    /// What asks for the rest only, where the server is known to give that.
    func headersForNextRequest(host: String) -> [String: String] {
        state.withLock { state in
            state.host = host
            return state.prepareNextAnswer()
        }
    }

    /// Decides what an answer that has ended came to.
    func judge(_ answer: Answer) -> Verdict { state.withLock { $0.judge(answer) } }

    /// Lets the reader find the end, then keeps the GIF in its store.
    func finish() {
        source.finish()
        feed.noteChange()
        let writer: (any MediaStoreWriter)? = state.withLock { state in
            defer { state.writer = nil }
            return state.isWorthKeeping ? state.writer : nil
        }
        // After the reader has all it needs: the disk may be slow.
        do throws(FetchError) {
            try writer?.commit()
        } catch {
            state.withLock { $0.storeFailure = error }
        }
        state.withLock { $0.end = .finished }
        feed.end()
    }

    /// Lets the reader find the reason after the bytes that came.
    func fail(_ error: FetchError) {
        state.withLock { state in
            state.end = .failed(error)
            state.writer = nil
        }
        source.fail(error.words)
        feed.end()
    }

    // MARK: - The transfer thread's side

    func begin(_ head: ResponseHead) -> Bool { state.withLock { $0.begin(head) } }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let now = clock.milliseconds
        let (portion, goesOn) = state.withLock { state -> (Portion, Bool) in
            // After the end, nothing: a cancelled transfer may have one more piece to give.
            guard state.end == .running else { return (.none, false) }
            let portion = Self.portion(bytes, now, &state)
            return (portion, state.stop == nil)
        }
        // Outside the lock, because a slow disk must not hold up who looks at the progress. Only
        // this thread hands on, so the order stays.
        switch portion {
        case .none: break
        case .first(let start):
            openWriter()
            start.withUnsafeBytes { hand($0) }
        case .last(let count): hand(UnsafeRawBufferPointer(rebasing: bytes.suffix(count)))
        }
        return goesOn
    }

    /// What of a piece is to be handed on.
    private enum Portion {
        case none
        /// The beginning, with what was held back.
        case first([UInt8])
        /// So many of the piece's last bytes.
        case last(Int)
    }

    private static func portion(
        _ bytes: UnsafeRawBufferPointer, _ now: Int, _ state: inout DownloadState
    ) -> Portion {
        let count = state.take(bytes, at: now)
        guard count > 0 else { return .none }
        if state.isRecognised { return .last(count) }
        return state.recognise(bytes.suffix(count)) ? .first(state.takeStart()) : .none
    }

    private func hand(_ bytes: UnsafeRawBufferPointer) {
        source.append(bytes)
        feed.noteChange()
        do throws(FetchError) {
            try state.withLock { $0.writer }?.append(bytes)
        } catch {
            giveUpStore(error)
        }
    }

    private func openWriter() {
        guard let store = request.store else { return }
        do throws(FetchError) {
            let writer = try store.writer(for: request.url)
            state.withLock { if $0.end == .running { $0.writer = writer } }
        } catch {
            giveUpStore(error)
        }
    }

    private func giveUpStore(_ error: FetchError) {
        state.withLock { state in
            state.storeFailure = error
            state.writer = nil
        }
    }
}
