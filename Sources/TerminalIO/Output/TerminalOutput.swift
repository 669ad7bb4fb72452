import Base
import Pixels

/// Writes updates, but only as many bytes at a time as the connection can deliver soon.
final class TerminalOutput {
    private let device: TerminalDevice
    var outgoing = OutgoingBytes()
    var pacer = UpdatePacer()
    var isSynchronized = false
    /// Whether the screen is set up. Otherwise, no update and no reply causes a query.
    var isActive = false
    var isClosed = false

    init(_ device: TerminalDevice) {
        self.device = device
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
    private func sendUpdate(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
        let (now, count) = (now, picture.count + text.count)
        let sendsQuery = pacer.gauge.shouldQuery(at: now, adding: count)
        pacer.gauge.recordSent(count, hasQuery: sendsQuery, at: now)
        var begin = isSynchronized ? ScreenSequences.beginUpdate : ""
        var end = isSynchronized ? ScreenSequences.endUpdate : ""
        if sendsQuery { end = isSynchronized ? ScreenSequences.endUpdateAndQuery : ScreenSequences.attributesQuery }
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
            pacer.heldBytes.withUnsafeBytes { sendUpdate(UnsafeRawBufferPointer(rebasing: $0[piece]), Self.noBytes) }
        }
        pacer.compact()
    }

    private static var noBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

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

    private func sendQuery(_ text: String = ScreenSequences.attributesQuery) {
        pacer.gauge.recordSent(0, hasQuery: true, at: now)
        send(text)
    }

    /// Sends queries that end with DA1, unless output waits or the terminal has not replied to all earlier ones.
    /// - Returns: whether the queries were sent.
    func query(_ text: String) -> Bool {
        guard isActive, isDrained, !isClosed, pacer.gauge.hasReplied, !pacer.gauge.isReplyPending else { return false }
        sendQuery(text)
        return true
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
        let parts: OutgoingBytes.Parts = [first, second ?? Self.noBytes, third ?? Self.noBytes, fourth ?? Self.noBytes]
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
