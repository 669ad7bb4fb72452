import TerminalIO

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

    /// Starts an action on the GIF. Returns nil if the action is not available.
    public var perform: (ItemAction) -> ActionResult?
    /// Returns the outcome of an action that has ended since the last call; nil if there is no such action. Called after
    /// another thread has called ``PlaybackTerminal/waker``.
    public var actionOutcome: () -> ActionResult?
    /// Returns the note about a key without a command; nil for none.
    public var refuseKey: (Key) -> String? = { _ in nil }
    /// Called when the user has chosen another drawing, which the next GIFs should have, too.
    public var noteDrawing: (Drawing) -> Void = { _ in }

    /// Returns the note for the status line if there is no other item to play; nil if there is one.
    public var refuseSwitch: (PlaybackEnd.ItemSwitch) -> String?

    /// Returns the bytes of the GIF; nil if they cannot be read again. Called after the first loop iteration, if the
    /// terminal plays GIF files by itself.
    public var file: () -> [UInt8]? = { nil }

    public init(
        note: @escaping () -> String? = { nil }, mayEnd: @escaping () -> Bool = { true },
        onWake: @escaping () -> Void = {}, perform: @escaping (ItemAction) -> ActionResult? = { _ in nil },
        actionOutcome: @escaping () -> ActionResult? = { nil },
        refuseSwitch: @escaping (PlaybackEnd.ItemSwitch) -> String? = { _ in nil }
    ) {
        self.refuseSwitch = refuseSwitch
        self.perform = perform
        self.actionOutcome = actionOutcome
        self.note = note
        self.mayEnd = mayEnd
        self.onWake = onWake
    }
}

public struct ActionResult: Equatable, Sendable {
    /// Bytes that are sent to the terminal to set its clipboard; empty for none.
    public var sequence: [UInt8]
    /// The message that the status line shows for five seconds; empty if the outcome follows later.
    public var note: String
    /// Whether the next GIF starts now, if there is one.
    public var showsNext: Bool

    public init(sequence: [UInt8] = [], note: String = "", showsNext: Bool = false) {
        (self.sequence, self.note, self.showsNext) = (sequence, note, showsNext)
    }
}
