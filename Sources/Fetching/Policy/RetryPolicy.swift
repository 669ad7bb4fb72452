import Catalog

/// How often, and after what waits, a request is made again.
public struct RetryPolicy: Equatable, Sendable {
    /// Requests after the first.
    public var retries: Int
    /// The wait before the first retry, in milliseconds; each further one doubles it.
    public var firstMilliseconds: Int
    /// Where the doubling ends, in milliseconds.
    public var longestMilliseconds: Int

    /// The default gives a service a second and a half to come to itself.
    public init(retries: Int = 3, firstMilliseconds: Int = 400, longestMilliseconds: Int = 8_000) {
        self.retries = retries
        self.firstMilliseconds = firstMilliseconds
        self.longestMilliseconds = longestMilliseconds
    }

    /// No second request.
    public static let never = RetryPolicy(retries: 0)

    /// The wait before a retry, in milliseconds; nil when it is time to give up.
    ///
    /// Half of the wait is fixed and half left to chance, so that many players that a service threw
    /// off do not come back together.
    /// - Parameters:
    ///   - retry: its number, from 1.
    ///   - retryAfter: what the server asked for, in milliseconds; never undercut. Zero and less is
    ///     no wish.
    ///   - remaining: what is left of the whole time, in milliseconds. A wait that would take all of
    ///     it is not begun.
    ///   - chance: 0 to 1.
    public func wait(beforeRetry retry: Int, retryAfter: Int?, remaining: Int, chance: Double) -> Int? {
        guard retry <= retries else { return nil }
        let doublings = min(max(retry - 1, 0), 20)
        let whole = min(firstMilliseconds << doublings, longestMilliseconds)
        let jittered = whole / 2 + Int(Double(whole - whole / 2) * min(max(chance, 0), 1))
        let wait = max(jittered, retryAfter ?? 0)
        return wait < remaining ? wait : nil
    }

    /// Whether an answer of this status may be another one in a moment.
    static func isTransient(status: Int) -> Bool {
        status == 429 || status == 408 || (500...599).contains(status)
    }
}

extension FetchOptions {
    /// The wait before a request is repeated, in milliseconds; nil when it is not repeated.
    /// - Parameters:
    ///   - status: of the answer; nil where none came.
    ///   - retryAfter: the header's value.
    func wait(beforeRetry number: Int, status: Int?, retryAfter: String?, remaining: Int) -> Int? {
        let asked = RetryAfter.milliseconds(retryAfter, unixSeconds: clock.unixSeconds)
        // The server counts requests: one more is allowed only at a time that it names.
        if status == 429, asked == nil { return nil }
        return retry.wait(beforeRetry: number, retryAfter: asked, remaining: remaining, chance: chance())
    }
}
