import Catalog

/// The number of retries of a request, and the waits before them.
public struct RetryPolicy: Equatable, Sendable {
    /// The maximum number of retries after the first request.
    public var retries: Int
    /// The wait before the first retry, in milliseconds and without jitter. It doubles with each further retry.
    public var firstMilliseconds: Int
    /// The maximum wait that results from doubling, in milliseconds.
    public var longestMilliseconds: Int

    /// With the default values, the waits are 1.4 to 2.8 s in total, so that a service can recover. A server can
    /// request longer waits.
    public init(retries: Int = 3, firstMilliseconds: Int = 400, longestMilliseconds: Int = 8_000) {
        self.retries = retries
        self.firstMilliseconds = firstMilliseconds
        self.longestMilliseconds = longestMilliseconds
    }

    public static let never = RetryPolicy(retries: 0)

    /// Returns the wait before a retry, in milliseconds; nil if the request must not be repeated.
    ///
    /// Half of the wait is fixed; the other half is random (jitter). Without jitter, players whose requests failed at
    /// the same time would also retry at the same time.
    /// - Parameters:
    ///   - retry: the number of the retry, from 1.
    ///   - retryAfter: the wait that the server requests, in milliseconds. The returned wait is never shorter. A value
    ///     of zero or less has no effect.
    ///   - remaining: the time left for the request, in milliseconds. The result is nil if the wait would use up
    ///     this time.
    ///   - randomFraction: the random number for the jitter, from 0 to 1.
    public func wait(beforeRetry retry: Int, retryAfter: Int?, remaining: Int, randomFraction: Double) -> Int? {
        guard retry <= retries else { return nil }
        let doublings = min(max(retry - 1, 0), 20)
        let whole = min(firstMilliseconds << doublings, longestMilliseconds)
        let jittered = whole / 2 + Int(Double(whole - whole / 2) * min(max(randomFraction, 0), 1))
        let wait = max(jittered, retryAfter ?? 0)
        return wait < remaining ? wait : nil
    }

    /// Whether a response status indicates a failure that a retry can fix.
    static func isTransient(status: Int) -> Bool {
        status == 429 || status == 408 || (500...599).contains(status)
    }
}

extension FetchOptions {
    /// Returns the wait before a request is repeated, in milliseconds; nil if the request must not be repeated.
    /// - Parameter result: the result of the failed attempt.
    func wait(beforeRetry number: Int, after result: TransportResult, remaining: Int) -> Int? {
        let head = result.transientHead
        let requestedWait = RetryAfter.milliseconds(head?.headers["retry-after"], unixSeconds: clock.unixSeconds)
        // Status 429 means that the server limits the request rate. Repeat the request only if the server specifies a
        // wait.
        if head?.status == 429, requestedWait == nil { return nil }
        return retry.wait(
            beforeRetry: number, retryAfter: requestedWait, remaining: remaining, randomFraction: randomFraction())
    }
}
