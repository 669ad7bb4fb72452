import FoundationEssentials
import Playback
import TerminalIO

/// Copies and opens the page of the GIF that plays. What takes another program is done by `gifplay-browser`.
struct PageLink {
    /// Nil for what has no page, such as a file.
    let address: String?

    func use(_ action: LinkAction) -> LinkResult {
        guard let address else { return LinkResult(note: "it has no page of its own") }
        let environment = ProcessInfo.processInfo.environment
        switch action {
        case .copy:
            // The desktop's programs as well, since no terminal answers whether it took the text.
            let isStarted = Browser.start(["share", "copy", address])
            let sequence = ClipboardSequence.bytes(address, environment: environment) ?? []
            return LinkResult(sequence: sequence, note: isStarted ? "link copied" : "link copied to the terminal")
        case .open:
            guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
                return LinkResult(note: "no screen for a browser here; the link is \(address)")
            }
            let isStarted = Browser.start(["share", "open", address])
            return LinkResult(note: isStarted ? "opened in the browser" : "not opened: gifplay-browser is missing")
        }
    }
}
