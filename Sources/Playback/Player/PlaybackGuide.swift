/// Callbacks of the player to the code that supplies its frames. All of them run on the player's thread.
public struct PlaybackGuide {
    /// Returns a note about the download for the status line: "" for none at present, nil if no more notes will follow.
    ///
    /// Called twice a second, first half a second after the start.
    public var note: () -> String?
    /// Returns whether the GIF may end when its time is over. If not, playback continues and the player asks again
    /// after 100 ms.
    public var mayEnd: () -> Bool
    /// Called when another thread has woken the terminal.
    public var woken: () -> Void

    /// Starts to copy the link of the GIF's page or to open the page; returns nil if the keys have no effect.
    public var link: (LinkAction) -> LinkResult?
    /// Returns a message for the status line about a link action that has ended since the last call; nil if none has.
    /// Called when another thread has woken the terminal.
    public var linkOutcome: () -> String?

    public init(
        note: @escaping () -> String? = { nil }, mayEnd: @escaping () -> Bool = { true },
        woken: @escaping () -> Void = {}, link: @escaping (LinkAction) -> LinkResult? = { _ in nil },
        linkOutcome: @escaping () -> String? = { nil }
    ) {
        self.link = link
        self.linkOutcome = linkOutcome
        self.note = note
        self.mayEnd = mayEnd
        self.woken = woken
    }
}
