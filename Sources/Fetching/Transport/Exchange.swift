import Base
import Catalog

/// Receives a response as it arrives. Its methods are called on the transfer thread and must not block it.
protocol ExchangeSink: AnyObject, Sendable {
    /// - Returns: false to abort the exchange.
    func begin(_ head: ResponseHead) -> Bool

    /// - Returns: false to abort the exchange.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// A single HTTP request: the first request, a redirect or a retry. Its end resumes the task that waits for it.
final class Exchange: Sendable {
    private enum Phase {
        case fresh
        case awaited(CheckedContinuation<TransportResult, Never>)
        case ended(TransportResult)
    }

    let request: TransportRequest
    /// The redirects so far, which lead to ``address``.
    let trail: RedirectTrail
    /// Nil if only the connect and stall timeouts apply.
    let wholeMilliseconds: Int?
    let sink: any ExchangeSink
    private let phase = Monitor(Phase.fresh)

    init(_ request: TransportRequest, at trail: RedirectTrail, wholeMilliseconds: Int?, sink: any ExchangeSink) {
        self.request = request
        self.trail = trail
        self.wholeMilliseconds = wholeMilliseconds
        self.sink = sink
    }

    var address: ParsedURL { trail.current }

    /// Later bytes are ignored.
    var isEnded: Bool {
        phase.withLock { phase in
            if case .ended = phase { return true }
            return false
        }
    }

    /// Resumes `continuation` when the exchange ends.
    /// - Returns: false if the exchange had already ended.
    func await(_ continuation: CheckedContinuation<TransportResult, Never>) -> Bool {
        let early: TransportResult? = phase.withLock { phase in
            if case .ended(let end) = phase { return end }
            phase = .awaited(continuation)
            return nil
        }
        if let early { continuation.resume(returning: early) }
        return early == nil
    }

    /// Only the first call has an effect.
    func end(_ end: TransportResult) {
        let waiting: CheckedContinuation<TransportResult, Never>? = phase.withLock { phase in
            defer { if case .ended = phase {} else { phase = .ended(end) } }
            if case .awaited(let continuation) = phase { return continuation }
            return nil
        }
        waiting?.resume(returning: end)
    }

    // MARK: - Failures

    /// - Parameter milliseconds: the exceeded timeout; nil for the timeout of the whole request.
    func timedOut(milliseconds: Int? = nil) -> TransportResult {
        let span = milliseconds ?? request.deadline?.whole ?? 0
        return .failed(.timedOut(host: address.host, milliseconds: span), isTransient: true)
    }

    func unreachable(_ reason: String, isTransient: Bool) -> TransportResult {
        .failed(.unreachable(host: address.host, reason: reason), isTransient: isTransient)
    }
}
