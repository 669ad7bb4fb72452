/// Notes that a status line displays one at a time, each for the same time.
///
/// Inlinable, because the first note would otherwise run the generic code of collections, with 0.3 MiB more memory.
public struct TimedNotes<Note: Equatable & Sendable>: Equatable, Sendable {
    @usableFromInline var displayed: Note?
    @usableFromInline var end: Instant?
    @usableFromInline var pending: [Note] = []
    /// In nanoseconds.
    @usableFromInline let duration: Int64

    @inlinable
    public init(for duration: Int64) { self.duration = duration }

    @inlinable public var note: Note? { displayed }

    /// The time at which the note disappears; nil without one.
    @inlinable public var deadline: Instant? { end }

    /// Replaces the displayed note.
    @inlinable
    public mutating func show(_ note: Note, at now: Instant) { (displayed, end) = (note, now + duration) }

    /// Displays the note after the displayed one and those before it.
    @inlinable
    public mutating func add(_ note: Note) { pending.append(note) }

    /// Displays the next note if there is one and the time of the displayed one is over.
    @inlinable
    public mutating func update(at now: Instant) {
        if let end, end <= now { (displayed, self.end) = (nil, nil) }
        if displayed == nil, !pending.isEmpty { show(pending.removeFirst(), at: now) }
    }

    /// Ends the displayed note.
    @inlinable
    public mutating func skip(at now: Instant) {
        end = displayed.map { _ in now }
        update(at: now)
    }

    /// Returns and removes the notes that were not displayed.
    @inlinable
    public mutating func takePending() -> [Note] {
        defer { pending = [] }
        return pending
    }
}
