import Glibc
import Pixels
import Playback

/// The control sequences that set up the screen and restore it.
enum ScreenSequences {
    /// Sets up the screen. The last mode is bracketed paste, so that pasted text is not read as keys. The Linux console
    /// ignores modes that it does not know.
    static func enter(_ screen: PlaybackOptions.Screen) -> String {
        (screen == .full ? "\u{1B}[?1049h" : "") + "\u{1B}[?25l\u{1B}[?2004h"
    }

    /// Clears the screen, or enters or leaves the alternate screen.
    static func change(from old: PlaybackOptions.Screen, to new: PlaybackOptions.Screen) -> String {
        switch (old, new) {
        case (.inline, .full): "\u{1B}[0m\u{1B}[?1049h\u{1B}[?25l"
        case (.full, .inline): "\u{1B}[0m\u{1B}[?1049l\u{1B}[?25l"
        case (.full, .full), (.inline, .inline): "\u{1B}[0m\u{1B}[2J\u{1B}[?25l"
        }
    }

    /// Makes the terminal report mouse buttons and the wheel, with positions in decimal numbers. To select text in the
    /// terminal, the user must then hold Shift.
    static let enablePointerReports = "\u{1B}[?1000h\u{1B}[?1006h"
    static let disablePointerReports = "\u{1B}[?1006l\u{1B}[?1000l"

    /// Moves the cursor below the last line of the screen. Without an alternate screen (mosh, GNU Screen by default),
    /// the prompt would otherwise overwrite the picture. With an alternate screen, the move has no effect, because
    /// leaving that screen restores the cursor's position.
    private static let moveBelowScreen = "\u{1B}[9999H\n"

    /// - Parameters:
    ///   - wasCut: whether the output was truncated, possibly in the middle of a sequence. If so, CAN cancels that
    ///     sequence.
    ///   - isRepeated: whether the terminal may have received this sequence before. If so, the cursor does not move to
    ///     another line, because that could scroll the user's screen.
    static func leave(
        _ screen: PlaybackOptions.Screen, isSynchronized: Bool, wasCut: Bool, isRepeated: Bool = false
    ) -> String {
        (wasCut ? "\u{18}" : "") + (isSynchronized ? endUpdate : "") + "\u{1B}[?2004l\u{1B}[0m"
            + (wasCut && screen == .inline && !isRepeated ? "\r\n" : "")
            + (screen == .full && !isRepeated ? moveBelowScreen : "") + "\u{1B}[?25h"
            + (screen == .full ? "\u{1B}[?1049l" : "")
    }

    /// Returns the queries for the background colour, synchronized updates and DA1, and optionally for colours and
    /// pixel graphics. The DA1 query is last, because every terminal replies to it.
    /// - Parameter testMemory: stores a test image; nil to send no queries for pixel graphics.
    static func queries(detectsColors: Bool = false, testMemory: SharedMemory? = nil) -> String {
        (detectsColors ? colorQueries : "") + "\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p"
            + (testMemory.map { GraphicsQueries.text(memory: $0) } ?? "") + attributesQuery
    }

    /// The queries for 24-bit colours: the terminfo capability RGB (XTGETTCAP), and the foreground after an attempt to
    /// set it to a 24-bit colour (DECRQSS).
    static let colorQueries = "\u{1B}P+q524742\u{1B}\\\u{1B}[38:2::1:2:3m\u{1B}P$qm\u{1B}\\\u{1B}[0m"
    /// The query for the primary device attributes (DA1). A terminal replies after it has displayed all earlier output.
    static let attributesQuery = "\u{1B}[c"

    static let beginUpdate = "\u{1B}[?2026h"
    static let endUpdate = "\u{1B}[?2026l"
    static let endUpdateAndQuery = endUpdate + attributesQuery
}

/// The queries for the pixel graphics of the terminal. The query DA1, which detects sixels, is not one of them,
/// because gifplay sends it in every case.
enum GraphicsQueries {
    /// Returns queries for the size of a cell and of the text area in pixels (XTWINOPS 16 and 14) and for the largest
    /// sixel image in any window (XTSMGRAPHICS), and for the name of the terminal (XTVERSION). A request sets the number
    /// of colour registers to 256, because xterm has only 16 when it emulates a VT340. Two test images of one pixel
    /// detect the kitty protocol: the first image is part of the command, and the second one is in shared memory. A third
    /// one gets a second frame, to detect animations.
    ///
    /// Inside tmux, the test images are not sent, because tmux replies to DA1 itself. The reply to an image would
    /// arrive after the last expected reply, possibly in the shell. tmux reports its own name.
    /// - Parameter memory: stores the second image, which the terminal deletes when it has read it; nil to omit it.
    static func text(_ transport: KittyTransport = transport, memory: SharedMemory?) -> String {
        let sizes = "\u{1B}[16t\u{1B}[14t\u{1B}[?1;3;256S\u{1B}[?2;4;0S"
        guard transport != .tmux else { return sizes }
        let pixel: [UInt8] = [0, 0, 0]
        let name = memory.flatMap { memory in pixel.withUnsafeBytes { memory.store($0) } }
        return sizes + "\u{1B}[>q" + test(31, medium: "d", pixel)
            + (name.map { test(32, medium: "s", Array($0.utf8)) } ?? "") + animationTest
    }

    /// Stores an image, adds a frame to it, for which alone the terminal replies, and deletes it. Its number is
    /// unlikely to be in use.
    private static let animationTest = ["a=t,q=2,f=24,s=1,v=1;AAAA", "a=f,f=24,s=1,v=1;AAAA", "a=d,d=I,q=2"]
        .map { "\u{1B}_Gi=6777190,\($0)\u{1B}\\" }.joined()

    private static func test(_ image: Int, medium: String, _ data: [UInt8]) -> String {
        "\u{1B}_Gi=\(image),s=1,v=1,a=q,t=\(medium),f=24;\(String(decoding: Base64.encode(data), as: UTF8.self))\u{1B}\\"
    }

    /// The replies by which a terminal confirms that it can show the first and the second test image, and that the third
    /// one has two frames. A terminal that takes the frame for an image does not reply with its number.
    static let replies = (image: "Gi=31;OK", sharedImage: "Gi=32;OK", frame: "Gi=6777190,r=2;OK")

    static var transport: KittyTransport { getenv("TMUX") == nil ? .direct : .tmux }
}
