import Base
import Glibc
import Pixels
import Synchronization
import Testing

@testable import Catalog

/// A clock whose waits return immediately and are recorded. `milliseconds` is the real time; `unixSeconds` is fixed at
/// Sun, 06 Nov 1994 08:49:37 GMT.
final class RecordingClock: WaitClock {
    private let recorded = Mutex<[Int]>([])
    private let system = SystemWaitClock()

    /// The durations of the recorded waits, in milliseconds.
    var waits: [Int] { recorded.withLock { $0 } }
    var milliseconds: Int { system.milliseconds }
    var unixSeconds: Int { 784_111_777 }

    func wait(milliseconds: Int) async throws {
        recorded.withLock { $0.append(milliseconds) }
        try Task.checkCancellation()
    }
}

/// Returns options for tests: no proxy, long timeouts, and by default a clock whose waits return immediately.
func options(
    _ clock: any WaitClock = RecordingClock(), environment: [String: String] = [:],
    change: (inout FetchOptions) -> Void = { _ in }
) -> FetchOptions {
    var options = FetchOptions(userAgent: "gifplay-tests/1 (tests@example.org)", environment: environment)
    options.clock = clock
    options.randomFraction = { 1 }
    // These timeouts are so long that even a busy machine does not reach them. A test of a timeout sets a shorter one.
    options.connectMilliseconds = 200_000
    options.stallMilliseconds = 200_000
    options.retry = RetryPolicy(retries: 3, firstMilliseconds: 100, longestMilliseconds: 1_000)
    change(&options)
    return options
}

/// Returns a GIF of `count` bytes without an image: a header, a comment of pseudo-random bytes, and the trailer.
func gif(_ count: Int = 100_000, seed: Int = 7) -> [UInt8] {
    // Cached, because creating the bytes is slow in a debug build.
    made.withLock { made -> [UInt8] in
        if let gif = made[[count, seed]] { return gif }
        var gif = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x21, 0xFE]
        while gif.count < count - 2 {
            let left = count - 2 - gif.count
            // A sub-block is not empty.
            let size = min(left == 257 ? 254 : 255, left - 1)
            gif.append(UInt8(size))
            gif += (0..<size).map { UInt8(truncatingIfNeeded: (($0 + gif.count) &* seed) >> 3) }
        }
        gif += [0, 0x3B]
        made[[count, seed]] = gif
        return gif
    }
}

extension MediaStore {
    /// Stores a complete GIF.
    func store(_ content: [UInt8], for url: String) throws(Failure) {
        let writer = try writer(for: url)
        let result = content.withUnsafeBytes { bytes in
            Result { () throws(Failure) in try writer.append(bytes) }
        }
        try result.get()
        try writer.commit()
    }
}

private let made = Monitor<[[Int]: [UInt8]]>([:])

/// Makes a test failure print the length of a byte array instead of up to a hundred thousand bytes.
extension Array: @retroactive CustomTestStringConvertible where Element == UInt8 {
    public var testDescription: String { "\(count) bytes" }
}

/// Returns a request whose timeout is so long that a slow machine does not reach it.
func longTimeoutRequest(
    url: String, headers: [String: String] = [:], maximumBytes: Int = 4 << 20, timeoutMilliseconds: Int = 200_000
) -> HTTPRequest {
    HTTPRequest(url: url, headers: headers, maximumBytes: maximumBytes, timeoutMilliseconds: timeoutMilliseconds)
}

/// Returns the response to a request, or the error of the request.
func outcome(_ client: CurlHTTPClient, _ request: HTTPRequest) async -> Result<HTTPResponse, Failure> {
    do throws(Failure) {
        return .success(try await client.get(request))
    } catch {
        return .failure(error)
    }
}

/// Waits until a download ends, and returns its final state and the bytes that its reader gets.
func outcome(_ download: Download) async -> (state: Download.State, bytes: [UInt8]) {
    let state = await download.waitForEnd()
    return (state, readAvailable(download.source))
}

/// Returns all bytes of a source that has ended.
func readAvailable(_ source: GrowingByteSource) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    source.rewind()
    while let count = try? buffer.withUnsafeMutableBytes({ try source.read(into: $0) }), count > 0 {
        bytes += buffer[..<count]
    }
    return bytes
}

/// Yields the processor to other threads.
func sched() { sched_yield() }

extension Download.Request {
    /// A request for an address that the test itself has typed.
    init(
        url: String, headers: [String: String] = [:], limit: Int = 64 << 20, store: (any MediaStore)? = nil
    ) {
        self.init(url: url, headers: headers, limit: limit, store: store, mayBeLocal: true)
    }
}
