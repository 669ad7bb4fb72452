import Glibc
import Pixels

/// The queries for the pixel graphics of the terminal. The query DA1, which detects sixels, is not one of them,
/// because gifplay sends it in every case.
enum GraphicsQueries {
    /// Returns queries for the size of a cell and of the text area in pixels (XTWINOPS 16 and 14) and for the largest
    /// sixel image (XTSMGRAPHICS). A request sets the number of colour registers to 256, because xterm has only 16 when
    /// it emulates a VT340. Two test images of one pixel detect the kitty protocol: the first image is part of the
    /// command, and the second one is in shared memory.
    ///
    /// Inside tmux, the test images are not sent, because tmux replies to DA1 itself. The reply to an image would
    /// arrive after the last expected reply, possibly in the shell.
    /// - Parameter memory: stores the second image, which the terminal deletes when it has read it.
    static func text(_ transport: KittyTransport = transport, memory: SharedMemory) -> String {
        let sizes = "\u{1B}[16t\u{1B}[14t\u{1B}[?1;3;256S\u{1B}[?2;1;0S"
        guard transport != .tmux else { return sizes }
        let pixel: [UInt8] = [0, 0, 0]
        let name = pixel.withUnsafeBytes { memory.store($0) }
        return sizes + test(31, medium: "d", pixel) + (name.map { test(32, medium: "s", Array($0.utf8)) } ?? "")
    }

    private static func test(_ image: Int, medium: String, _ data: [UInt8]) -> String {
        "\u{1B}_Gi=\(image),s=1,v=1,a=q,t=\(medium),f=24;\(String(decoding: Base64.encode(data), as: UTF8.self))\u{1B}\\"
    }

    /// The replies by which a terminal confirms that it can show the first and the second test image.
    static let replies: (image: String, sharedImage: String) = ("Gi=31;OK", "Gi=32;OK")

    static var transport: KittyTransport { getenv("TMUX") == nil ? .direct : .tmux }
}
