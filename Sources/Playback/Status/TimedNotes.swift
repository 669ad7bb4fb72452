import Base

/// Notes that a status line displays one at a time, each for the same time.
public struct TimedNotes<Note: Equatable & Sendable>: Equatable, Sendable {
    public private(set) var note: Note?
    /// The time at which the note disappears; nil without one.
    public private(set) var deadline: Instant?
    private var pending: [Note] = []
    /// In nanoseconds.
    private let duration: Int64

    public init(for duration: Int64) { self.duration = duration }

    /// Replaces the displayed note.
    public mutating func show(_ note: Note, at now: Instant) { (self.note, deadline) = (note, now + duration) }

    /// Displays the note after the displayed one and those before it.
    public mutating func add(_ note: Note) { pending.append(note) }

    /// Displays the next note if there is one and the time of the displayed one is over.
    public mutating func update(at now: Instant) {
        if let deadline, deadline <= now { (note, self.deadline) = (nil, nil) }
        if note == nil, !pending.isEmpty { show(pending.removeFirst(), at: now) }
    }

    /// Ends the displayed note.
    public mutating func skip(at now: Instant) {
        deadline = note.map { _ in now }
        update(at: now)
    }

    /// Returns and removes the notes that were not displayed.
    public mutating func takePending() -> [Note] {
        defer { pending = [] }
        return pending
    }
}
