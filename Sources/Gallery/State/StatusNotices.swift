import Base

/// The messages of the status line. Each message is displayed for a few seconds.
struct StatusNotices: Equatable, Sendable {
    private struct Shown: Equatable, Sendable {
        var message: GalleryMessage
        var end: Instant
    }

    private var shown: Shown?
    /// The messages about services that were not displayed yet.
    private var pending: [GalleryMessage] = []

    static let duration = 4 * Span.second

    var message: GalleryMessage? { shown?.message }

    var deadline: Instant? { shown?.end }

    mutating func show(_ message: GalleryMessage, at now: Instant) {
        if message.isAboutService, shown != nil { return pending.append(message) }
        shown = Shown(message: message, end: now + Self.duration)
    }

    /// Removes a message that no longer applies.
    mutating func remove(at now: Instant, where isOutdated: (GalleryMessage) -> Bool) {
        guard let message, isOutdated(message) else { return }
        shown?.end = now
        update(at: now)
    }

    mutating func update(at now: Instant) {
        guard let shown, shown.end <= now else { return }
        self.shown = nil
        if !pending.isEmpty { show(pending.removeFirst(), at: now) }
    }
}
