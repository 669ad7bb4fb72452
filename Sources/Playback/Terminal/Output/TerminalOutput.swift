import Base
import CTerminal
import Glibc
import Pixels

/// Writes updates, but only as many bytes at a time as the connection can deliver soon.
final class TerminalOutput {
    private let device: TerminalDevice
    var outgoing: OutgoingBytes
    var pacer = UpdatePacer()
    var isSynchronized = false
    /// Whether the screen is set up. Otherwise, no update and no reply causes a query.
    var isActive = false
    var isClosed = false

    init(_ device: TerminalDevice) {
        self.device = device
        outgoing = OutgoingBytes(isBlocking: device.isBlocking)
        if !TerminalEnvironment().isRemote { pacer.gauge.firstReplyTimeout = ConnectionGauge.localReplyTimeout }
    }

    private var now: Instant { .monotonic }

    var isDrained: Bool { outgoing.isEmpty && !pacer.isHolding && !pacer.gauge.isBehind(at: now) }

    /// Whether bytes wait that the terminal has not accepted yet.
    var isWaiting: Bool { !isClosed && (!outgoing.isEmpty || pacer.isHolding) }

    func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
        let count = picture.count + text.count
        guard count > 0, !isClosed else { return }
        if pacer.admits(count) { return sendUpdate(picture, text) }
        pacer.hold(picture)
        pacer.hold(text)
        continueOutput(wasDrained: true)
    }

    /// Sends one synchronized update, and a query if one is due.
    private func sendUpdate(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer? = nil) {
        let (now, count) = (now, picture.count + (text?.count ?? 0))
        let sendsQuery = pacer.gauge.shouldQuery(at: now, adding: count)
        pacer.gauge.recordSent(count, hasQuery: sendsQuery, at: now)
        var begin = isSynchronized ? ScreenSequences.beginUpdate : ""
        var end = isSynchronized ? ScreenSequences.endUpdate : ""
        if sendsQuery { end = isSynchronized ? ScreenSequences.endUpdateAndQuery : TerminalQueries.attributes }
        begin.withUTF8 { begin in
            end.withUTF8 { end in
                send(UnsafeRawBufferPointer(begin), picture, text, UnsafeRawBufferPointer(end))
            }
        }
    }

    /// Sends as many held bytes as the window of the ``ConnectionGauge`` admits. Each piece is a separate update,
    /// because a terminal can wait for the end of a synchronized update before it replies to a query inside the update.
    private func sendHeld() {
        while !isClosed, outgoing.isEmpty, let piece = pacer.nextPiece() {
            pacer.heldBytes.withUnsafeBytes { sendUpdate(UnsafeRawBufferPointer(rebasing: $0[piece])) }
        }
        pacer.compact()
    }

    /// Continues the output after a reply, or after the kernel has accepted waiting bytes. If a query is still due
    /// after that, sends it without other bytes.
    /// - Parameter wasDrained: the value of ``isDrained`` before the reply arrived or the bytes were accepted.
    /// - Returns: whether ``isDrained`` has become true, like the following methods.
    @discardableResult
    private func continueOutput(wasDrained: Bool) -> Bool {
        sendHeld()
        if isActive, pacer.gauge.shouldQuery(at: now, isPeriodic: false) { sendQuery() }
        return !wasDrained && isDrained
    }

    func handleReply(notBefore earliest: Instant) -> Bool {
        let wasDrained = isDrained
        pacer.gauge.recordReply(at: now, notBefore: earliest)
        return continueOutput(wasDrained: wasDrained)
    }

    private func sendQuery() {
        pacer.gauge.recordSent(0, hasQuery: true, at: now)
        send(TerminalQueries.attributes)
    }

    func handleMissingReply() -> Bool {
        guard let deadline = pacer.gauge.deadline, now >= deadline else { return false }
        let wasDrained = isDrained
        if pacer.gauge.handleMissingReply(at: now) { sendQuery() }
        return continueOutput(wasDrained: wasDrained)
    }

    func send(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer? = nil,
        _ third: UnsafeRawBufferPointer? = nil, _ fourth: UnsafeRawBufferPointer? = nil
    ) {
        func part(_ bytes: UnsafeRawBufferPointer?) -> iovec {
            iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes?.baseAddress), iov_len: bytes?.count ?? 0)
        }
        let parts: OutgoingBytes.Parts = (part(first), part(second), part(third), part(fourth))
        if case .closed = outgoing.send(parts, to: device.descriptor) { isClosed = true }
    }

    func send(_ text: String) {
        var text = text
        text.withUTF8 { send(UnsafeRawBufferPointer($0)) }
    }

    func flush() -> Bool {
        switch outgoing.flush(to: device.descriptor) {
        case .done: return continueOutput(wasDrained: false)
        case .pending: break
        case .closed: isClosed = true
        }
        return false
    }
}

/// The output buffer of a terminal.
struct OutgoingBytes {
    /// Whether the descriptor is in blocking mode. It then gets few bytes at a time, and only if it accepts some.
    private let isBlocking: Bool

    init(isBlocking: Bool = false) { self.isBlocking = isBlocking }

    enum Outcome {
        case done
        /// Some bytes wait until the descriptor accepts more.
        case pending
        case closed
    }

    /// The parts of one update. Unlike an array, a tuple needs no memory on the heap.
    typealias Parts = (iovec, iovec, iovec, iovec)

    private var waiting: [UInt8] = []
    private var sent = 0

    var isEmpty: Bool { sent == waiting.count }

    /// Sends the waiting bytes, followed by the parts. If no bytes are waiting, one system call sends all parts. Bytes
    /// that the descriptor does not accept wait in this buffer.
    mutating func send(_ parts: Parts, to descriptor: Int32) -> Outcome {
        withUnsafeBytes(of: parts) { parts in
            let vectors = parts.assumingMemoryBound(to: iovec.self)
            let hasWaited = !isEmpty || isBlocking
            var skip = 0
            if !hasWaited {
                let written = writev(descriptor, vectors.baseAddress, Int32(vectors.count))
                if written < 0, !Self.isTransient { return .closed }
                skip = max(0, written)
                waiting.removeAll(keepingCapacity: true)
                sent = 0
            }
            for vector in vectors {
                let bytes = UnsafeRawBufferPointer(start: vector.iov_base, count: vector.iov_len)
                waiting.append(contentsOf: bytes.dropFirst(skip))
                skip = max(0, skip - bytes.count)
            }
            if hasWaited { return flush(to: descriptor) }
            return isEmpty ? .done : .pending
        }
    }

    mutating func flush(to descriptor: Int32) -> Outcome {
        while !isEmpty {
            if isBlocking, !Self.hasRoom(descriptor) { return .pending }
            let count = isBlocking ? min(Self.blockingPiece, waiting.count - sent) : waiting.count - sent
            let written = waiting.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + sent }, count) }
            guard written >= 0 else { return Self.isTransient ? .pending : .closed }
            sent += written
        }
        waiting.removeAll(keepingCapacity: true)
        sent = 0
        return .done
    }

    /// Discards the waiting bytes.
    /// - Returns: whether bytes were discarded. If so, the output can end in the middle of a control sequence.
    mutating func abandon() -> Bool {
        let wasCut = !isEmpty
        waiting.removeAll()
        sent = 0
        return wasCut
    }

    /// In bytes; the kernel's buffers of a pty have at least this size.
    private static let blockingPiece = 256

    private static func hasRoom(_ descriptor: Int32) -> Bool {
        var states = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
        return poll(&states, until: Instant(nanoseconds: 0), now: Instant(nanoseconds: 0)) != 0
    }

    private static var isTransient: Bool { errno == EAGAIN || errno == EINTR }
}

/// Divides updates that exceed the window of a ``ConnectionGauge`` into pieces, and holds them until they may be sent.
///
/// The pieces end between two control sequences, so that queries and synchronized updates fit between them. An update
/// that fits into the window is sent whole, without a copy.
struct UpdatePacer {
    var gauge = ConnectionGauge()
    private var held: [UInt8] = []
    private var position = 0

    var isHolding: Bool { position < held.count }

    /// Returns whether an update of `count` bytes may be sent whole now.
    func admits(_ count: Int) -> Bool { !isHolding && count <= gauge.allowance }

    /// Holds bytes until ``nextPiece()`` returns them.
    mutating func hold(_ bytes: UnsafeRawBufferPointer) { held.append(contentsOf: bytes) }

    /// Returns the next piece that may be sent now, as a range of ``heldBytes``; nil for none. The bytes of the range
    /// stay valid until ``hold(_:)`` or ``discard()``.
    mutating func nextPiece() -> Range<Int>? {
        let rest = held.count - position
        let allowance = gauge.allowance
        guard rest > 0, allowance >= min(rest, gauge.queryDistance) else { return nil }
        let limit = gauge.isReplyPending ? allowance : min(allowance, gauge.queryDistance)
        let start = position
        position = rest <= limit ? held.count : sequenceStart(around: start + limit, after: start)
        return start..<position
    }

    var heldBytes: [UInt8] { held }

    /// Releases the memory of bytes that were sent.
    mutating func compact() {
        guard !isHolding else { return }
        held.removeAll(keepingCapacity: held.capacity <= Self.keptCapacity)
        position = 0
    }

    /// Discards the held bytes.
    /// - Returns: whether bytes were discarded.
    @discardableResult
    mutating func discard() -> Bool {
        let wasHolding = isHolding
        held = []
        position = 0
        return wasHolding
    }

    private static let keptCapacity = 128 << 10

    /// Returns the start of the last control sequence at or before `end`, or else of the first one after it.
    private func sequenceStart(around end: Int, after start: Int) -> Int {
        var index = end
        while index > start {
            if isSequenceStart(index) { return index }
            index -= 1
        }
        index = end + 1
        while index < held.count, !isSequenceStart(index) { index += 1 }
        return min(index, held.count)
    }

    /// Returns whether a control sequence (`ESC [`) starts at `index`. Other sequences are ignored, because their ESC
    /// can belong to the end of a control string (`ESC \`).
    private func isSequenceStart(_ index: Int) -> Bool {
        index + 1 < held.count && held[index] == 0x1B && held[index + 1] == UInt8(ascii: "[")
    }
}
