/// What whoever feeds the player may say and ask while it plays. All of it runs on the player's thread.
public struct PlaybackGuide {
    /// What is going on with the bytes, for the status line: "" for nothing now, nil once nothing more will be said.
    ///
    /// Asked twice a second, from half a second after the start.
    public var note: () -> String?
    /// Whether the GIF may end at its time. While not, it goes on playing and is asked again soon.
    public var mayEnd: () -> Bool
    /// Called when another thread has woken the terminal.
    public var woken: () -> Void

    /// Starts to copy or open the GIF's page; nil if the keys do nothing.
    public var link: (LinkAction) -> LinkResult?
    /// Takes the sentence about a link action that has ended since, for the status line. Asked when another thread has
    /// woken the terminal.
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
