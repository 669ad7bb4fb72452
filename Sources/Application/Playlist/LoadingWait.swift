import Base
import Catalog
import Pixels
import Playback

/// The wait between two GIFs, or before the first one, during which gifplay still handles keys and signals.
struct LoadingWait {
    private static let textDelay = 300 * Span.millisecond

    let terminal: any PlaybackTerminal
    let options: PlaybackOptions
    var language = Language.english
    /// Its latest download can have a reason for the wait.
    var loader: (any ItemLoading)?
    /// Handles the input if this is the screensaver of the gallery.
    var screensaver: (any PlayerDelegate)?

    /// Waits until `condition` returns true. A thread that changes the result of `condition` must wake the terminal.
    /// With `--inline`, removes the waiting text at the end.
    /// - Parameters:
    ///   - usualText: the text to show if the wait takes longer than 300 ms; nil for "loading…".
    ///   - timeout: the longest wait in nanoseconds; nil for no limit.
    /// - Returns: the event that ended the wait early; nil if the condition is true or the timeout has passed.
    func wait(
        for condition: () -> Bool, _ usualText: @autoclosure () -> String?, timeout: Int64? = nil
    ) -> PlaybackEnd? {
        var waitingText = ""
        let end = timeout.map { terminal.now + $0 }
        var deadline: Instant? = terminal.now + Self.textDelay
        var (isTextPending, isShown) = (false, false)
        defer { if isShown, options.screen == .inline, options.showsStatus { present("\r\u{1B}[K") } }
        while !condition() {
            switch terminal.wait(until: .earliest(deadline, end)) {
            case .deadline:
                if let end, terminal.now >= end { return nil }
                deadline = loader == nil ? nil : terminal.now + Span.second
                let text =
                    DownloadNote.waiting(loader?.latestDownload, in: language) ?? usualText()
                    ?? language(en: "loading…", de: "lädt …")
                if text != waitingText { isTextPending = !show(text) }
                (waitingText, isShown) = (text, true)
            case .key(.control("c")): return .interrupted(signal: 2)
            case let event where screensaver != nil && event.isInput: return screensaver?.handle(event)
            case .key(.character("q")), .key(.escape): return .quit
            case .key(.character("/")) where !options.anyKeyEnds: return .browse
            case .key, .paste: if options.anyKeyEnds { return .quit }
            case .signal(let number): return .interrupted(signal: number)
            case .closed: return .closed
            case .changed, .resumed: if isShown { isTextPending = !show(waitingText) }
            case .drained: if isTextPending { isTextPending = !show(waitingText) }
            case .wake, .pointer: break
            }
        }
        return nil
    }

    /// - Returns: false if the terminal has not accepted the previous output yet. More would accumulate in memory.
    private func show(_ waitingText: String) -> Bool {
        guard options.showsStatus else { return true }
        guard terminal.isDrained else { return false }
        let size = terminal.traits.size
        let text = TerminalText.fitted(SafeText.line(waitingText), to: max(0, size.columns - 1))
        present((options.screen == .inline ? "\r" : "\u{1B}[\(size.rows);H") + "\u{1B}[0;2m\(text)\u{1B}[0m\u{1B}[K\r")
        return true
    }

    private func present(_ text: String) {
        var text = text
        text.withUTF8 { terminal.present(UnsafeRawBufferPointer($0), UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
}

extension TerminalEvent {
    /// Whether the user has caused the event.
    fileprivate var isInput: Bool {
        switch self {
        case .key, .pointer, .paste: true
        default: false
        }
    }
}
