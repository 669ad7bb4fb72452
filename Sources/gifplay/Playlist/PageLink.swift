import Application
import FoundationEssentials
import Playback
import Sharing

/// Copies and opens the page of the GIF that plays.
struct PageLink {
    /// Nil for what has no page, such as a file.
    let address: String?

    func use(_ action: LinkAction) -> LinkResult {
        guard let address else { return LinkResult(note: "it has no page of its own") }
        let environment = ProcessInfo.processInfo.environment
        switch action {
        case .copy:
            let clipboard = Clipboard(environment: environment)
            // The programs of the desktop may take a while; the terminal's own clipboard does not.
            Task.detached { await clipboard.copy(address) }
            return LinkResult(sequence: clipboard.sequence(address) ?? [], note: "link copied")
        case .open:
            do throws(SharingError) {
                try Opener(environment: environment).open(address)
                return LinkResult(note: "opened in the browser")
            } catch {
                return LinkResult(note: "not opened: \(Sentences.describe(error))")
            }
        }
    }
}
