import Application
import Catalog
import Playback

/// The notes on the status line.
extension Slideshow {
    func note(beside openItem: OpenItem) -> String? {
        session.notices.current().map(ErrorMessages.describe) ?? connectionNote
            ?? DownloadNote.text(openItem.fetched.download) ?? (awaitsFeed ? "" : nil)
    }

    /// The note in place of a switch to an item that does not exist, or that cannot be loaded without a connection.
    func refusal(of kind: PlaybackEnd.ItemSwitch) -> String? {
        if list.isSingle { return kind == .random ? nil : "no other GIF · r: random GIF" }
        guard kind == .random || kind == .next && list.isAtLastShown, awaitsFeed, let connectionNote else { return nil }
        if kind == .random { list.stream?.retryNow() }
        return connectionNote
    }

    func mayEndWait(for prefetch: Prefetch) -> Bool {
        prefetch.nextItem != nil || shownCount == 0 || connectionNote != nil
    }

    /// Whether the next item of a feed is not ready, so that a message about the connection can follow.
    private var awaitsFeed: Bool { list.isFeed && prefetch?.isReady == false }

    /// The countdown to the next attempt to query the services; nil if there is a connection.
    private var connectionNote: String? {
        list.stream?.retryTime.map { ErrorMessages.noConnection(retryIn: ($0 - loader.health.now()).wholeSeconds) }
    }
}
