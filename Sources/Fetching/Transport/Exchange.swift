import Base

/// Receives a response as it arrives. Its methods are called on the transfer thread and must not block it.
protocol ExchangeSink: AnyObject, Sendable {
    /// - Returns: false to abort the exchange.
    func begin(_ head: ResponseHead) -> Bool

    /// - Returns: false to abort the exchange.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// One request to one address. Each redirect and each retry is a separate exchange.
struct ExchangeRequest: Sendable {
    var address: ParsedURL
    /// Complete header lines, "Name: value".
    var headers: [String]
    /// The form to send with POST; nil for a GET request.
    var form: String?
    /// Whether the response may be compressed. The sink receives decompressed bytes.
    var acceptsCompression: Bool
    /// The timeout for the whole exchange, in milliseconds; nil if only the connect and stall timeouts apply.
    var wholeMilliseconds: Int?
    /// Returns whether the request may be sent to the given IP address.
    var allowsPeer: @Sendable (String) -> Bool
}

/// How an exchange ended.
enum ExchangeEnd: Equatable, Sendable {
    /// The sink has received the whole body.
    case complete(ResponseHead)
    /// The sink aborted the exchange.
    case stopped
    /// The peer's address is not allowed. The request was not sent.
    case peerRefused
    /// A timeout was exceeded. `milliseconds` is that timeout, or nil for the timeout of the whole request.
    case timedOut(milliseconds: Int?)
    /// The exchange failed. If `isTransient`, a retry may succeed.
    case broken(reason: String, isTransient: Bool)
    /// The connection closed after fewer bytes than announced.
    case cut
    case cancelled
}

/// A running exchange. It ends once, and its end resumes the task that waits for it.
final class Exchange: Sendable {
    private enum Phase {
        case fresh
        case awaited(CheckedContinuation<ExchangeEnd, Never>)
        case ended(ExchangeEnd)
    }

    let request: ExchangeRequest
    let sink: any ExchangeSink
    private let phase = Monitor(Phase.fresh)

    init(_ request: ExchangeRequest, sink: any ExchangeSink) {
        self.request = request
        self.sink = sink
    }

    /// Whether the exchange has ended. Later bytes are ignored.
    var isEnded: Bool {
        phase.withLock { phase in
            if case .ended = phase { return true }
            return false
        }
    }

    /// Resumes `continuation` when the exchange ends.
    /// - Returns: false if the exchange had already ended.
    func await(_ continuation: CheckedContinuation<ExchangeEnd, Never>) -> Bool {
        let early: ExchangeEnd? = phase.withLock { phase in
            if case .ended(let end) = phase { return end }
            phase = .awaited(continuation)
            return nil
        }
        if let early { continuation.resume(returning: early) }
        return early == nil
    }

    /// Ends the exchange and resumes the waiting task immediately. Only the first call has an effect.
    func end(_ end: ExchangeEnd) {
        let waiting: CheckedContinuation<ExchangeEnd, Never>? = phase.withLock { phase in
            defer { if case .ended = phase {} else { phase = .ended(end) } }
            if case .awaited(let continuation) = phase { return continuation }
            return nil
        }
        waiting?.resume(returning: end)
    }
}
