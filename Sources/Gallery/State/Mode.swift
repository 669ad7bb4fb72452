import Base
import Catalog

/// What keys mean at the moment.
indirect enum Mode: Equatable, Sendable {
    /// The search field has the keys.
    case typing
    case browsing
    /// The selected GIF fills the pane.
    case full(FullPicture)
    case help(firstLine: Int, over: Mode)

    /// Without what is laid over it.
    var below: Mode {
        if case .help(_, let mode) = self { mode.below } else { self }
    }

    var isFull: Bool {
        if case .full = below { true } else { false }
    }

    var isTyping: Bool { self == .typing }
}

/// What the full view has of its GIF.
enum FullPicture: Equatable, Sendable {
    /// The one of the gallery, enlarged.
    case small
    case original
    /// The one of the gallery, because the original cannot be had.
    case onlySmall
}

/// Whether the words in the field were acted upon.
enum Typing: Equatable, Sendable {
    case settled
    /// They are searched unless more is typed before.
    case due(at: Instant)

    var deadline: Instant? {
        if case .due(let moment) = self { moment } else { nil }
    }
}

/// What comes by itself while nobody touches anything.
enum Screensaver: Equatable, Sendable {
    /// Words were typed, or something is being looked at.
    case off
    case due(at: Instant)
    /// Waits for the answer, with the one before still playing if there was one.
    case asking(ticket: Int, shown: GIFReference?)
    case showing(GIFReference, until: Instant)

    var shown: GIFReference? {
        switch self {
        case .off, .due: nil
        case .asking(_, let shown): shown
        case .showing(let reference, _): reference
        }
    }

    var deadline: Instant? {
        switch self {
        case .off, .asking: nil
        case .due(let moment), .showing(_, let moment): moment
        }
    }
}

/// A sentence in the status line, and until when.
enum Notice: Equatable, Sendable {
    case none
    case standing(Saying, until: Instant)

    static let span = 4 * Span.second

    var deadline: Instant? {
        if case .standing(_, let moment) = self { moment } else { nil }
    }

    var saying: Saying? {
        if case .standing(let saying, _) = self { saying } else { nil }
    }
}

/// What the status line can say for a moment.
enum Saying: Hashable, Sendable {
    case told(Message)
    case saving
    case favourite(Bool)
    case dismissed(Int)
    case restored(Int)
    case nothingToUndo
    case noPage
    case first
    case last

    /// Whether it is about the services and not about what the user just did.
    var isOfServices: Bool {
        switch self {
        case .told(.keyRefused), .told(.contactWanted): true
        default: false
        }
    }
}
