import Application
import Base
import FoundationEssentials
import Gallery
import Playback
import Sharing

/// Copies the address of the current GIF's web page, or opens the page.
struct PageLink {
    /// If opening took longer, the web browser ran in the foreground until the user closed it; no message is needed.
    private static let openingSpan = 10 * Span.second

    /// Nil if the GIF has no page, for example because it is a file.
    let address: String?
    let language: Language
    /// Called on another thread, with a message for the status line, when the page has been opened or cannot be opened.
    let report: @Sendable (String) -> Void
    var willCopy: @Sendable () -> Void = {}

    func perform(_ action: LinkAction) -> LinkResult {
        result(of: action, environment: ProcessInfo.processInfo.environment)
    }

    func result(of action: LinkAction, environment: [String: String]) -> LinkResult {
        guard let address else { return LinkResult(note: language.sentence(.noPage)) }
        switch action {
        case .copy:
            willCopy()
            // Terminals do not confirm a copy, so also use a clipboard program such as wl-copy.
            let clipboard = Clipboard(environment: environment)
            guard let sequence = clipboard.sequence(address) else {
                return LinkResult(note: language.sentence(.copyFailed))
            }
            let programs = clipboard.start(address)
            for program in programs { program.whenEnded { _ in } }
            return LinkResult(
                sequence: sequence,
                note: programs.isEmpty
                    ? language(en: "link copied by the terminal", de: "Link vom Terminal kopiert")
                    : language.sentence(.linkCopied))
        case .open:
            do throws(SharingError) {
                let start = Instant.monotonic
                try LinkOpener(environment: environment).start(address).whenEnded { [report, language] failure in
                    if let failure {
                        report(language.sentence(.openFailed(failure)))
                    } else if Instant.monotonic - start < Self.openingSpan {
                        report(language.sentence(.opened))
                    }
                }
                return LinkResult(note: language.sentence(.opening))
            } catch {
                if case .noDisplay = error { return LinkResult(note: language.sentence(error)) }
                return LinkResult(note: language.sentence(.openFailed(error)))
            }
        }
    }
}
