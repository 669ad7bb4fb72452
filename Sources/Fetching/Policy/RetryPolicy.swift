import Catalog

public struct RetryPolicy: Equatable, Sendable {
    /// The maximum after the first request. The waits are then 1.4 to 2.8 s in total, unless a server asks for more.
    public var retries = 3
    /// The wait without jitter. It doubles with each further retry.
    public var firstMilliseconds = 400
    /// The maximum that results from doubling.
    public var longestMilliseconds = 8_000

    public static let never = RetryPolicy(retries: 0)

    /// Returns the wait in milliseconds; nil if the request must not be repeated.
    ///
    /// Half of the wait is random (jitter), so that players that failed at the same time do not retry together.
    /// - Parameters:
    ///   - retry: the number of the retry, from 1.
    ///   - retryAfter: the wait in milliseconds that the server requests, as a minimum. Zero or less has no effect.
    ///   - remaining: the milliseconds left for the request. The result is nil if the wait would use them up.
    ///   - randomFraction: the random number for the jitter, from 0 to 1.
    public func wait(beforeRetry retry: Int, retryAfter: Int?, remaining: Int, randomFraction: Double) -> Int? {
        guard retry <= retries else { return nil }
        let doublings = min(max(retry - 1, 0), 20)
        let whole = min(firstMilliseconds << doublings, longestMilliseconds)
        let jittered = whole / 2 + Int(Double(whole - whole / 2) * min(max(randomFraction, 0), 1))
        let wait = max(jittered, retryAfter ?? 0)
        return wait < remaining ? wait : nil
    }

    static func isTransient(status: Int) -> Bool { status == 429 || status == 408 || (500...599).contains(status) }
}

extension FetchOptions {
    /// In milliseconds; nil if the request must not be repeated.
    func wait(beforeRetry number: Int, after result: TransportResult, remaining: Int) -> Int? {
        let head = result.transientHead
        let requestedWait = head.flatMap { RetryAfter.seconds($0.headers, unixSeconds: clock.unixSeconds) }
        // The server limits the request rate. Repeat the request only if the server specifies a wait.
        if head?.status == 429, requestedWait == nil { return nil }
        return retry.wait(
            beforeRetry: number, retryAfter: requestedWait.map { $0 * 1_000 }, remaining: remaining,
            randomFraction: randomFraction())
    }
}
