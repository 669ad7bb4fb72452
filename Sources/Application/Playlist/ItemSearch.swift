import Base
import Catalog
import Gallery
import Pixels
import Playback

/// Finds the next item of a slideshow on another thread, and begins to decode it. Deallocation cancels the search.
final class ItemSearch {
    enum State {
        case searching
        case nothingFound
        /// The item can be displayed without waiting, or has failed to open.
        case ready
    }

    let request: ItemRequest
    private let search: BackgroundValue<NextItem>
    private let progress: Monitor<NextItem>
    /// Ends when the search may begin.
    private let start = AsyncStream<Void>.makeStream()
    private let work: any SlideshowWork
    private let rule: LoopRule
    private(set) var openItem: Result<OpenItem, GIFError>?

    /// - Parameter present: the download of the present item. The search begins when it ends or when ``startNow()`` is
    ///   called; without a download, immediately.
    init(
        _ request: ItemRequest, after present: Download?, loader: any ItemLoading, work: any SlideshowWork,
        _ rule: LoopRule
    ) {
        (self.request, self.work, self.rule) = (request, work, rule)
        progress = Monitor(NextItem(candidates: request.candidates.count, remaining: request.candidates))
        search = work.search { [start, progress] in
            // On a slow connection, two downloads would compete. The displayed item is downloaded first, unless the
            // user is already waiting for the next item.
            if let present {
                let end = Task {
                    for await _ in present.changes() {}
                    start.continuation.finish()
                }
                for await _ in start.stream {}
                end.cancel()
            }
            return await request.run(loader, progress)
        }
    }

    /// Begins the search immediately, because the user is now waiting for the item.
    func startNow() { start.continuation.finish() }

    var nextItem: NextItem? { search.value }

    /// What it has tried so far, as in ``ItemRequest/run(_:_:)``.
    var tried: NextItem { progress.withLock { $0 } }

    /// Opens the item if it has been found.
    func prepare() {
        guard openItem == nil, let fetched = search.value?.fetched else { return }
        openItem = work.open(fetched, rule)
    }

    var state: State {
        prepare()
        return openItem != nil ? .ready : nextItem == nil ? .searching : .nothingFound
    }
}

/// An open item whose frames are being decoded.
final class OpenItem {
    let fetched: FetchedItem
    let source: any FrameSource
    /// Whether the history has the item.
    var isViewed = false

    var item: GIFReference { fetched.item }

    init(_ fetched: FetchedItem, _ source: any FrameSource) { (self.fetched, self.source) = (fetched, source) }

    deinit { fetched.download?.cancel() }
}

/// Finds and opens the items of a slideshow. Tests do it on the calling thread, because the clock of a
/// ``VirtualTerminal`` does not wait for other threads.
protocol SlideshowWork {
    /// Begins a search, and wakes the terminal once it has ended.
    func search(_ body: @escaping @Sendable () async -> NextItem) -> BackgroundValue<NextItem>

    /// Begins to decode the frames of an item. Wakes the terminal when a frame is ready that the player waits for.
    func decode(_ fetched: FetchedItem, _ rule: LoopRule) throws(GIFError) -> any FrameSource
}

extension SlideshowWork {
    func open(_ fetched: FetchedItem, _ rule: LoopRule) -> Result<OpenItem, GIFError> {
        Result { () throws(GIFError) in OpenItem(fetched, try decode(fetched, rule)) }
    }
}

/// Works on other threads.
final class BackgroundWork: SlideshowWork {
    private let limits: DecodeLimits
    private let wake: @Sendable () -> Void
    /// Decoded while the terminal is set up.
    private var first: (item: GIFReference, source: Result<any FrameSource, GIFError>)?
    /// The frames of pipes, whose bytes can be read only once.
    private var pipes: [GIFKey: any FrameSource] = [:]

    /// - Parameter wake: wakes the terminal; called on another thread.
    init(_ limits: DecodeLimits, wake: @escaping @Sendable () -> Void) { (self.limits, self.wake) = (limits, wake) }

    /// Begins to decode the first item. The first call of ``decode(_:_:)`` for it returns its frames.
    func decodeNow(_ item: GIFReference, _ rule: LoopRule) {
        first = (item, Result { () throws(GIFError) in try decode(FetchedItem(item), rule) })
    }

    func search(_ body: @escaping @Sendable () async -> NextItem) -> BackgroundValue<NextItem> {
        BackgroundValue(wake: wake, body)
    }

    func decode(_ fetched: FetchedItem, _ rule: LoopRule) throws(GIFError) -> any FrameSource {
        if let first, first.item == fetched.item {
            self.first = nil
            return try first.source.get()
        }
        if let pipe = pipes[fetched.item.key] {
            pipe.rewind()
            return pipe
        }
        let source = DecodeAhead(
            try fetched.reader(limits: limits),
            shouldContinue: { iterations, summary in rule.continues(after: iterations, summary) }, wake: wake)
        if fetched.item.isPipe { pipes[fetched.item.key] = source }
        return source
    }
}

/// The wait between two GIFs, or before the first one, during which gifplay still handles keys and signals.
struct LoadingWait {
    private static let textDelay = 300 * Span.millisecond
    /// How long the answer to a key stays.
    private static let noteTime = 5 * Span.second

    let terminal: any PlaybackTerminal
    let options: PlaybackOptions
    var language = Language.english
    /// Handles the input if this is the screensaver of the gallery.
    var screensaver: (any PlayerDelegate)?

    /// Waits until `condition` returns true. A thread that changes the result of `condition` must wake the terminal.
    /// With `--inline`, removes the waiting text at the end.
    /// - Parameters:
    ///   - waitingText: the text to show if the wait takes longer than 300 ms. It is read again every second.
    ///   - timeout: the longest wait in nanoseconds; nil for no limit.
    ///   - refusal: the note if a key cannot switch to another item; nil if it ends the wait.
    /// - Returns: the event that ended the wait early; nil if the condition is true or the timeout has passed.
    func wait(
        for condition: () -> Bool, _ waitingText: @autoclosure () -> String, timeout: Int64? = nil,
        refusal: (PlaybackEnd.ItemSwitch) -> String? = { _ in nil }
    ) -> PlaybackEnd? {
        var shown = ""
        let end = timeout.map { terminal.now + $0 }
        var deadline = terminal.now + Self.textDelay
        var isTextPending = false
        defer { if !shown.isEmpty { clear() } }
        while !condition() {
            let event = terminal.wait(until: .earliest(deadline, end))
            switch event {
            case .deadline:
                if let end, terminal.now >= end { return nil }
                deadline = terminal.now + Span.second
                let text = waitingText()
                if text != shown { isTextPending = !show(text) }
                shown = text
            case .key(.control("c")): return .interrupted(signal: 2)
            case .key where screensaver != nil, .pointer where screensaver != nil, .paste where screensaver != nil:
                return screensaver?.handle(event)
            case .key where options.anyKeyEnds, .paste where options.anyKeyEnds: return .quit
            case .key(let key):
                let answer = answer(to: key, refusal)
                if let end = answer.end { return end }
                guard let note = answer.note else { break }
                isTextPending = !show(note)
                (shown, deadline) = (note, terminal.now + Self.noteTime)
            case .signal(let number): return .interrupted(signal: number)
            case .closed: return .closed
            case .changed, .resumed: if !shown.isEmpty { isTextPending = !show(shown) }
            case .drained: if isTextPending { isTextPending = !show(shown) }
            case .wake, .pointer, .paste: break
            }
        }
        return nil
    }

    /// The end of the wait, or what the key does instead; neither for a key that acts on a GIF.
    private func answer(
        to key: Key, _ refusal: (PlaybackEnd.ItemSwitch) -> String?
    ) -> (end: PlaybackEnd?, note: String?) {
        guard let command = KeyTable.command(of: key, in: .player) else { return (nil, language.refusal(of: key)) }
        if command == .help { return (nil, keys(refusal)) }
        guard let end = PlaybackEnd(command) else {
            return (nil, language(en: "not loaded yet · ?: keys", de: "noch nicht geladen · ?: Tasten"))
        }
        guard case .switchItem(let kind) = end, let note = refusal(kind) else { return (end, nil) }
        return (nil, note)
    }

    /// The keys that end the wait, as many as fit.
    private func keys(_ refusal: (PlaybackEnd.ItemSwitch) -> String?) -> String {
        let rows = KeyTable.rows(in: .player).filter { row in
            row.keys.contains { key in
                if case .switchItem(let kind)? = PlaybackEnd(key.command) { return refusal(kind) == nil }
                return PlaybackEnd(key.command) != nil
            }
        }
        return rows.reduce("") { line, row in
            let longer = line + (line.isEmpty ? "" : " · ") + "\(row.names(language)) \(row.meaning(language))"
            return TerminalText.width(longer) < terminal.traits.size.columns ? longer : line
        }
    }

    /// With `--inline`, removes the text.
    func clear() { if options.screen == .inline, options.showsStatus { present("\r\u{1B}[K") } }

    /// - Returns: false if the terminal has not accepted the previous output yet. More would accumulate in memory.
    @discardableResult
    func show(_ waitingText: String) -> Bool {
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
