import Testing

@testable import Catalog

@Suite struct RetryPolicyTests {
    private let policy = RetryPolicy(retries: 3, firstMilliseconds: 400, longestMilliseconds: 1_000)

    private func wait(_ retry: Int, after: Int? = nil, remaining: Int = 100_000, randomFraction: Double = 1) -> Int? {
        policy.wait(beforeRetry: retry, retryAfter: after, remaining: remaining, randomFraction: randomFraction)
    }

    @Test("Each wait is twice as long as the previous one up to a maximum, and the number of retries is limited")
    func backoff() {
        #expect((1...5).map { wait($0) } == [400, 800, 1_000, nil, nil])
    }

    @Test("A randomised wait takes between 50 and 100 percent of its nominal length")
    func jitter() {
        #expect(wait(1, randomFraction: 0) == 200)
        #expect(wait(1, randomFraction: 0.5) == 300)
        #expect(wait(1, randomFraction: 7) == 400)
    }

    @Test("A wait takes at least the time in the server's Retry-After")
    func minimumWait() {
        #expect(wait(1, after: 5_000) == 5_000)
        #expect(wait(1, after: 10) == 400)
    }

    @Test("A request is not retried if the wait would use up the time that is left for the request")
    func remainingTime() {
        #expect(wait(1, after: 5_000, remaining: 5_000) == nil)
        #expect(wait(1, remaining: 400) == nil)
        #expect(wait(1, remaining: 401) == 400)
    }

    @Test(
        "Retry-After is parsed as seconds or a date, at most one day; zero and past dates are ignored",
        arguments: [
            ("120", 120), ("0", nil), ("", nil), ("soon", nil), ("-5", nil), (" \t7 ", 7),
            ("99999999999999999999999", 86_400), ("9999999", 86_400),
            ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:00 GMT", nil), ("Sun, 32 Nov 1994 08:49:47 GMT", nil),
        ] as [(String, Int?)])
    func retryAfter(value: String, expected: Int?) {
        let now = 784_111_777
        #expect(RetryPolicy.requestedSeconds(["retry-after": value], unixSeconds: now) == expected)
        // The server's clock is wrong by years, but its two headers belong together.
        let headers = ["retry-after": value, "date": "Sun, 06 Nov 1994 08:49:37 GMT"]
        #expect(RetryPolicy.requestedSeconds(headers, unixSeconds: now + 1_000_000_000) == expected)
    }

    @Test(
        "HTTP dates are parsed in all three formats",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
            ("Tue, 31 Dec 2030 23:59:59 GMT", 1_924_991_999), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Tuesday, 31-Dec-30 23:59:59 GMT", 1_924_991_999), ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Sun Nov 31 08:49 1994", nil), ("Sunday, 06-Nov-1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil),
        ] as [(String, Int?)])
    func httpDates(text: String, seconds: Int?) {
        #expect(HTTPDate.unixSeconds(text) == seconds)
    }

    @Test("The download speed is measured over the last two seconds")
    func speed() {
        var meter = SpeedMeter(at: 0)
        #expect(meter.bytesPerSecond(at: 0) == 0)
        for time in stride(from: 0, to: 4_000, by: 100) { meter.add(1_000, at: time) }
        #expect((9_000...11_000).contains(meter.bytesPerSecond(at: 4_000)))
        #expect(meter.bytesPerSecond(at: 7_000) == 0)
    }
}
