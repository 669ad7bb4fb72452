import Base
import FoundationEssentials
import Playback
import TerminalIO

/// Copies the address of the current GIF's web page, or opens the page. `gifplay-browser` starts the clipboard program
/// or the web browser.
struct PageLink {
    /// If opening a page took longer than this, the web browser ran in the foreground and the user has closed it, so no
    /// message is needed.
    private static let openingSpan = 10 * Span.second

    /// The address of the page; nil if the GIF has no page, for example because it is a file.
    let address: String?
    /// Called on another thread, with a message for the status line, when the page has been opened or cannot be opened.
    let report: @Sendable (String) -> Void

    func perform(_ action: LinkAction) -> LinkResult {
        result(of: action, environment: ProcessInfo.processInfo.environment)
    }

    func result(of action: LinkAction, environment: [String: String]) -> LinkResult {
        guard let address else { return LinkResult(note: "this GIF has no page") }
        switch action {
        case .copy:
            // Terminals do not confirm that they copied the text, so also copy it with a clipboard program such
            // as wl-copy.
            let isStarted = BrowserProgram.start(["share", "copy", address]) { _, _ in }
            let sequence = ClipboardSequence.bytes(address, environment: environment) ?? []
            return LinkResult(sequence: sequence, note: isStarted ? "link copied" : "link copied by the terminal")
        case .open:
            guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
                return LinkResult(note: "no display for a browser; the link is \(address)")
            }
            let start = Instant.monotonic
            let isStarted = BrowserProgram.start(["share", "open", address]) { [report] isSuccess, message in
                if !isSuccess {
                    report("not opened: \(message)")
                } else if Instant.monotonic - start < Self.openingSpan {
                    report("opened in the browser")
                }
            }
            return LinkResult(note: isStarted ? "opening in the browser…" : "not opened: gifplay-browser is missing")
        }
    }
}
