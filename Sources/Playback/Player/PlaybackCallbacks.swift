/// Functions that the player calls on its own thread. The code that starts the player provides them.
public struct PlaybackCallbacks {
    /// Returns a note about the download for the status line: "" for none at present, nil if no more notes will follow.
    ///
    /// Called twice a second. The first call comes half a second after the start.
    public var note: () -> String?
    /// Returns whether playback may end now that a time limit is reached. If the result is false, playback continues
    /// and the player calls this function again after ``onWake``.
    public var mayEnd: () -> Bool
    /// Called after another thread has called ``PlaybackTerminal/waker``.
    public var onWake: () -> Void

    /// Starts a link action. Returns nil if the action is not available.
    public var performLinkAction: (LinkAction) -> LinkResult?
    /// Returns a message for the status line about a link action that has ended since the last call; nil if there is no
    /// such action. Called after another thread has called ``PlaybackTerminal/waker``.
    public var linkOutcome: () -> String?

    /// Returns the note for the status line if there is no other item to play; nil if there is one.
    public var refuseSwitch: (PlaybackEnd.ItemSwitch) -> String?

    /// Returns the bytes of the GIF; nil if they cannot be read again. Called after the first loop iteration, if the
    /// terminal plays GIF files by itself.
    public var file: () -> [UInt8]? = { nil }

    public init(
        note: @escaping () -> String? = { nil }, mayEnd: @escaping () -> Bool = { true },
        onWake: @escaping () -> Void = {}, performLinkAction: @escaping (LinkAction) -> LinkResult? = { _ in nil },
        linkOutcome: @escaping () -> String? = { nil },
        refuseSwitch: @escaping (PlaybackEnd.ItemSwitch) -> String? = { _ in nil }
    ) {
        self.refuseSwitch = refuseSwitch
        self.performLinkAction = performLinkAction
        self.linkOutcome = linkOutcome
        self.note = note
        self.mayEnd = mayEnd
        self.onWake = onWake
    }
}

/// An action on the link of the GIF's page, which a key starts.
public enum LinkAction: Sendable {
    case copy
    case open
}

public struct LinkResult: Equatable, Sendable {
    /// Bytes that are sent to the terminal to set its clipboard; empty for none.
    public var sequence: [UInt8]
    /// The message that the status line shows for five seconds.
    public var note: String

    public init(sequence: [UInt8] = [], note: String) {
        self.sequence = sequence
        self.note = note
    }
}
