import Base
import Catalog
import Gallery
import Glibc
import Pixels
import Playback

/// Plays GIFs one after another on one terminal. Carries out what a ``Slideshow`` decides.
final class SlideshowLoop {
    private let session: ServiceSession
    private let loader: any ItemLoading
    private let terminal: any PlaybackTerminal
    private let actions: any PlayedItemActions
    private let work: any SlideshowWork
    /// Nil for the screensaver of the gallery.
    private let gallery: (any GalleryOpening)?
    private(set) var slideshow: Slideshow
    /// Finds the item after the present one.
    private var prefetch: ItemSearch?
    /// Finds the item that the user waits for.
    private var awaited: ItemSearch?
    private var present: OpenItem?
    /// The last item that has finished.
    private var finished: OpenItem?
    /// The item that was found last, until it plays.
    private var found: Result<OpenItem, GIFError>?
    /// The drawing that the user has chosen with a key.
    var drawing: Drawing?
    /// The key, click or paste that has ended the screensaver.
    private(set) var leavingEvent: TerminalEvent?

    private var settings: Settings { session.settings }

    init(
        _ list: Playlist, session: ServiceSession, loader: any ItemLoading, terminal: any PlaybackTerminal,
        actions: any PlayedItemActions, work: any SlideshowWork, gallery: (any GalleryOpening)?
    ) {
        slideshow = Slideshow(list, session.settings, isScreensaver: gallery == nil)
        (self.session, self.loader, self.terminal) = (session, loader, terminal)
        (self.actions, self.work, self.gallery) = (actions, work, gallery)
    }

    /// - Returns: the exit status, and the messages to print once the terminal is restored.
    func play() -> (status: ExitStatus, messages: [String]) {
        let end = run()
        (prefetch, awaited) = (nil, nil)
        var remarks = session.cachingFailure.map { [$0.playedUncached.message] } ?? []
        remarks += session.notices.takeUndisplayed().map(ErrorMessages.describe)
        if !settings.player.showsStatus, let refusal = slideshow.graphicsRefusal(terminal.traits.graphics) {
            remarks.append(refusal)
        }
        let wait = loadingWait
        let isSaving = !session.running.unsaved.isEmpty
        if isSaving { wait.show(slideshow.language.sentence(.saving)) }
        let errors = actions.finish()
        if isSaving { wait.clear() }
        // A copy that has ended since.
        actions.takeOutcome()?.sequence.withUnsafeBytes {
            terminal.present($0, UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return slideshow.result(end, errors: errors, remarks: remarks)
    }

    func run() -> PlaybackEnd {
        var event = Slideshow.Event.begun
        while true {
            let action = slideshow.next(after: event)
            // The next item can be another one now.
            if let request = prefetch?.request, !request.isEqual(slideshow.nextRequest) { prefetch = nil }
            switch action {
            case .find(let request): event = find(request)
            case .skip(let request):
                if let search = request.search { Task { await search.skip() } }
                event = find(request)
            case .open(let fetched): event = open(fetched)
            case .play: event = playPresent()
            case .again(let isFinished):
                if isFinished { present = finished }
                present?.source.rewind()
                event = playPresent()
            case .chooseRandomly:
                let samples = Playlist(shuffling: Sample.all.map { .sample($0) })
                event = .randomList((try? PlaylistResolver.randomFeed(session)) ?? samples)
            case .browse: event = browse()
            case .end(let end): return end
            }
        }
    }

    // MARK: - Actions

    private func find(_ request: ItemRequest) -> Slideshow.Event {
        let isNext = request.isEqual(slideshow.nextRequest)
        let search = awaited ?? (isNext ? prefetch : nil) ?? begin(request)
        if isNext { prefetch = search }
        awaited = search
        search.startNow()
        let wait = loadingWait
        var (tried, end) = (search.tried, PlaybackEnd?.none)
        repeat {
            // The time of each item begins when it is tried.
            tried = search.tried
            end = wait.wait(
                for: { search.nextItem != nil || search.tried.remaining.count != tried.remaining.count },
                slideshow.waitingText(tried, DownloadNote.waiting(loader.latestDownload, in: slideshow.language)),
                timeout: slideshow.timeout(tried), refusal: { slideshow.refusal(of: $0, awaiting: tried) })
        } while end == nil && search.nextItem == nil && search.tried.remaining.count != tried.remaining.count
        if end != .browse { awaited = nil }
        if let end { return .waitEnded(end, tried) }
        guard let next = search.nextItem else { return .late(tried) }
        if isNext { prefetch = nil }
        search.prepare()
        found = search.openItem
        return .found(next)
    }

    private var loadingWait: LoadingWait {
        LoadingWait(
            terminal: terminal, options: settings.player, language: slideshow.language,
            screensaver: slideshow.isScreensaver ? self : nil)
    }

    /// - Parameter present: the download during which the search does not begin.
    private func begin(_ request: ItemRequest, after present: Download? = nil) -> ItemSearch {
        ItemSearch(request, after: present, loader: loader, work: work, slideshow.options(drawing).loops)
    }

    private func browse() -> Slideshow.Event {
        guard let gallery else { return .waitEnded(.quit, NextItem()) }
        return .browsed(Result { () throws(Failure) in try gallery.openGallery(showing: slideshow.list) })
    }

    private func open(_ fetched: FetchedItem) -> Slideshow.Event {
        defer { found = nil }
        switch found ?? work.open(fetched, slideshow.options(drawing).loops) {
        case .failure(let error): return .cannotOpen(fetched.item, error)
        case .success(let openItem):
            present = openItem
            return .opened(openItem.item)
        }
    }

    private func playPresent() -> Slideshow.Event {
        guard let openItem = present else { return .waitEnded(.finished, NextItem()) }
        let fetched = openItem.fetched
        session.reportUse(.view, of: openItem.item)
        if prefetch == nil { prefetch = slideshow.nextRequest.map { begin($0, after: fetched.download) } }
        let player = Player(
            source: openItem.source, terminal: terminal, options: slideshow.options(drawing),
            label: fetched.label(in: slideshow.language), delegate: self)
        let end = player.run()
        session.recordCachingFailure(of: fetched.download)
        switch end {
        case .failed, .still: break
        case .finished:
            finished = openItem
            fallthrough
        default: markViewed(openItem)
        }
        if case .switchItem = end { finished = nil }
        return .ended(
            end, of: fetched, damage: ErrorMessages.remark(on: player.damage, frames: player.frameCount ?? 0),
            prefetched: prefetch?.nextItem)
    }

    /// Adds the item to the history once. The first call comes half a second after its start, because opening the
    /// library would delay the first picture. A screensaver has no viewer.
    private func markViewed(_ openItem: OpenItem) {
        guard !openItem.isViewed, !settings.player.anyKeyEnds, !slideshow.isScreensaver else { return }
        openItem.isViewed = true
        actions.markViewed(openItem.item)
    }
}

extension SlideshowLoop: PlayerDelegate {
    func mayEnd() -> Bool { slideshow.mayEnd(next: prefetch?.state) }

    func perform(_ action: ItemAction) -> ActionResult? { present.map { actions.perform(action, on: $0.fetched) } }

    func takeOutcome() -> ActionResult? { actions.takeOutcome() }

    func refusal(of key: Key) -> String? { slideshow.language.refusal(of: key) }

    func refusal(of kind: PlaybackEnd.ItemSwitch) -> String? {
        let refusal = slideshow.refusal(of: kind, next: prefetch?.state)
        if slideshow.asksAgain(kind, isRefused: refusal != nil) { slideshow.feed?.retryNow() }
        return refusal
    }

    func choose(_ drawing: Drawing) { self.drawing = drawing }

    func handle(_ event: TerminalEvent) -> PlaybackEnd? {
        if event == .wake { prefetch?.prepare() }
        guard slideshow.isScreensaver, event != .wake else { return nil }
        leavingEvent = event
        return .quit
    }

    func currentNote() -> String? {
        guard let present else { return nil }
        markViewed(present)
        // A stalled download does not compete with the next one.
        if present.fetched.download?.progress.isStalled == true { prefetch?.startNow() }
        return slideshow.note(
            on: present.fetched, session.notices.current(at: terminal.now), next: prefetch?.state,
            terminal.traits.graphics, at: terminal.now)
    }

    var file: [UInt8]? { present?.fetched.bytes(limit: ITerm2Encoder.largestFile) }
}

/// Lends the terminal of a slideshow to the gallery.
protocol GalleryOpening {
    /// Runs the gallery with the GIFs of the list until the user leaves it.
    func openGallery(showing list: Playlist) throws(Failure) -> GallerySession.Outcome
}

extension PlaybackOptions {
    /// The number of the first image of a GIF, in 24 bits. Every process and every GIF uses other numbers. An inline
    /// picture remains visible while the next GIF plays, so its numbers must not be reused.
    static func firstImage(number: Int) -> Int {
        (Int(getpid()) & 0x3FF | 0x400) << 13 | number * KittyEncoder.imageCount & 0x1FFF
    }
}
