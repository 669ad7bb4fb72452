import Base

/// Takes an answer in as it comes, on the transfer thread, which it must not hold up.
protocol ExchangeSink: AnyObject, Sendable {
    /// - Returns: false to break the exchange off.
    func begin(_ head: ResponseHead) -> Bool

    /// - Returns: false to break the exchange off.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// One request to one address; redirects and retries are made of several.
struct ExchangeRequest: Sendable {
    var address: WebAddress
    /// Whole lines, "Name: value".
    var headers: [String]
    /// Sent with POST where there is one; else it is a GET.
    var form: String?
    /// Whether the answer may come compressed; it is taken out of that on arrival.
    var acceptsCompression: Bool
    /// For everything, in milliseconds; nil for no bound but the others.
    var wholeMilliseconds: Int?
    /// Judges the IP address that the request is about to go to.
    var allowsPeer: @Sendable (String) -> Bool
}

/// How an exchange ended.
enum ExchangeEnd: Equatable, Sendable {
    /// The sink has the whole body.
    case complete(ResponseHead)
    /// The sink wanted no more.
    case stopped
    /// The connection led to an address that the request does not allow; it was not sent.
    case peerRefused
    /// The bound that was passed; nil for the whole request's.
    case timedOut(milliseconds: Int?)
    /// Transient: the same request may go well in a moment.
    case broken(reason: String, isTransient: Bool)
    /// As broken; fewer bytes came than were announced.
    case cut
    case cancelled
}

/// An exchange on its way: who waits for it, and the one end it will have.
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

    /// Whether anything that still comes is too late.
    var isEnded: Bool {
        phase.withLock { phase in
            if case .ended = phase { return true }
            return false
        }
    }

    /// - Returns: false when it was ended before anyone waited.
    func await(_ continuation: CheckedContinuation<ExchangeEnd, Never>) -> Bool {
        let early: ExchangeEnd? = phase.withLock { phase in
            if case .ended(let end) = phase { return end }
            phase = .awaited(continuation)
            return nil
        }
        if let early { continuation.resume(returning: early) }
        return early == nil
    }

    /// The first end counts; whoever waits goes on at once.
    func end(_ end: ExchangeEnd) {
        let waiting: CheckedContinuation<ExchangeEnd, Never>? = phase.withLock { phase in
            defer { if case .ended = phase {} else { phase = .ended(end) } }
            if case .awaited(let continuation) = phase { return continuation }
            return nil
        }
        waiting?.resume(returning: end)
    }
}
