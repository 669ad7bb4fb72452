/// Callbacks of the player to the code that supplies its frames. All of them run on the player's thread.
public struct PlaybackCallbacks {
    /// Returns a note about the download for the status line: "" for none at present, nil if no more notes will follow.
    ///
    /// Called twice a second, first half a second after the start.
    public var note: () -> String?
    /// Returns whether the GIF may end when its time is over. If not, playback continues and the player repeats
    /// the call after 100 ms.
    public var mayEnd: () -> Bool
    /// Called when another thread has woken the terminal.
    public var onWake: () -> Void

    /// Starts to copy the link of the GIF's page or to open the page; returns nil if the keys have no effect.
    public var performLinkAction: (LinkAction) -> LinkResult?
    /// Returns a message for the status line about a link action that has ended since the last call; nil if none has.
    /// Called when another thread has woken the terminal.
    public var linkOutcome: () -> String?

    public init(
        note: @escaping () -> String? = { nil }, mayEnd: @escaping () -> Bool = { true },
        onWake: @escaping () -> Void = {}, performLinkAction: @escaping (LinkAction) -> LinkResult? = { _ in nil },
        linkOutcome: @escaping () -> String? = { nil }
    ) {
        self.performLinkAction = performLinkAction
        self.linkOutcome = linkOutcome
        self.note = note
        self.mayEnd = mayEnd
        self.onWake = onWake
    }
}
