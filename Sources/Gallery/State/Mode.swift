import Base
import Catalog

/// The input mode, which determines the meaning of keys.
indirect enum Mode: Equatable, Sendable {
    /// The search field has the keyboard focus.
    case typing
    case browsing
    /// The selected GIF fills the pane.
    case full(FullPicture)
    case help(firstLine: Int, over: Mode)

    /// The mode below the help overlay; the mode itself if there is no overlay.
    var below: Mode {
        if case .help(_, let mode) = self { mode.below } else { self }
    }

    var isFull: Bool {
        if case .full = below { true } else { false }
    }

    var isTyping: Bool { self == .typing }
}

/// The file that the full view shows.
enum FullPicture: Equatable, Sendable {
    /// The small file of the gallery, enlarged, while the original is loading.
    case small
    case original
    /// The small file of the tile. The original cannot be fetched or decoded.
    case onlySmall
}

/// The schedule of the search for the typed query.
enum SearchSchedule: Equatable, Sendable {
    case unscheduled
    /// The search starts at this time, unless the user changes the query earlier.
    case due(at: Instant)

    var deadline: Instant? {
        if case .due(let moment) = self { moment } else { nil }
    }
}

/// The state of the screensaver, which shows random GIFs while there is no input.
enum Screensaver: Equatable, Sendable {
    /// The screensaver cannot start, for example because the search field is not empty or the full view is open.
    case off
    case due(at: Instant)
    /// A random GIF was requested and has not arrived yet. `shown` is the previous random GIF, which keeps playing; nil
    /// if there is none.
    case loading(ticket: Int, shown: GIFReference?)
    case showing(GIFReference, until: Instant)

    var shown: GIFReference? {
        switch self {
        case .off, .due: nil
        case .loading(_, let shown): shown
        case .showing(let reference, _): reference
        }
    }

    var deadline: Instant? {
        switch self {
        case .off, .loading: nil
        case .due(let moment), .showing(_, let moment): moment
        }
    }
}

/// The message in the status line, if any, and the time at which it disappears.
enum StatusNotice: Equatable, Sendable {
    case none
    case shown(StatusMessage, until: Instant)

    static let duration = 4 * Span.second

    var deadline: Instant? {
        if case .shown(_, let moment) = self { moment } else { nil }
    }

    var message: StatusMessage? {
        if case .shown(let message, _) = self { message } else { nil }
    }
}

/// A temporary message of the status line.
enum StatusMessage: Hashable, Sendable {
    case reported(GalleryMessage)
    case saving
    case favourite(Bool)
    case dismissed(Int)
    case restored(Int)
    case nothingToUndo
    case noPage
    case first
    case last

    /// Whether the message is about a service and not about the user's last action.
    var isAboutService: Bool {
        switch self {
        case .reported(.keyRefused), .reported(.contactRequired): true
        default: false
        }
    }
}
