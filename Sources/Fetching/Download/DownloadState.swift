import Catalog
import Crypto
import GIFDecode

/// The state of a download, and the decisions that depend on it. Its methods have no side effects outside this value.
struct DownloadState {
    /// How the current response's body is used.
    private enum BodyUse: Equatable {
        case accept
        /// The response starts at the beginning of the file again. Its next `left` bytes must equal the bytes received
        /// before.
        case compare(left: Int)
        /// The body is not part of a GIF. It is read up to a limit, so that the connection can be reused.
        case discard(read: Int, status: Int)
    }

    private static let discardLimit = 64 << 10
    private static let stallThreshold = 1_000
    private static let kindLength = 64

    /// The host of the requested URL, for use in errors.
    var host = ""
    var end = Download.State.running
    var storeFailure: FetchError?
    var writer: (any MediaStoreWriter)?
    /// The reason why gifplay aborted the current response; nil if gifplay did not abort it.
    private(set) var stop: FetchError?
    private(set) var isRecognised = false
    private let limit: Int
    private var received = 0
    private var expected: Int?
    private var start: [UInt8] = []
    private var digest = SHA256()
    private var comparison = SHA256()
    private var use = BodyUse.accept
    private var lastByte: UInt8 = 0
    private var isFramed = false
    private var rangeStart: Int?
    private var isRangeRefused = false
    private var supportsRanges = false
    private var validator: String?
    private var requests = 0
    private var lastArrival: Int
    private var meter: SpeedMeter

    init(limit: Int, now: Int) {
        self.limit = limit
        lastArrival = now
        meter = SpeedMeter(at: now)
    }

    /// - Parameter now: the time in milliseconds. All calls must use the same clock.
    func progress(at now: Int) -> Download.Progress {
        Download.Progress(
            received: received, expected: expected, bytesPerSecond: meter.bytesPerSecond(at: now),
            isStalled: end == .running && now - lastArrival >= Self.stallThreshold, retries: max(0, requests - 1),
            state: end)
    }

    /// Whether the GIF can be stored. If the end of the body cannot be distinguished from a broken connection, the last
    /// byte must be the GIF trailer.
    var isStorable: Bool { isFramed || lastByte == 0x3B }

    // MARK: - Responses

    /// Resets the state that belongs to the previous response.
    /// - Returns: header fields for the next request.
    mutating func prepareNextResponse() -> [String: String] {
        requests += 1
        stop = nil
        use = .accept
        rangeStart = nil
        isRangeRefused = false
        guard received > 0, supportsRanges, let validator else { return [:] }
        rangeStart = received
        return ["Range": "bytes=\(received)-", "If-Range": validator]
    }

    /// - Returns: false to abort the response.
    mutating func begin(_ head: ResponseHead) -> Bool {
        switch head.status {
        case 200: return beginWhole(head)
        case 206: return beginPartial(head)
        default:
            use = .discard(read: 0, status: head.status)
            return true
        }
    }

    private mutating func beginWhole(_ head: ResponseHead) -> Bool {
        validator = Self.validator(head)
        supportsRanges = head.headers["accept-ranges"]?.lowercased() == "bytes"
        isFramed = head.isFramed
        comparison = SHA256()
        use = received > 0 ? .compare(left: received) : .accept
        return expect(head.contentLength)
    }

    private mutating func beginPartial(_ head: ResponseHead) -> Bool {
        guard let rangeStart, let range = ContentRange(head.headers["content-range"]), range.start == rangeStart,
            range.total == nil || expected == nil || range.total == expected
        else {
            // This is not the requested range. Request the whole file next, and compare the beginning of that response
            // with the received bytes.
            supportsRanges = false
            isRangeRefused = true
            stop = .changed(host: host)
            return false
        }
        isFramed = head.isFramed
        use = .accept
        return expect(range.total ?? head.contentLength.map { rangeStart + $0 })
    }

    private mutating func expect(_ total: Int?) -> Bool {
        expected = total ?? expected
        if let total, total > limit { stop = tooLarge }
        return stop == nil
    }

    private var tooLarge: FetchError { .transport(.tooLarge(host: host, limit: limit)) }

    /// Returns the strong entity tag if there is one, otherwise the modification date. A weak entity tag is not used,
    /// because it does not guarantee the same bytes.
    private static func validator(_ head: ResponseHead) -> String? {
        if let tag = head.headers["etag"], tag.hasPrefix("\"") { return tag }
        return head.headers["last-modified"]
    }

    // MARK: - Bytes

    /// Receives a chunk of a body.
    /// - Returns: the number of new bytes, which no earlier attempt received. They are at the end of the chunk. Returns
    ///   0 if ``stop`` is set.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, at now: Int) -> Int {
        lastArrival = now
        meter.add(bytes.count, at: now)
        var fresh = bytes
        switch use {
        case .discard(let read, let status):
            use = .discard(read: read + bytes.count, status: status)
            if read + bytes.count > Self.discardLimit { stop = .status(status, host: host) }
            return 0
        case .compare(let left):
            let known = UnsafeRawBufferPointer(rebasing: bytes.prefix(left))
            fresh = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(left))
            comparison.update(bufferPointer: known)
            use = known.count == left ? .accept : .compare(left: left - known.count)
            if use == .accept, comparison.finalize() != digest.finalize() { stop = .changed(host: host) }
        case .accept: break
        }
        if received + fresh.count > limit { stop = tooLarge }
        guard stop == nil, let last = fresh.last else { return 0 }
        digest.update(bufferPointer: fresh)
        received += fresh.count
        lastByte = last
        return fresh.count
    }

    /// Checks whether the file begins with "GIF". The first bytes are not forwarded until the result is known.
    /// - Returns: true if the file begins with "GIF". Its bytes can then be forwarded.
    mutating func recognise(_ fresh: some Sequence<UInt8>) -> Bool {
        start.append(contentsOf: fresh)
        isRecognised = start.starts(with: "GIF".utf8)
        if !isRecognised, !"GIF".utf8.starts(with: start), start.count >= Self.kindLength { stop = notGIF }
        return isRecognised
    }

    /// Returns the first bytes of the file, which were held back until the file was recognised as a GIF, and removes
    /// them from this state.
    mutating func removeStart() -> [UInt8] {
        defer { start = [] }
        return start
    }

    private var notGIF: FetchError { .notGIF(FileKind(start: start), host: host) }

    // MARK: - Decisions

    /// Decides the next step after a response has ended.
    mutating func nextStep(after result: TransportResult) -> DownloadSink.NextStep {
        switch result {
        case .complete(let head): return nextStep(after: head)
        case .stopped: return nextStepAfterStop()
        case .cut:
            if let error = earlyNotGIFError { return .fail(error) }
            return .retry(.cut(received: received, expected: expected, host: host))
        case .failed(let error, let isTransient):
            if let error = earlyNotGIFError { return .fail(error) }
            return isTransient ? .retry(.transport(error)) : .fail(.transport(error))
        }
    }

    /// The error if the bytes received so far already show that the file is not a GIF; otherwise nil.
    private var earlyNotGIFError: FetchError? {
        received > 0 && !isRecognised && !"GIF".utf8.starts(with: start) ? notGIF : nil
    }

    private mutating func nextStep(after head: ResponseHead) -> DownloadSink.NextStep {
        switch head.status {
        case 200, 206:
            if received == 0 { return .fail(.empty(host: host)) }
            if !isRecognised { return .fail(notGIF) }
            if case .compare = use { return .fail(.changed(host: host)) }
            let isShort = expected.map { received < $0 } ?? false
            return isShort ? .retry(.cut(received: received, expected: expected, host: host)) : .finish
        case 416 where rangeStart != nil:
            // The requested range begins after the end of the server's file. Either the received bytes are the whole
            // file, or the file has changed.
            if ContentRange(head.headers["content-range"])?.total == received { return .finish }
            supportsRanges = false
            return .retry(.changed(host: host))
        case let status where RetryPolicy.isTransient(status: status):
            return .retry(.status(status, host: host))
        default: return .fail(.status(head.status, host: host))
        }
    }

    private mutating func nextStepAfterStop() -> DownloadSink.NextStep {
        // The server sent a range that was not requested. Request the whole file instead.
        if isRangeRefused, let stop { return .retry(stop) }
        return .fail(stop ?? .empty(host: host))
    }
}

/// The Content-Range header: "bytes 100-199/1000", "bytes 100-199/*" or "bytes */1000".
struct ContentRange: Equatable {
    /// The position of the first byte; nil if the header contains no range.
    var start: Int?
    /// The total size of the file; nil if the server does not know the size.
    var total: Int?

    /// - Returns: nil if the value is not a byte range.
    init?(_ value: String?) {
        guard let value, value.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = value.dropFirst(6).split(separator: "/")
        guard parts.count == 2 else { return nil }
        start = parts[0].split(separator: "-").first.flatMap { Int($0) }
        total = Int(parts[1])
    }
}
