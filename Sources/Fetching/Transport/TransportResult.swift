import Catalog

/// How a request ended.
enum TransportResult: Equatable, Sendable {
    /// The response arrived completely. Its status can be an error status. The sink has received the body, unless the
    /// response is a redirect.
    case complete(ResponseHead)
    /// gifplay aborted the response. Either the sink requested this and knows the reason, or the headers or a
    /// redirect's body exceeded the size limit.
    case stopped
    /// The body ended before its announced length.
    case cut
    /// The request failed. If `isTransient`, a retry can succeed.
    case failed(HTTPError, isTransient: Bool)

    static let cancelled = TransportResult.failed(.cancelled, isTransient: false)

    /// Whether a retry can succeed.
    var isTransient: Bool {
        switch self {
        case .complete: transientHead != nil
        case .stopped: false
        case .cut: true
        case .failed(_, let isTransient): isTransient
        }
    }

    /// The head of a response with a transient error status; nil for any other result.
    var transientHead: ResponseHead? {
        guard case .complete(let head) = self, RetryPolicy.isTransient(status: head.status) else { return nil }
        return head
    }
}
