import Base
import Catalog
import Gallery
import Glibc
import Pixels
import Playback

/// The notes on the status line, such as the outcome of a link action.
extension Slideshow {
    var language: Language { session.settings.screenLanguage }

    /// The number of the first image of a GIF, in 24 bits. Every process and every GIF uses other numbers. An inline
    /// picture remains visible while the next GIF plays, so its numbers must not be reused.
    var firstImage: Int {
        (Int(getpid()) & 0x3FF | 0x400) << 13 | shownCount * KittyEncoder.imageCount & 0x1FFF
    }

    func note(beside openItem: OpenItem) -> String? {
        if let note = session.notices.current().map(language.statusNote) ?? connectionNote { return note }
        if let problem = list.search?.feed?.problem { return problem }
        if let staleness = openItem.fetched.staleness { return language.note(staleness) }
        let refusal = graphicsNote()
        if let refusal, !refusal.isEmpty { return refusal }
        // A terminal that does not report its graphics must not hide the progress of the download.
        return DownloadNote.text(openItem.fetched.download, in: language) ?? graphicsHint() ?? refusal
            ?? (awaitsFeed || waitsForItems ? "" : nil)
    }

    /// Why the terminal does not show the graphics that the user chose.
    var graphicsRefusal: String? { terminal.traits.graphics.refusal(of: settings.player.graphics, in: language) }

    /// The refusal for the first five seconds after it is known; "" while it is not known.
    private func graphicsNote() -> String? {
        guard case .only = settings.player.graphics, let awaited = terminal.traits.graphics.awaited,
            refusalEnd.map({ terminal.now < $0 }) ?? true
        else { return nil }
        guard awaited.isEmpty else { return "" }
        refusalEnd = refusalEnd ?? terminal.now + 5 * Span.second
        return graphicsRefusal
    }

    /// Once per start and for five seconds, names the key that chooses the graphics of the terminal. "" until the terminal
    /// has reported them.
    private func graphicsHint() -> String? {
        let graphics = terminal.traits.graphics
        guard settings.player.graphics == .off, settings.player.showsKeyHint else { return nil }
        guard graphics.isUsable else { return graphics.awaited?.isEmpty == false ? "" : nil }
        graphicsHintEnd = graphicsHintEnd ?? terminal.now + 5 * Span.second
        return graphicsHintEnd.map { terminal.now < $0 } == true ? language.sentence(.sharperPictures) : nil
    }

    /// The note in place of a switch to an item that does not exist, or that cannot be loaded without a connection.
    func refusal(of kind: PlaybackEnd.ItemSwitch) -> String? {
        if kind == .reload {
            guard waitsForItems, shownItem?.needsDownload == true else { return nil }
            // The picture stays until its server has sent another one.
            list.search?.feed?.retryNow()
            return language(en: "loading…", de: "lädt …")
        }
        if list.isSingle {
            guard kind != .random else { return nil }
            return language(en: "no other GIF · r: random GIF", de: "kein anderes GIF · r: zufälliges GIF")
        }
        if waitsForItems, kind != .previous, list.isAtLastShown, prefetch?.isReady != true {
            return language(en: "no newer GIF", de: "kein neueres GIF")
        }
        guard kind == .random || kind == .next && list.isAtLastShown, awaitsFeed, let connectionNote else { return nil }
        if kind == .random { list.search?.feed?.retryNow() }
        return connectionNote
    }

    func mayEndWait(for prefetch: Prefetch) -> Bool {
        prefetch.nextItem != nil || shownCount == 0 || connectionNote != nil
    }

    /// Whether items arrive at any time, and the present one stays until then.
    var waitsForItems: Bool { list.search?.feed?.waitsForItems == true }

    /// Whether the next item of a feed is not ready, so that a message about the connection can follow.
    private var awaitsFeed: Bool {
        list.isFeed && !waitsForItems && prefetch?.isReady == false
    }

    /// Nil if there is a connection, or if nothing waits for it.
    private var connectionNote: String? {
        list.search?.feed?.retryTime.map { _ in
            language(en: "no network; r tries again", de: "kein Netz; r: neuer Versuch")
        }
    }
}

extension PlaybackEnd {
    /// Whether the GIF was on the screen.
    var hasShown: Bool {
        switch self {
        case .failed, .still: false
        default: true
        }
    }
}

extension Language {
    /// How old a stored GIF is, and why it is played.
    func note(_ staleness: FetchedItem.Staleness) -> String {
        let age = staleness.seconds.map(age).map { self(en: "stored \($0)", de: "\($0) gespeichert") }
        let reason = staleness.reason?.withoutWait.text.line
        return (age ?? self(en: "stored earlier", de: "früher gespeichert")) + (reason.map { " · \($0)" } ?? "")
    }

    func statusNote(_ notice: Notices.Notice) -> String {
        self(en: ErrorMessages.describe(notice), de: sentence(GalleryMessage(notice)))
    }
}

extension Slideshow {
    /// - Parameter mustWait: whether a time limit ends playback only when the next item is ready.
    func callbacks(for openItem: OpenItem, mustWait: Bool) -> PlaybackCallbacks {
        var callbacks = PlaybackCallbacks(
            note: { [weak self] in
                self?.markViewed(openItem)
                return self?.note(beside: openItem)
            },
            mayEnd: { [weak self] in !mustWait || self?.prefetch?.isReady ?? true },
            onWake: { [weak self] in self?.prefetch?.prepare() },
            perform: { [weak self] in self?.actions.perform($0, on: openItem.fetched) },
            actionOutcome: actions.takeOutcome, refuseSwitch: { [weak self] in self?.refusal(of: $0) })
        callbacks.refuseKey = { [language] key in
            let character: Character? = if case .character(let character) = key { character } else { nil }
            return language.sentence(.unknownKey(character))
        }
        callbacks.forward = { [forward] event in event == .wake ? nil : forward?(event) }
        callbacks.noteDrawing = { [weak self] in self?.drawing = $0 }
        callbacks.file = { openItem.fetched.bytes(limit: ITerm2Encoder.largestFile) }
        return callbacks
    }

    /// Adds the item to the history once. The first call comes half a second after its start, because opening the
    /// library would delay the first picture. A screensaver has no viewer.
    func markViewed(_ openItem: OpenItem) {
        guard !openItem.isViewed, !settings.player.anyKeyEnds, forward == nil else { return }
        openItem.isViewed = true
        actions.markViewed(openItem.item)
    }

}

/// What a slideshow reports on standard error at its end.
struct SlideshowReport {
    /// Items that could not be played.
    var failures: [String] = []
    /// Other failures: downloads that ended early, and a gallery that could not be opened.
    var errors: [String] = []
    /// Defects and losses that do not change the exit status, such as the damage of a file that was played anyway.
    var remarks: [String] = []

    var isFailure: Bool { !(failures.isEmpty && errors.isEmpty) }
    var messages: [String] { failures + errors + remarks }

    /// Once for each file.
    mutating func add(_ damage: [Damage], frames: Int, of item: GIFReference) {
        guard let remark = ErrorMessages.remark(on: damage, frames: frames) else { return }
        let line = "\(item.name): \(remark)"
        if !remarks.contains(line) { remarks.append(line) }
    }
}

/// The wait between two GIFs, or before the first one, during which gifplay still handles keys and signals.
struct LoadingWait {
    private static let textDelay = 300 * Span.millisecond

    private let terminal: any PlaybackTerminal
    private let options: PlaybackOptions
    private let language: Language
    /// Its latest download can have a reason for the wait.
    private let loader: (any ItemLoading)?
    /// See ``Slideshow/forward``.
    private let forward: ((TerminalEvent) -> PlaybackEnd?)?

    init(
        _ terminal: any PlaybackTerminal, _ options: PlaybackOptions, _ language: Language = .english,
        loader: (any ItemLoading)? = nil, forward: ((TerminalEvent) -> PlaybackEnd?)? = nil
    ) {
        self.terminal = terminal
        self.options = options
        self.language = language
        self.loader = loader
        self.forward = forward
    }

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
            case let event where forward != nil && event.isInput: return forward?(event)
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
