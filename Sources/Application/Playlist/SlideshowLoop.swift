import Base
import Catalog
import Gallery
import Glibc
import Pixels
import Playback

/// Plays GIFs one after another on one terminal. Carries out what a ``Slideshow`` decides.
final class SlideshowLoop {
    let session: ServiceSession
    let loader: any ItemLoading
    let terminal: any PlaybackTerminal
    let actions: any PlayedItemActions
    private let work: any SlideshowWork
    /// Nil for the screensaver of the gallery.
    private let gallery: (any GalleryOpening)?
    private(set) var slideshow: Slideshow
    /// Of the item after the present one.
    private(set) var prefetch: Prefetch?
    private(set) var present: OpenItem?
    /// The last item that has finished.
    private var finished: OpenItem?
    /// The item that was found last, until it plays.
    private var found: Result<OpenItem, GIFError>?
    /// The drawing that the user has chosen with a key.
    var drawing: Drawing?
    /// The time at which the note about the terminal's graphics disappears; nil before it is shown.
    var graphicsNoteEnd: Instant?
    /// The key, click or paste that has ended the screensaver.
    var leavingEvent: TerminalEvent?

    var settings: Settings { session.settings }
    var isScreensaver: Bool { gallery == nil }

    init(
        _ list: Playlist, session: ServiceSession, loader: any ItemLoading, terminal: any PlaybackTerminal,
        actions: any PlayedItemActions, work: any SlideshowWork, gallery: (any GalleryOpening)?
    ) {
        slideshow = Slideshow(list, holdsLast: session.settings.options(for: .last).hold == .all)
        (self.session, self.loader, self.terminal) = (session, loader, terminal)
        (self.actions, self.work, self.gallery) = (actions, work, gallery)
    }

    /// - Returns: the exit status, and the messages to print once the terminal is restored.
    func play() -> (status: ExitStatus, messages: [String]) {
        let end = run()
        prefetch = nil
        var report = slideshow.report
        report.remarks += session.cachingFailure.map { [$0.playedUncached.message] } ?? []
        report.remarks += session.notices.takeUndisplayed().map(ErrorMessages.describe)
        if !settings.player.showsStatus, let graphicsRefusal { report.remarks.append(graphicsRefusal) }
        if !settings.player.showsStatus, slideshow.waitsForItems, slideshow.shownCount == 0 {
            report.remarks += [slideshow.feed?.waitingText(in: .english)].compactMap(\.self)
        }
        if !slideshow.reportsFailures { report.failures = [] }
        report.errors += actions.finish()
        // A copy that has ended since.
        actions.takeOutcome()?.sequence.withUnsafeBytes {
            terminal.present($0, UnsafeRawBufferPointer(start: nil, count: 0))
        }
        switch end {
        case .interrupted(let signal): return (.signal(signal), report.messages)
        // The terminal has disconnected: exit as for SIGHUP.
        case .closed: return (.signal(SIGHUP), report.messages)
        default: return (report.isFailure ? .failure : .success, report.messages)
        }
    }

    func run() -> PlaybackEnd {
        var action = slideshow.start()
        while true {
            switch action {
            case .find(let request, let isNext): action = find(request, isNext: isNext)
            case .open(let fetched): action = open(fetched)
            case .again(let isFinished):
                if isFinished { present = finished }
                present?.source.rewind()
                action = playPresent()
            case .browse: action = browse().map { .end($0) } ?? .again(isFinished: false)
            case .end(let end): return end
            }
        }
    }

    // MARK: - Finding an item

    private func find(_ request: ItemRequest, isNext: Bool) -> Slideshow.Action {
        let search = (isNext ? prefetch : nil) ?? begin(request)
        if isNext { prefetch = search }
        search.startNow()
        let wait = LoadingWait(
            terminal: terminal, options: settings.player, language: language, loader: loader,
            screensaver: isScreensaver ? self : nil)
        while true {
            let end = wait.wait(
                for: { search.nextItem != nil },
                slideshow.shownCount == 0 ? slideshow.list.search?.waitingText(in: language) : nil,
                timeout: slideshow.timeout)
            if end == .browse {
                if let end = browse() { return .end(end) }
            } else if let end {
                return .end(end)
            } else if let next = search.nextItem {
                if isNext { prefetch = nil }
                search.prepare()
                found = search.openItem
                return slideshow.next(after: next, isNext: isNext)
            } else if slideshow.mayEndWait {
                return slideshow.nextIfLate()
            }
        }
    }

    /// - Parameter present: the download during which the search does not begin.
    private func begin(_ request: ItemRequest, after present: Download? = nil) -> Prefetch {
        Prefetch(request, after: present, loader: loader, work: work, playback.loops)
    }

    /// - Returns: the end of the program; nil if the user has left the gallery, so that playback continues.
    private func browse() -> PlaybackEnd? {
        do throws(Failure) {
            guard let (end, losses, remarks) = try gallery?.openGallery(showing: slideshow.list) else { return .quit }
            slideshow.report.errors += losses
            slideshow.report.remarks += remarks
            return switch end {
            case .quit, .picked: nil
            case .interrupted(let signal): .interrupted(signal: signal)
            case .closed: .closed
            }
        } catch {
            slideshow.report.errors.append(error)
            return .quit
        }
    }

    // MARK: - Playing an item

    private var playback: PlaybackOptions {
        var options = settings.options(for: slideshow.position)
        (options.drawing, options.language) = (drawing ?? options.drawing, language)
        if slideshow.waitsForItems { options.hold = .all }
        if isScreensaver { (options.view, options.showsKeyHint) = (.screensaver, false) }
        if slideshow.shownCount > 0 { options.showsKeyHint = false }
        options.firstImage = PlaybackOptions.firstImage(number: slideshow.shownCount)
        return options
    }

    private func open(_ fetched: FetchedItem) -> Slideshow.Action {
        let opened = found ?? work.open(fetched, playback.loops)
        found = nil
        switch opened {
        case .failure(let error): return slideshow.next(after: error, of: fetched.item)
        case .success(let openItem): present = openItem
        }
        return playPresent()
    }

    private func playPresent() -> Slideshow.Action {
        guard let openItem = present else { return .end(.finished) }
        let (item, fetched) = (openItem.item, openItem.fetched)
        session.reportUse(.view, of: item)
        slideshow.begin(item)
        if slideshow.hasNext, prefetch == nil { prefetch = begin(slideshow.nextRequest, after: fetched.download) }
        var options = playback
        options.refusesStills = item.origin == .source
        let player = Player(
            source: openItem.source, terminal: terminal, options: options, label: fetched.label(in: language),
            delegate: self)
        let end = player.run()
        session.recordCachingFailure(of: fetched.download)
        switch end {
        case .failed, .still: break
        default: markViewed(openItem)
        }
        // If the download failed, that error is reported instead of the damage.
        if !slideshow.list.isEndless, fetched.downloadFailure == nil {
            slideshow.report.add(player.damage, frames: player.frameCount ?? 0, of: item)
        }
        if end == .finished { finished = openItem }
        if case .switchItem(let kind) = end { prepare(for: kind) }
        return slideshow.next(after: end, of: fetched)
    }

    private func prepare(for kind: PlaybackEnd.ItemSwitch) {
        finished = nil
        // The prefetched item of a feed follows the shown ones. If it were discarded, it would never be shown.
        if kind == .previous || kind == .random, !slideshow.list.isFeed {
            if let next = prefetch?.nextItem { slideshow.list.keep(next) }
            prefetch = nil
        }
        if kind == .reload, let item = slideshow.shownItem { loader.reload(item) }
        guard kind == .random else { return }
        if slideshow.list.isSingle {
            let samples = Playlist(shuffling: Sample.all.map { .sample($0) })
            slideshow.list.continue(with: (try? PlaylistResolver.randomFeed(session)) ?? samples)
        }
        slideshow.feed?.retryNow()
    }
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
