import Base
import FoundationEssentials
import Playback
import TerminalIO

/// Copies and opens the page of the GIF that plays. `gifplay-browser` starts the programs that this needs.
struct PageLink {
    /// A browser that stayed in the foreground for longer was closed by the user, which is not worth a message.
    private static let openingSpan = 10 * Span.second

    /// Nil if the GIF has no page, as a file.
    let address: String?
    /// Receives a sentence when the page is open or cannot be opened, on another thread.
    let report: @Sendable (String) -> Void

    func use(_ action: LinkAction) -> LinkResult {
        guard let address else { return LinkResult(note: "it has no page of its own") }
        let environment = ProcessInfo.processInfo.environment
        switch action {
        case .copy:
            // The desktop's programs as well, since no terminal answers whether it took the text.
            let isStarted = Browser.start(["share", "copy", address]) { _, _ in }
            let sequence = ClipboardSequence.bytes(address, environment: environment) ?? []
            return LinkResult(sequence: sequence, note: isStarted ? "link copied" : "link copied to the terminal")
        case .open:
            guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
                return LinkResult(note: "no screen for a browser here; the link is \(address)")
            }
            let start = Instant.monotonic
            let isStarted = Browser.start(["share", "open", address]) { [report] isSuccess, message in
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
