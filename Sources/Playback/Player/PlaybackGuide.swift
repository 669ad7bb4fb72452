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

    /// Copies or opens the GIF's page; nil where keys do nothing of the kind.
    public var link: (LinkAction) -> LinkResult?

    public init(
        note: @escaping () -> String? = { nil }, mayEnd: @escaping () -> Bool = { true },
        woken: @escaping () -> Void = {}, link: @escaping (LinkAction) -> LinkResult? = { _ in nil }
    ) {
        self.link = link
        self.note = note
        self.mayEnd = mayEnd
        self.woken = woken
    }
}
