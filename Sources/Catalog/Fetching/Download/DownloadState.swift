import Base
import Pixels

/// The state of a download, and the decisions that depend on it. Its methods have no side effects outside this value.
struct DownloadState {
    private enum BodyUse: Equatable {
        case accept
        /// The response repeats the file. Its next `left` bytes must equal the bytes received before.
        case compare(left: Int)
        /// The body is not part of a GIF. It is read up to a limit, so that the connection can be reused.
        case discard(read: Int, status: Int)
    }

    private struct Response {
        var use = BodyUse.accept
        /// Why gifplay aborted the response; nil if it did not.
        var stop: Failure?
        var rangeStart: Int?
        /// The length of the file at the end of this response, if libcurl ends the response there by itself.
        var end: Int?
        var isRangeRefused = false
    }

    private static let discardLimit = 64 << 10
    private static let stallThreshold = 1_000

    /// For errors.
    var host = ""
    var end = Download.State.running
    var storeFailure: Failure?
    var writer: (any MediaStoreWriter)?
    private(set) var mayOutliveRun = true
    private(set) var renewedResponse: StoredResponse?
    /// The head of the latest response with the whole file.
    private var lastHead: ResponseHead?
    private let isValidated: Bool
    private let stored: StoredResponse?
    /// The time of the next request, in milliseconds, and its reason; nil unless the download waits for it.
    var nextAttempt: (at: Int, after: Failure)?
    /// The head of the present response, which can be a page.
    private var page: DownloadedPage?
    private var hasFailedToDecode = false
    private var unixSeconds = 0
    private(set) var finalAddress: String?
    private(set) var fileName: String?
    private(set) var file = ReceivedFile()
    private var response = Response()
    private let limit: Int
    private let keepsPage: Bool
    private var supportsRanges = false
    private var validator: String?
    private var requests = 0
    private var lastArrival: Int
    private var meter: SpeedMeter

    init(
        limit: Int, keepsPage: Bool = false, now: Int, isValidated: Bool = false, stored: StoredResponse? = nil
    ) {
        (self.isValidated, self.stored) = (isValidated, stored)
        self.limit = limit
        self.keepsPage = keepsPage
        lastArrival = now
        meter = SpeedMeter(at: now)
    }

    /// Whether the first bytes of a GIF have arrived, or no more bytes will arrive.
    var hasBegun: Bool { file.isRecognised || end != .running }

    /// Whether the response must go on. At the trailer, it is only needed if libcurl ends it now: its connection can then
    /// be used again.
    var continues: Bool { response.stop == nil && (!file.hasTrailer || file.count == response.end) }

    /// - Parameter now: the time in milliseconds. All calls must use the same clock.
    func progress(at now: Int) -> Download.Progress {
        Download.Progress(
            received: file.count, expected: file.expectedCount, bytesPerSecond: meter.bytesPerSecond(at: now),
            isStalled: end == .running && now - lastArrival >= Self.stallThreshold, retries: max(0, requests - 1),
            state: end,
            wait: nextAttempt.map { .init(seconds: max(0, ($0.at - now + 999) / 1_000), reason: $0.after) })
    }

    /// What is stored with the complete GIF; nil if it is not validated.
    var wholeResponse: StoredResponse? { isValidated ? lastHead.map { StoredResponse($0, at: unixSeconds) } : nil }

    // MARK: - Responses

    /// - Returns: header fields for the next request.
    mutating func prepareNextResponse() -> [String: String] {
        requests += 1
        response = Response()
        guard file.count > 0, supportsRanges, let validator else { return [:] }
        response.rangeStart = file.count
        return ["Range": "bytes=\(file.count)-", "If-Range": validator]
    }

    /// - Returns: false to abort the response.
    mutating func begin(_ head: ResponseHead, unixSeconds: Int) -> Bool {
        (nextAttempt, page, self.unixSeconds, finalAddress) = (nil, nil, unixSeconds, head.address)
        if head.status == 304, let stored, !stored.conditions(at: head.address).isEmpty {
            renewedResponse = stored.renewed(by: head, at: unixSeconds)
        }
        if head.isSuccess, !StoredResponse.allowsDisk(head, unixSeconds: unixSeconds, isValidated: isValidated) {
            // The response to a retry can be stricter than the first one, for which the writer was opened.
            if mayOutliveRun { writer = nil }
            mayOutliveRun = false
        }
        switch head.status {
        case 206 where response.rangeStart != nil: return beginPartial(head)
        // Without a request for a range, a server that sends one means the whole file, or its start.
        case 206 where ContentRange(head.headers["content-range"])?.start ?? 0 > 0: return beginPartial(head)
        case 200..<300: return beginWhole(head)
        default:
            response.use = .discard(read: 0, status: head.status)
            return true
        }
    }

    private mutating func beginWhole(_ head: ResponseHead) -> Bool {
        (validator, lastHead) = (Self.validator(head), head)
        supportsRanges = head.headers["accept-ranges"]?.lowercased() == "bytes" && !head.isEncoded
        file.isFramed = head.isFramed
        response.end = head.finalLength
        response.use = file.count > 0 ? .compare(left: file.count) : .accept
        if keepsPage { page = DownloadedPage(head) }
        fileName = ContentDisposition.fileName(head.headers["content-disposition"] ?? "")
        let total = ContentRange(head.headers["content-range"])?.total
        file.isPart = head.status == 206 && total == nil
        return expect(total ?? (file.isPart ? nil : head.decodedLength))
    }

    private mutating func beginPartial(_ head: ResponseHead) -> Bool {
        guard let rangeStart = response.rangeStart, let range = ContentRange(head.headers["content-range"]),
            range.start == rangeStart,
            range.total == nil || file.expectedCount == nil || range.total == file.expectedCount
        else {
            // This is another range. Request the whole file next, and compare its start with the received bytes.
            supportsRanges = false
            response.isRangeRefused = true
            response.stop = .changed(host: host)
            return false
        }
        file.isFramed = head.isFramed
        response.end = head.finalLength.map { rangeStart + $0 }
        // The length of a range says nothing about the length of the file.
        file.isPart = range.total == nil && file.expectedCount == nil
        return expect(range.total ?? file.expectedCount)
    }

    private mutating func expect(_ total: Int?) -> Bool {
        file.expectedCount = total ?? file.expectedCount
        if let total, total > limit { response.stop = tooLarge }
        return response.stop == nil
    }

    private var tooLarge: Failure { .tooLarge(host: host, limit: limit, hint: "--max-bytes raises the limit") }

    /// The strong entity tag, or else the modification date. A weak entity tag does not guarantee the same bytes.
    private static func validator(_ head: ResponseHead) -> String? {
        if let tag = head.headers["etag"], tag.hasPrefix("\"") { return tag }
        return head.headers["last-modified"]
    }

    // MARK: - Bytes

    /// Returns the bytes to forward, which no earlier response delivered: either a part of `bytes` as `fresh`, or as
    /// `start` all bytes that were held back until the file was recognised as a GIF.
    /// - Parameter forwarded: returns the bytes that were forwarded before.
    mutating func receive(
        _ bytes: UnsafeRawBufferPointer, at now: Int, forwarded: () -> [UInt8]
    ) -> (start: [UInt8], fresh: UnsafeRawBufferPointer) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        lastArrival = now
        meter.add(bytes.count, at: now)
        var fresh = bytes
        switch response.use {
        case .discard(let read, let status):
            response.use = .discard(read: read + bytes.count, status: status)
            if read + bytes.count > Self.discardLimit { response.stop = .status(status, host: host, retryAfter: nil) }
            return ([], nothing)
        case .compare(let left):
            let known = UnsafeRawBufferPointer(rebasing: bytes.prefix(left))
            fresh = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(left))
            let earlier = (file.isRecognised ? forwarded() : file.heldBack)[(file.count - left)...]
            if !earlier.starts(with: known) { response.stop = .changed(host: host) }
            response.use = known.count == left ? .accept : .compare(left: left - known.count)
        case .accept: break
        }
        if file.count + fresh.count > limit { response.stop = tooLarge }
        guard response.stop == nil else { return ([], nothing) }
        fresh = file.append(fresh)
        if file.isRecognised { return ([], fresh) }
        file.recognise(fresh)
        if file.isOtherKind, file.isKindKnown, !collectPage() { response.stop = notGIF }
        return (file.isRecognised ? file.removeStart() : [], nothing)
    }

    private var notGIF: Failure { .notGIF(file.kind, host: host) }

    /// Reads on if the file is a page, because the page can name a GIF.
    /// - Returns: false if no further byte of the page is needed.
    private mutating func collectPage() -> Bool {
        guard page != nil, page?.isHTML == true || [.html, .xml].contains(file.kind) else { return false }
        return file.count < DownloadedPage.limit
    }

    /// The response if it is a page; its body is complete or ends at the limit.
    var receivedPage: DownloadedPage? {
        guard var page, file.isOtherKind, page.isHTML || [.html, .xml].contains(file.kind) else { return nil }
        page.body = Array(file.heldBack.prefix(DownloadedPage.limit))
        return page
    }

    // MARK: - Decisions

    mutating func nextStep(after result: TransportResult, at now: Int) -> DownloadSink.NextStep {
        if file.hasTrailer { return .finish }
        switch result {
        case .complete(let head): return nextStep(after: head)
        case .stopped: return nextStepAfterStop()
        case .undecodable where !hasFailedToDecode:
            hasFailedToDecode = true
            return .retry(.changed(host: host))
        case .undecodable: return .fail(.cut(received: file.count, expected: nil, host: host))
        case .cut:
            if file.isOtherKind { return .fail(notGIF) }
            return .retry(.cut(received: file.count, expected: file.expectedCount, host: host))
        case .failed(let error, let isTransient):
            if file.isOtherKind { return .fail(notGIF) }
            guard error.kind == .timedOut, isTransient else { return isTransient ? .retry(error) : .fail(error) }
            let timeout = Failure.timedOut(host: host, milliseconds: now - lastArrival)
            // A server that was silent for so long would be silent again.
            return file.count == 0 ? .fail(timeout) : .retry(timeout)
        }
    }

    private mutating func nextStep(after head: ResponseHead) -> DownloadSink.NextStep {
        switch head.status {
        case 200..<300:
            if file.count == 0 { return .fail(.empty(host: host)) }
            if !file.isRecognised { return .fail(notGIF) }
            if case .compare = response.use { return .fail(.changed(host: host)) }
            return file.isShort ? .retry(.cut(received: file.count, expected: file.expectedCount, host: host)) : .finish
        case 416 where response.rangeStart != nil:
            // The server's file is not longer than the received bytes: either they are complete, or it has changed.
            if ContentRange(head.headers["content-range"])?.total == file.count { return .finish }
            supportsRanges = false
            return .retry(.changed(host: host))
        default:
            let seconds = RetryPolicy.requestedSeconds(head.headers, unixSeconds: unixSeconds)
            let isTransient = RetryPolicy.isTransient(status: head.status)
            let error = Failure.status(head.status, host: host, retryAfter: isTransient ? seconds : nil)
            return isTransient ? .retry(error) : .fail(error)
        }
    }

    private mutating func nextStepAfterStop() -> DownloadSink.NextStep {
        // The server sent a range that was not requested. Request the whole file instead.
        if response.isRangeRefused, let stop = response.stop { return .retry(stop) }
        return .fail(response.stop ?? .empty(host: host))
    }
}

/// The bytes of a file that all responses of a download have delivered together.
struct ReceivedFile {
    private(set) var count = 0
    /// Nil until a response reports it.
    var expectedCount: Int?
    /// Whether the end of the file can be distinguished from a broken connection.
    var isFramed = false
    /// Whether the latest response was a part of a file of unknown length.
    var isPart = false
    private(set) var isRecognised = false
    private var start: [UInt8] = []
    private var walk = BlockWalk()

    /// Whether the GIF is animated; nil if more bytes are needed to tell.
    var animation: BlockWalk.Kind? { walk.kind }
    /// Whether the trailer of the GIF has arrived. No further byte is needed, whatever the transport announces.
    var hasTrailer: Bool { isRecognised && walk.length != nil }

    var isShort: Bool { isPart || expectedCount.map { count < $0 } ?? false }

    /// If the end of the body cannot be distinguished from a broken connection, the GIF must have its trailer.
    var isStorable: Bool { isFramed && !isShort || hasTrailer }

    /// Whether the bytes so far show that the file is not a GIF.
    var isOtherKind: Bool { count > 0 && !isRecognised && !"GIF".utf8.starts(with: start) }
    /// Whether ``kind`` no longer changes.
    var isKindKnown: Bool { start.count >= FileKind.length }
    var kind: FileKind { FileKind(start: start.prefix(FileKind.length)) }

    /// Appends the bytes up to the trailer of the GIF, and returns them.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard isRecognised || "GIF".utf8.starts(with: (start + bytes.prefix(3)).prefix(3)) else {
            count += bytes.count
            return bytes
        }
        walk.add(bytes)
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(0, (walk.length ?? .max) - count)))
        count += part.count
        return part
    }

    /// The first bytes are held back until it is known whether they begin with "GIF".
    mutating func recognise(_ fresh: some Sequence<UInt8>) {
        start.append(contentsOf: fresh)
        isRecognised = start.starts(with: "GIF".utf8)
    }

    /// The bytes of a file that is not recognised as a GIF.
    var heldBack: [UInt8] { start }

    mutating func removeStart() -> [UInt8] {
        defer { start = [] }
        return start
    }
}

/// The Content-Range header: "bytes 100-199/1000", "bytes 100-199/*" or "bytes */1000".
struct ContentRange: Equatable {
    /// Nil if the header contains no range.
    var start: Int?
    /// Nil if the server does not know the size.
    var total: Int?

    /// - Returns: nil if the value is not a byte range.
    init?(_ value: String?) {
        guard let value, value.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = value.dropFirst(6).split(separator: "/")
        guard parts.count == 2 else { return nil }
        start = parts[0].split(separator: "-").first.flatMap { Int(outside: $0, in: 0...Int.outsideRange.upperBound) }
        total = Int(outside: parts[1], clampedTo: 0...Int.outsideRange.upperBound)
    }
}

/// Measures bytes per second over the last two seconds. All times are in milliseconds on the caller's clock.
struct SpeedMeter {
    private static let slot = 250
    private static let window = 2_000

    private var slots: [(start: Int, bytes: Int)] = []
    private let started: Int

    init(at now: Int) { started = now }

    mutating func add(_ bytes: Int, at now: Int) {
        if let last = slots.indices.last, now - slots[last].start < Self.slot {
            slots[last].bytes += bytes
        } else {
            slots.removeAll { now - $0.start >= Self.window }
            slots.append((now, bytes))
        }
    }

    func bytesPerSecond(at now: Int) -> Int {
        let recent = slots.filter { now - $0.start < Self.window }
        // Divide by the window's length, or by the download's age if that is shorter. Divide by at least one slot, so
        // that a small chunk that arrives immediately does not appear as a high speed.
        let span = max(Self.slot, min(Self.window, now - started))
        return recent.reduce(0) { $0 + $1.bytes } * 1000 / span
    }
}

/// The header Content-Disposition (RFC 6266).
package enum ContentDisposition {
    /// The file name without folders, from `filename*` or else from `filename`; nil if there is none.
    package static func fileName(_ header: String) -> String? {
        var names: [String: String] = [:]
        for field in fields(header) {
            guard let equals = field.firstIndex(of: "=") else { continue }
            let name = field[..<equals].filter { !$0.isWhitespace }.lowercased()
            names[name] = names[name] ?? String(field[field.index(after: equals)...])
        }
        // The charset, the language and the encoded name.
        let parts = names["filename*"]?.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false) ?? []
        let encoded = parts.count == 3 ? WebAddress.decodedBytes(parts[2]) : []
        let isLatin = parts.first?.lowercased() == "iso-8859-1"
        let extended =
            isLatin
            ? String(String.UnicodeScalarView(encoded.map { Unicode.Scalar($0) }))
            : String(decoding: encoded, as: UTF8.self)
        let name = extended.isEmpty ? names["filename"] ?? "" : extended
        let last = SafeText.line(String(name.split { "/\\".contains($0) }.last ?? ""))
        return last.isEmpty ? nil : last
    }

    /// The parts between semicolons, without quotes. A semicolon in quotes separates nothing.
    private static func fields(_ header: String) -> [String] {
        var (fields, isQuoted, isEscaped) = ([""], false, false)
        for character in header {
            switch character {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted:
                isEscaped = true
                continue
            case "\"":
                isQuoted.toggle()
                continue
            case ";" where !isQuoted:
                fields.append("")
                continue
            default: break
            }
            fields[fields.count - 1].append(character)
        }
        return fields
    }
}
