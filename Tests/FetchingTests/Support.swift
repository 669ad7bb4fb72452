import Base
import Catalog
import Fetching
import GIFDecode
import Glibc
import Synchronization
import TestServer
import Testing

/// A clock whose waits are over at once and that remembers them; its line of time is the real one.
final class RecordingClock: WaitClock {
    private let recorded = Mutex<[Int]>([])
    private let system = SystemWaitClock()

    /// The waits so far, in milliseconds.
    var waits: [Int] { recorded.withLock { $0 } }
    var milliseconds: Int { system.milliseconds }
    var unixSeconds: Int { 784_111_777 }

    func wait(milliseconds: Int) async throws {
        recorded.withLock { $0.append(milliseconds) }
        try Task.checkCancellation()
    }
}

/// Options for tests: no proxy, waits of no length, long patience.
func options(_ clock: any WaitClock = RecordingClock(), change: (inout FetchOptions) -> Void = { _ in }) -> FetchOptions
{
    var options = FetchOptions(userAgent: "gifplay-tests/1 (tests@example.org)")
    options.proxy = .none
    options.clock = clock
    options.chance = { 1 }
    // A test that is not about them must not meet a bound, however busy the machine is.
    options.connectMilliseconds = 200_000
    options.stallMilliseconds = 200_000
    options.retry = RetryPolicy(retries: 3, firstMilliseconds: 100, longestMilliseconds: 1_000)
    change(&options)
    return options
}

/// Bytes that begin and end as a GIF's do; they need not decode.
func gif(_ count: Int = 100_000, seed: Int = 7) -> [UInt8] {
    // Made once: each of them takes a while in a debug build.
    made.withLock { made -> [UInt8] in
        if let gif = made[[count, seed]] { return gif }
        let middle = (0..<count - 7).map { UInt8(truncatingIfNeeded: ($0 &* seed) >> 3) }
        let gif = Array("GIF89a".utf8) + middle + [0x3B]
        made[[count, seed]] = gif
        return gif
    }
}

extension MediaStore {
    /// Keeps a whole GIF.
    func store(_ content: [UInt8], for url: String) throws(FetchError) {
        let writer = try writer(for: url)
        let result = content.withUnsafeBytes { bytes in
            Result { () throws(FetchError) in try writer.append(bytes) }
        }
        try result.get()
        try writer.commit()
    }
}

private let made = Monitor<[[Int]: [UInt8]]>([:])

/// A failure shows how many bytes there are, not each of a hundred thousand.
extension Array: @retroactive CustomTestStringConvertible where Element == UInt8 {
    public var testDescription: String { "\(count) bytes" }
}

/// A request with so much time that a slow machine does not use it up.
func patientRequest(
    url: String, headers: [String: String] = [:], maximumBytes: Int = 4 << 20, timeoutMilliseconds: Int = 200_000
) -> HTTPRequest {
    HTTPRequest(url: url, headers: headers, maximumBytes: maximumBytes, timeoutMilliseconds: timeoutMilliseconds)
}

/// What a request came to.
func outcome(_ client: CurlHTTPClient, _ request: HTTPRequest) async -> Result<HTTPResponse, HTTPError> {
    do throws(HTTPError) {
        return .success(try await client.get(request))
    } catch {
        return .failure(error)
    }
}

/// What a download came to: how it ended, and the bytes that its reader gets.
func outcome(_ download: Download) async -> (state: Download.State, bytes: [UInt8]) {
    let state = await download.end()
    return (state, readAvailable(download.source))
}

/// Everything in a source that has ended.
func readAvailable(_ source: GrowingByteSource) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    source.rewind()
    while let count = try? buffer.withUnsafeMutableBytes({ try source.read(into: $0) }), count > 0 {
        bytes += buffer[..<count]
    }
    return bytes
}

extension HTTPError {
    var isUnreachable: Bool {
        if case .unreachable = self { return true }
        return false
    }

    var reason: String {
        switch self {
        case .unreachable(_, let reason), .redirectRefused(_, let reason): reason
        default: ""
        }
    }
}

/// Runs what blocks on a thread of its own, so that no task's thread is taken from the rest.
func waiting(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        detach {
            body()
            continuation.resume()
        }
    }
}

/// Lets others run.
func sched() { sched_yield() }
