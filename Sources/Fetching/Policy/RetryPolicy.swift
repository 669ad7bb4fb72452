import Catalog

/// The number of retries of a request, and the waits before them.
public struct RetryPolicy: Equatable, Sendable {
    /// The maximum number of retries, which does not include the first request.
    public var retries: Int
    /// The wait before the first retry without jitter, in milliseconds. It doubles with each further retry.
    public var firstMilliseconds: Int
    /// The upper limit of the doubled wait, in milliseconds.
    public var longestMilliseconds: Int

    /// With the default values, the waits are 1.4 to 2.8 s in total, so that a service can recover. A server can
    /// request longer waits.
    public init(retries: Int = 3, firstMilliseconds: Int = 400, longestMilliseconds: Int = 8_000) {
        self.retries = retries
        self.firstMilliseconds = firstMilliseconds
        self.longestMilliseconds = longestMilliseconds
    }

    /// No retries.
    public static let never = RetryPolicy(retries: 0)

    /// Returns the wait before a retry, in milliseconds; nil if the request must not be repeated.
    ///
    /// Half of the wait is fixed and half is random. The random half prevents many players that a service rejected from
    /// sending their retries at the same time.
    /// - Parameters:
    ///   - retry: the number of the retry, from 1.
    ///   - retryAfter: the wait that the server requests, in milliseconds. The returned wait is never shorter. A value
    ///     of zero or less has no effect.
    ///   - remaining: the time left for the request, in milliseconds. If the wait is not shorter than this, the result
    ///     is nil.
    ///   - randomFraction: the random number for the jitter, from 0 to 1.
    public func wait(beforeRetry retry: Int, retryAfter: Int?, remaining: Int, randomFraction: Double) -> Int? {
        guard retry <= retries else { return nil }
        let doublings = min(max(retry - 1, 0), 20)
        let whole = min(firstMilliseconds << doublings, longestMilliseconds)
        let jittered = whole / 2 + Int(Double(whole - whole / 2) * min(max(randomFraction, 0), 1))
        let wait = max(jittered, retryAfter ?? 0)
        return wait < remaining ? wait : nil
    }

    /// Whether a response status is transient, so that a retry may succeed.
    static func isTransient(status: Int) -> Bool {
        status == 429 || status == 408 || (500...599).contains(status)
    }
}

extension FetchOptions {
    /// Returns the wait before a request is repeated, in milliseconds; nil if the request must not be repeated.
    /// - Parameters:
    ///   - status: the status of the response; nil if there was none.
    ///   - retryAfter: the value of the Retry-After header.
    func wait(beforeRetry number: Int, status: Int?, retryAfter: String?, remaining: Int) -> Int? {
        let requestedWait = RetryAfter.milliseconds(retryAfter, unixSeconds: clock.unixSeconds)
        // Status 429 means that the server limits the request rate. Repeat the request only if the server says when.
        if status == 429, requestedWait == nil { return nil }
        return retry.wait(
            beforeRetry: number, retryAfter: requestedWait, remaining: remaining, randomFraction: randomFraction())
    }
}
