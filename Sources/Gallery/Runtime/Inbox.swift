import Base

/// A queue of events from tasks to the thread that owns the state.
final class Inbox: Sendable {
    private let events = Monitor<[GalleryEvent]>([])
    private let sequences = Monitor<[String]>([])
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func post(_ event: GalleryEvent) {
        events.withLock { $0.append(event) }
        wake()
    }

    /// Queues an escape sequence that the runtime sends to the terminal separately from the screen.
    func send(_ sequence: String) {
        sequences.withLock { $0.append(sequence) }
        wake()
    }

    func takeSequences() -> [String] { sequences.exchange(for: []) }

    func take() -> [GalleryEvent] { events.exchange(for: []) }
}
