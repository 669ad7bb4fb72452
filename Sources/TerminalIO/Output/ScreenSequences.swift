import Glibc
import Playback

/// What is written to take a screen and to give it back.
enum ScreenSequences {
    static func enter(_ screen: PlaybackOptions.Screen) -> String {
        (screen == .full ? "\u{1B}[?1049h" : "") + "\u{1B}[?25l"
    }

    /// Presses and the wheel, told in decimal numbers; the terminal's own selection then needs Shift.
    static let tellPointer = "\u{1B}[?1000h\u{1B}[?1006h"
    static let untellPointer = "\u{1B}[?1006l\u{1B}[?1000l"

    /// - Parameter wasCut: the terminal may stand in the middle of a sequence: CAN ends it.
    static func leave(_ screen: PlaybackOptions.Screen, isSynchronized: Bool, wasCut: Bool) -> String {
        (wasCut ? "\u{18}" : "") + (isSynchronized ? endUpdate : "") + "\u{1B}[0m"
            + (wasCut && screen == .inline ? "\r\n" : "") + "\u{1B}[?25h" + (screen == .full ? "\u{1B}[?1049l" : "")
    }

    /// The Linux console prints what it does not know of a query.
    static var isQueryUnderstood: Bool {
        guard let name = getenv("TERM") else { return false }
        return String(cString: name) != "linux"
    }

    /// Background colour, synchronized updates, and, answered last by every terminal, what it is.
    static let queries = "\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p" + attributesQuery
    /// Answered when the terminal comes to it: then it has shown what stands before.
    static let attributesQuery = "\u{1B}[c"

    static let beginUpdate = "\u{1B}[?2026h"
    static let endUpdate = "\u{1B}[?2026l"
    static let endUpdateAndAsk = endUpdate + attributesQuery
}
