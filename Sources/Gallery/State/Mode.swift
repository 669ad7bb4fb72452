/// The input mode, which determines the meaning of keys.
indirect enum Mode: Equatable, Sendable {
    /// The search field has the keyboard focus.
    case typing
    case browsing
    /// The selected GIF fills the pane.
    case full(FullPicture)
    case help(firstLine: Int, over: Mode)

    /// The mode that the help overlay covers, or `self` if the help is not open.
    var below: Mode {
        if case .help(_, let mode) = self { mode.below } else { self }
    }

    var isFull: Bool {
        if case .full = below { true } else { false }
    }

    var isTyping: Bool { self == .typing }

    /// Returns this mode with `mode` in place of the full view, even if the help overlay covers the full view. If the
    /// full view is not open, returns this mode unchanged.
    func replacingFull(by mode: Mode) -> Mode {
        switch self {
        case .typing, .browsing: self
        case .full: mode
        case .help(let line, let below): .help(firstLine: line, over: below.replacingFull(by: mode))
        }
    }
}

/// The file that the full view shows.
enum FullPicture: Equatable, Sendable {
    /// The tile's small file, enlarged, while the original is loading.
    case small
    case original
    /// The tile's small file, because the original cannot be fetched or decoded.
    case onlySmall
}
