import Base
import Pixels

/// Writes updates, but only as many bytes at a time as the connection can deliver soon.
extension Terminal {
    public func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
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
    func continueOutput(wasDrained: Bool) {
        sendHeld()
        if isEntered, pacer.gauge.shouldQuery(at: now, isPeriodic: false) { sendQuery() }
        if !wasDrained, isDrained { events.append(.drained) }
    }

    func handleReply(notBefore earliest: Instant) {
        let wasDrained = isDrained
        pacer.gauge.recordReply(at: now, notBefore: earliest)
        continueOutput(wasDrained: wasDrained)
    }

    private func sendQuery() {
        pacer.gauge.recordSent(0, hasQuery: true, at: now)
        send(ScreenSequences.attributesQuery)
    }

    func handleMissingReply() {
        guard let deadline = pacer.gauge.deadline, now >= deadline else { return }
        let wasDrained = isDrained
        if pacer.gauge.handleMissingReply(at: now) { sendQuery() }
        continueOutput(wasDrained: wasDrained)
    }

    func send(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer? = nil,
        _ third: UnsafeRawBufferPointer? = nil, _ fourth: UnsafeRawBufferPointer? = nil
    ) {
        let parts: OutgoingBytes.Parts = [
            first, second ?? Self.noBytes, third ?? Self.noBytes, fourth ?? Self.noBytes,
        ]
        if case .closed = outgoing.send(parts, to: device.descriptor) { isClosed = true }
    }

    func send(_ text: String) {
        var text = text
        text.withUTF8 { send(UnsafeRawBufferPointer($0)) }
    }

    func restoreSequence(isSynchronized: Bool, wasCut: Bool, isRepeated: Bool = false) -> String {
        let screen = ScreenSequences.leave(
            screen, isSynchronized: isSynchronized, wasCut: wasCut, isRepeated: isRepeated)
        // CAN must come first, because it cancels a truncated sequence.
        guard reportsPointer else { return screen }
        return (wasCut ? "\u{18}" : "") + ScreenSequences.disablePointerReports + screen
    }

    func flush() {
        switch outgoing.flush(to: device.descriptor) {
        case .done: continueOutput(wasDrained: false)
        case .pending: break
        case .closed: isClosed = true
        }
    }
}
