import Base
import CCurl
import Glibc

/// The thread that runs every transfer with libcurl's multi interface.
///
/// The thread starts with the first exchange and ends after ``stop()``. All exchanges share the open connections. Only
/// this thread runs transfers; other threads only create libcurl's multi handle and wake the thread.
final class TransferLoop: Sendable {
    private struct Inbox {
        var multi: MultiHandle?
        var starting: [Exchange] = []
        var cancelled: [Exchange] = []
        var isStopping = false
    }

    private let options: FetchOptions
    private let inbox = Monitor(Inbox())

    init(_ options: FetchOptions) { self.options = options }

    /// If the task is cancelled, returns immediately, even if libcurl is busy.
    func run(_ exchange: Exchange) async -> TransportResult {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if exchange.await(continuation) { start(exchange) }
            }
        } onCancel: {
            exchange.end(.cancelled)
            inbox.withLock { inbox in
                inbox.cancelled.append(exchange)
                inbox.multi?.wake()
            }
        }
    }

    func stop() {
        inbox.withLock { inbox in
            inbox.isStopping = true
            inbox.multi?.wake()
        }
    }

    /// Waits until the thread has cleaned up libcurl's handles.
    func join() { inbox.wait { $0.multi == nil ? () : nil } }

    private func start(_ exchange: Exchange) {
        let refusal: TransportResult? = inbox.withLock { inbox in
            guard !inbox.isStopping else { return .cancelled }
            inbox.starting.append(exchange)
            if let multi = inbox.multi {
                multi.wake()
                return nil
            }
            guard let multi = MultiHandle() else {
                inbox.starting = []
                let reason = "libcurl lacks memory or descriptors; raise 'ulimit -n' (files) or 'ulimit -v' (memory)"
                return exchange.refusedHere(reason)
            }
            guard DetachedThread.start({ self.work() }) else {
                inbox.starting = []
                multi.cleanUp()
                return exchange.refusedHere(DetachedThread.failure)
            }
            inbox.multi = multi
            return nil
        }
        if let refusal { exchange.end(refusal) }
    }

    // MARK: - The transfer thread

    private func work() {
        guard let multi = inbox.withLock({ $0.multi }) else { return }
        var transfers = TransferTable(multi: multi, options: options)
        while true {
            let (starting, cancelled, isStopping) = takeInbox()
            if isStopping {
                for exchange in starting { exchange.end(.cancelled) }
                break
            }
            for exchange in starting { transfers.add(exchange) }
            for exchange in cancelled { transfers.remove(exchange) }
            transfers.perform()
            multi.poll(milliseconds: transfers.millisecondsToDeadline)
        }
        transfers.removeAll()
        inbox.withLock { inbox in
            inbox.multi = nil
            multi.cleanUp()
        }
    }

    private func takeInbox() -> (starting: [Exchange], cancelled: [Exchange], isStopping: Bool) {
        inbox.withLock { inbox in
            defer {
                inbox.starting = []
                inbox.cancelled = []
            }
            return (inbox.starting, inbox.cancelled, inbox.isStopping)
        }
    }
}

/// Sendable, because libcurl allows any thread to call `wake`. The caller of `wake` holds the inbox's lock, and
/// the handle is also cleaned up under that lock. Only the transfer thread calls the other methods.
struct MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    init?() {
        guard let pointer = gifplay_multi_init() else { return nil }
        // Without descriptors for this, a poll would not notice a new exchange.
        guard gifplay_multi_wakeup(pointer) == CURLM_OK else {
            gifplay_multi_cleanup(pointer)
            return nil
        }
        self.pointer = pointer
        _ = gifplay_multi_set_long(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, 6)
    }

    /// Ends the current poll. If no poll is waiting, the next poll ends immediately.
    func wake() { _ = gifplay_multi_wakeup(pointer) }

    func poll(milliseconds: Int) { _ = gifplay_multi_poll(pointer, Int32(clamping: milliseconds)) }

    func cleanUp() { gifplay_multi_cleanup(pointer) }
}

/// The running transfers, with their libcurl easy handles as keys.
private struct TransferTable {
    let multi: MultiHandle
    let options: FetchOptions
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    /// Downloads that wait because too many downloads from their host are running, oldest first.
    private var waiting: [Exchange] = []

    init(multi: MultiHandle, options: FetchOptions) {
        self.multi = multi
        self.options = options
    }

    /// If the exchange is a download and its host has reached the limit, the download waits.
    mutating func add(_ exchange: Exchange) {
        guard !exchange.isEnded else { return }
        guard hasRoom(for: exchange) else { return waiting.append(exchange) }
        begin(exchange)
    }

    /// The limit applies only to downloads, so that a search never waits for one. A download has no total timeout.
    private func hasRoom(for exchange: Exchange) -> Bool {
        guard exchange.wholeMilliseconds == nil else { return true }
        let host = exchange.address.host
        let running = transfers.values.count {
            $0.exchange.wholeMilliseconds == nil && $0.exchange.address.host == host
        }
        return running < options.maximumDownloads(host)
    }

    private mutating func beginWaiting() {
        guard !waiting.isEmpty else { return }
        let candidates = waiting
        waiting = []
        for exchange in candidates { add(exchange) }
    }

    /// If the transfer cannot begin, ends the exchange with an error.
    private mutating func begin(_ exchange: Exchange) {
        guard let transfer = Transfer(exchange, options: options),
            gifplay_multi_add(multi.pointer, transfer.easy) == CURLM_OK
        else { return exchange.end(exchange.refusedHere("libcurl refused the transfer")) }
        transfers[transfer.easy] = transfer
    }

    mutating func remove(_ exchange: Exchange) {
        waiting.removeAll { $0 === exchange }
        for transfer in transfers.values where transfer.exchange === exchange { remove(transfer) }
    }

    mutating func removeAll() {
        for exchange in waiting { exchange.end(.cancelled) }
        waiting = []
        for transfer in transfers.values {
            transfer.exchange.end(.cancelled)
            remove(transfer)
        }
    }

    /// Advances all transfers, ends those that are complete or stalled, and begins waiting downloads.
    mutating func perform() {
        _ = gifplay_multi_perform(multi.pointer)
        var code = CURLE_OK
        while let easy = gifplay_multi_next_done(multi.pointer, &code) {
            guard let transfer = transfers[easy] else { continue }
            let result = transfer.result(code)
            remove(transfer)
            transfer.exchange.end(result)
        }
        let now = Instant.monotonic.milliseconds
        for transfer in transfers.values where transfer.deadline <= now {
            remove(transfer)
            transfer.exchange.end(transfer.timeoutResult(at: now))
        }
        beginWaiting()
    }

    /// At most 60 s. libcurl waits for a shorter time if one of its own timers expires earlier.
    var millisecondsToDeadline: Int {
        let now = Instant.monotonic.milliseconds
        return transfers.values.reduce(60_000) { min($0, max(0, $1.deadline - now)) }
    }

    private mutating func remove(_ transfer: Transfer) {
        transfers[transfer.easy] = nil
        _ = gifplay_multi_remove(multi.pointer, transfer.easy)
    }
}

/// A single HTTP request: the first request, a redirect or a retry. Its end resumes the task that waits for it.
final class Exchange: Sendable {
    private struct Phase {
        /// Not the case of an enumeration, whose address the leak check of the address sanitizer could not read.
        var waiter: CheckedContinuation<TransportResult, Never>?
        var end: TransportResult?
    }

    let request: TransportRequest
    /// The redirects so far, which lead to ``address``.
    let trail: RedirectTrail
    /// Nil if only the connect and stall timeouts apply.
    let wholeMilliseconds: Int?
    let sink: any ExchangeSink
    private let phase = Monitor(Phase())

    init(_ request: TransportRequest, at trail: RedirectTrail, wholeMilliseconds: Int?, sink: any ExchangeSink) {
        (self.request, self.trail, self.wholeMilliseconds, self.sink) = (request, trail, wholeMilliseconds, sink)
    }

    var address: ParsedURL { trail.current }

    /// Later bytes are ignored.
    var isEnded: Bool { phase.withLock { $0.end != nil } }

    /// Resumes `continuation` when the exchange ends.
    /// - Returns: false if the exchange had already ended.
    func await(_ continuation: CheckedContinuation<TransportResult, Never>) -> Bool {
        let early: TransportResult? = phase.withLock { phase in
            if phase.end == nil { phase.waiter = continuation }
            return phase.end
        }
        if let early { continuation.resume(returning: early) }
        return early == nil
    }

    /// Only the first call has an effect.
    func end(_ end: TransportResult) {
        let waiting: CheckedContinuation<TransportResult, Never>? = phase.withLock { phase in
            guard phase.end == nil else { return nil }
            defer { phase.waiter = nil }
            phase.end = end
            return phase.waiter
        }
        waiting?.resume(returning: end)
    }

    // MARK: - Failures

    /// - Parameter milliseconds: the exceeded timeout; nil for the timeout of the whole request.
    func timedOut(milliseconds: Int? = nil) -> TransportResult {
        let span = milliseconds ?? request.deadline?.whole ?? 0
        return .failed(.timedOut(host: address.host, milliseconds: span), isTransient: true)
    }

    func refusedHere(_ reason: String) -> TransportResult {
        .failed(.refusedHere(host: address.host, reason: reason), isTransient: false)
    }
}
