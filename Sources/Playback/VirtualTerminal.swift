import Base
import Pixels

/// A terminal with a virtual clock, which advances only in ``wait(until:)``.
///
/// Used by tests, which script the events and the speed of the connection, and by `--virtual-time`.
public final class VirtualTerminal: PlaybackTerminal {
    public struct ScriptedEvent: Sendable {
        public var time: Instant
        public var event: TerminalEvent
        /// The traits of the terminal from this event on; nil for no change.
        public var traits: TerminalTraits?

        public init(at time: Instant, _ event: TerminalEvent, traits: TerminalTraits? = nil) {
            (self.time, self.event, self.traits) = (time, event, traits)
        }
    }

    public private(set) var now = Instant(nanoseconds: 0)
    public private(set) var traits: TerminalTraits
    /// All presented updates, each with its time. The bytes contain the picture and the text.
    public private(set) var presented: [(time: Instant, bytes: [UInt8])] = []

    private var script: [ScriptedEvent]
    private let bytesPerSecond: Int?
    private var busyUntil = Instant(nanoseconds: 0)
    private var wasDrained = true
    private let recordsUpdates: Bool

    /// - Parameters:
    ///   - bytesPerSecond: the speed of the connection; nil for no limit.
    ///   - script: the events in order of time. After the last event, ``wait(until:)`` returns ``TerminalEvent/closed``
    ///     if it has no deadline and all output is processed.
    ///   - recordsUpdates: whether updates are recorded in ``presented``.
    public init(
        traits: TerminalTraits, bytesPerSecond: Int? = nil, script: [ScriptedEvent] = [], recordsUpdates: Bool = true
    ) {
        (self.traits, self.bytesPerSecond) = (traits, bytesPerSecond)
        (self.script, self.recordsUpdates) = (script, recordsUpdates)
    }

    public var isDrained: Bool { now >= busyUntil }
    public var waker: @Sendable () -> Void { {} }

    public func wait(until deadline: Instant?) -> TerminalEvent {
        let drain = wasDrained ? nil : busyUntil
        let scripted = script.first?.time
        let soonest = [drain, scripted, deadline].compactMap { $0 }.min()
        guard let soonest else { return .closed }
        now = max(now, soonest)
        if let next = script.first, next.time <= now {
            script.removeFirst()
            if let traits = next.traits { self.traits = traits }
            return next.event
        }
        if !wasDrained, isDrained {
            wasDrained = true
            return .drained
        }
        return .deadline
    }

    public func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
        if recordsUpdates { presented.append((now, Array(picture) + Array(text))) }
        guard let bytesPerSecond else { return }
        let count = Int64(picture.count + text.count)
        busyUntil = max(now, busyUntil) + count * Span.second / Int64(bytesPerSecond)
        wasDrained = isDrained
    }
}
