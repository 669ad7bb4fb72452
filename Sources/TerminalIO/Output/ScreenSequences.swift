import Glibc
import Playback

/// The control sequences that set up the screen and restore it.
enum ScreenSequences {
    static func enter(_ screen: PlaybackOptions.Screen) -> String {
        (screen == .full ? "\u{1B}[?1049h" : "") + "\u{1B}[?25l"
    }

    /// Makes the terminal report mouse buttons and the wheel, with positions in decimal numbers. To select text in the
    /// terminal, the user must then hold Shift.
    static let enablePointerReports = "\u{1B}[?1000h\u{1B}[?1006h"
    static let disablePointerReports = "\u{1B}[?1006l\u{1B}[?1000l"

    /// - Parameter wasCut: whether the output was truncated, possibly in the middle of a sequence. If so, CAN cancels
    ///   that sequence.
    static func leave(_ screen: PlaybackOptions.Screen, isSynchronized: Bool, wasCut: Bool) -> String {
        (wasCut ? "\u{18}" : "") + (isSynchronized ? endUpdate : "") + "\u{1B}[0m"
            + (wasCut && screen == .inline ? "\r\n" : "") + "\u{1B}[?25h" + (screen == .full ? "\u{1B}[?1049l" : "")
    }

    /// Whether the terminal understands queries. The Linux console prints the parts of a query that it does not know.
    static var isQueryUnderstood: Bool {
        guard let name = getenv("TERM") else { return false }
        return String(cString: name) != "linux"
    }

    /// The queries for the background colour, synchronized updates and DA1. The DA1 query is last, because every
    /// terminal replies to it.
    static let queries = "\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p" + attributesQuery
    /// The query for the primary device attributes (DA1). A terminal replies after it has displayed all output before
    /// the query.
    static let attributesQuery = "\u{1B}[c"

    static let beginUpdate = "\u{1B}[?2026h"
    static let endUpdate = "\u{1B}[?2026l"
    static let endUpdateAndQuery = endUpdate + attributesQuery
}
