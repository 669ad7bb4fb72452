import Base

/// The messages of the status line. Each message is displayed for a few seconds.
struct StatusNotices: Equatable, Sendable {
    private struct Shown: Equatable, Sendable {
        var message: StatusMessage
        var end: Instant
    }

    private var shown: Shown?
    /// The messages about services that were not displayed yet. When the displayed message ends, the first of them is
    /// displayed next.
    private var pending: [StatusMessage] = []

    static let duration = 4 * Span.second

    /// The displayed message; nil if there is none.
    var message: StatusMessage? { shown?.message }

    /// The time at which the displayed message disappears.
    var deadline: Instant? { shown?.end }

    /// Shows a message for a few seconds. A message about a service waits until the displayed message ends.
    mutating func show(_ message: StatusMessage, at now: Instant) {
        if message.isAboutService, shown != nil { return pending.append(message) }
        shown = Shown(message: message, end: now + Self.duration)
    }

    /// Removes the displayed message at its end time, and shows the next waiting message.
    mutating func update(at now: Instant) {
        guard let shown, shown.end <= now else { return }
        self.shown = nil
        if !pending.isEmpty { show(pending.removeFirst(), at: now) }
    }
}

/// A temporary message of the status line.
enum StatusMessage: Hashable, Sendable {
    case reported(GalleryMessage)
    case saving
    case favourite(Bool)
    case dismissed(Int)
    case restored(Int)
    case nothingToUndo
    case noPage
    case first
    case last

    /// Whether the message is about a service and not about the user's last action.
    var isAboutService: Bool {
        switch self {
        case .reported(.keyRefused), .reported(.contactRequired): true
        default: false
        }
    }
}
