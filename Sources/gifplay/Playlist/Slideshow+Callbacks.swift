import Pixels
import Playback

extension Slideshow {
    /// - Parameter mustWait: whether a time limit ends playback only when the next item is ready.
    func callbacks(for openItem: OpenItem, mustWait: Bool) -> PlaybackCallbacks {
        var callbacks = PlaybackCallbacks(
            note: { [weak self] in
                self?.markViewed(openItem)
                return self?.note(beside: openItem)
            },
            mayEnd: { [weak self] in !mustWait || self?.prefetch?.isReady ?? true },
            onWake: { [weak self] in self?.prefetch?.prepare() },
            perform: { [weak self] in
                self?.hasRefusedKey = false
                return self?.actions.perform($0, on: openItem.fetched)
            },
            actionOutcome: actions.takeOutcome, refuseSwitch: { [weak self] in self?.refusal(of: $0) })
        callbacks.refuseKey = { [weak self] in self?.refusal(of: $0) }
        callbacks.noteDrawing = { [weak self] in self?.drawing = $0 }
        callbacks.file = { openItem.fetched.bytes(limit: ITerm2Encoder.largestFile) }
        return callbacks
    }

    /// Adds the item to the history once. The first call comes half a second after its start, because opening the
    /// library would delay the first picture. A screensaver has no viewer.
    func markViewed(_ openItem: OpenItem) {
        guard !openItem.isViewed, !settings.player.anyKeyEnds else { return }
        openItem.isViewed = true
        actions.markViewed(openItem.item)
    }

    /// Returns the note about a key without a command, once for successive ones.
    private func refusal(of key: Key) -> String? {
        defer { hasRefusedKey = true }
        guard !hasRefusedKey else { return nil }
        let character: Character? = if case .character(let character) = key { character } else { nil }
        return language.sentence(.unknownKey(character))
    }
}
