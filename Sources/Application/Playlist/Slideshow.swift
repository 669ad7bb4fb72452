import Base
import Catalog
import Gallery
import Glibc
import Pixels
import Playback

/// Plays the GIFs of a playlist one after another on one terminal.
final class Slideshow {
    let session: ServiceSession
    let loader: any ItemLoading
    let terminal: any PlaybackTerminal
    private let work: BackgroundWork
    private let openGallery: OpenGallery
    private(set) var list: Playlist
    private var generator = SystemRandomNumberGenerator()
    private(set) var prefetch: Prefetch?
    private var report = SlideshowReport()
    private var consecutiveFailures = 0
    private(set) var shownCount = 0
    private(set) var shownItem: GIFReference?
    private var hasBegun = false
    /// Whether no item after the present one can be opened.
    private var isAtEnd = false
    let actions: any PlayedItemActions
    /// Handles a key, click or paste that is not for the screensaver of the gallery. Nil unless this is the screensaver.
    var forward: ((TerminalEvent) -> PlaybackEnd?)?
    /// The drawing that the user has chosen with a key.
    var drawing: Drawing?
    /// The time at which the hint at the terminal's graphics disappears; nil before it is shown.
    var graphicsHintEnd: Instant?
    /// The time at which the note about refused graphics disappears; nil before it is shown.
    var refusalEnd: Instant?

    var settings: Settings { session.settings }

    /// Lends the terminal to the gallery until the user leaves it. The gallery shows the GIFs of the list.
    typealias OpenGallery = (Playlist) throws(Failure) -> GallerySession.Outcome

    init(
        _ list: Playlist, session: ServiceSession, loader: any ItemLoading, terminal: any PlaybackTerminal,
        actions: any PlayedItemActions,
        work: BackgroundWork = BackgroundWork(), openGallery: @escaping OpenGallery
    ) {
        self.list = list
        self.session = session
        self.loader = loader
        self.terminal = terminal
        self.work = work
        self.openGallery = openGallery
        self.actions = actions
    }

    /// - Returns: the exit status, and the messages to print once the terminal is restored.
    func play() -> (status: ExitStatus, messages: [String]) {
        let end = run()
        prefetch = nil
        // Once a GIF has played, failed items of search results or of an endless list are not reported.
        let reportsFailures = !(list.isOfResults || list.isEndless) || shownCount == 0
        report.remarks += session.cachingFailure.map { [ErrorMessages.notCached($0)] } ?? []
        report.remarks += session.notices.takeUndisplayed().map(ErrorMessages.describe)
        if !settings.player.showsStatus, let graphicsRefusal { report.remarks.append(graphicsRefusal) }
        if !settings.player.showsStatus, waitsForItems, shownCount == 0, let search = list.search {
            report.remarks.append(search.waitingText(in: .english))
        }
        if !reportsFailures { report.failures = [] }
        report.errors += [actions.finish()].compactMap(\.self)
        switch end {
        case .interrupted(let signal): return (.signal(signal), report.messages)
        // The terminal has disconnected: exit as for SIGHUP.
        case .closed: return (.signal(SIGHUP), report.messages)
        default: return (report.isFailure ? .failure : .success, report.messages)
        }
    }

    /// The maximum wait for an item of a feed if it is the first one or if there is no connection.
    private static let feedTimeout = Span.second

    private typealias Direction = PlaybackEnd.ItemSwitch

    private enum Outcome {
        case openItem(OpenItem)
        case nothing
        case end(PlaybackEnd)
    }

    func run() -> PlaybackEnd {
        var direction = Direction.next
        var present: OpenItem?
        var finished: OpenItem?
        var isRequestedByUser = false
        while true {
            switch advance(direction) {
            case .openItem(let openItem): (present, isAtEnd) = (openItem, false)
            case .end(let end): return end
            case .nothing:
                // After the last item, the key 'n' shows that item again. The last one that has finished is held.
                isAtEnd = true
                let held = playback.hold == .all ? finished : nil
                present = held ?? present
                guard isRequestedByUser || prefetch != nil || held != nil, let present else { return .finished }
                present.source.rewind()
            }
            guard let openItem = present else { return .finished }
            var end = play(openItem)
            while end == .browse {
                if let galleryEnd = browse() { return galleryEnd }
                openItem.source.rewind()
                end = play(openItem)
            }
            isRequestedByUser = false
            switch end {
            case .finished:
                if list.isOfResults { return end }
                (finished, direction) = (openItem, .next)
            case .switchItem(let requested):
                (finished, isRequestedByUser, direction) = (nil, true, requested)
            case .failed, .still:
                guard continuesAfterFailure else { return .finished }
                direction = .next
            case .quit, .browse, .interrupted, .closed: return end
            }
        }
    }

    /// An endless list must end if none of its items can be played.
    private var continuesAfterFailure: Bool {
        list.search != nil || consecutiveFailures < list.count || !list.isEndless
    }

    private func advance(_ direction: Direction) -> Outcome {
        // The prefetched item of a feed follows the shown ones. If it were discarded, it would never be shown.
        if direction == .previous || direction == .random, !list.isFeed {
            if let next = prefetch?.nextItem { list.keep(next) }
            prefetch = nil
        }
        switch direction {
        case .next:
            if list.isFeed, !list.isAtLastShown { return load(list.next(&generator)) }
            let request = ItemRequest(
                candidates: list.upcoming, search: list.search, choice: hasBegun ? .first : list.choice)
            hasBegun = true
            return list.isLocal ? load(list.next(&generator)) : wait(request, advances: true)
        case .previous: return load(list.previous())
        case .random:
            if list.isSingle {
                let samples = Playlist(shuffling: Sample.all.map { .sample($0) })
                list.continue(with: (try? PlaylistResolver.randomFeed(session)) ?? samples)
            }
            guard list.isEndless, !list.isLocal else { return load(list.random(&generator)) }
            list.search?.feed?.retryNow()
            list.skipShown()
            return advance(.next)
        case .reload:
            guard let shownItem, shownItem != .standardInput else { return .nothing }
            loader.reload(shownItem)
            return load(shownItem)
        }
    }

    private func load(_ item: GIFReference?) -> Outcome {
        guard let item else { return .nothing }
        guard item.needsDownload else { return show(FetchedItem(item)) }
        return wait(ItemRequest(candidates: [item]), advances: false)
    }

    /// Uses the search of the prefetch if `advances` is true and there is one; otherwise starts one.
    private func wait(_ request: ItemRequest, advances: Bool) -> Outcome {
        let prefetch = (advances ? self.prefetch : nil) ?? begin(request, after: nil)
        if advances { self.prefetch = nil }
        prefetch.startNow()
        let timeout = list.isFeed && !waitsForItems ? Self.feedTimeout : nil
        let loadingWait = LoadingWait(terminal, settings.player, language, loader: loader, forward: forward)
        var end: PlaybackEnd?
        repeat {
            end = loadingWait.wait(
                for: { prefetch.nextItem != nil },
                shownCount == 0 ? list.search?.waitingText(in: language) : nil, timeout: timeout)
            if end == .browse { end = browse() } else if timeout == nil || mayEndWait(for: prefetch) { break }
        } while end == nil
        if let end { return .end(end) }
        guard let next = prefetch.nextItem else {
            // A feed shows a built-in sample until its first item has arrived. Later, the current item plays again.
            if advances { self.prefetch = prefetch }
            guard shownCount == 0, timeout != nil, let sample = Sample.all.randomElement() else { return .nothing }
            return show(FetchedItem(.sample(sample)))
        }
        if advances { list.advance(to: next) }
        if next.fetched == nil || !list.isOfResults { record(next.failures) }
        prefetch.prepare()
        switch prefetch.openItem {
        case .success(let openItem): return .openItem(openItem)
        case .failure(let error): return handleFailure(next.fetched?.item, error)
        // An item of a feed that was shown before cannot be loaded again.
        case nil: return list.isFeed && !advances ? advance(.next) : .nothing
        }
    }

    private func show(_ fetched: FetchedItem) -> Outcome {
        do throws(GIFError) { return .openItem(try open(fetched)) } catch { return handleFailure(fetched.item, error) }
    }

    private func handleFailure(_ item: GIFReference?, _ error: GIFError) -> Outcome {
        recordFailure("\(item?.name ?? ""): \(ErrorMessages.describe(error))")
        return continuesAfterFailure ? advance(.next) : .nothing
    }

    private func recordFailure(_ failure: String) {
        record([failure])
        consecutiveFailures += 1
    }

    /// Ignores failures of an endless list that has shown an item, because they would accumulate for days.
    private func record(_ newFailures: [String]) {
        if !list.isEndless || shownCount == 0 { report.failures += newFailures }
    }

    private func open(_ fetched: FetchedItem) throws(GIFError) -> OpenItem {
        OpenItem(fetched, try work.decode(fetched, settings.limits, playback.loops, terminal.waker))
    }

    private func begin(_ request: ItemRequest, after present: Download?) -> Prefetch {
        Prefetch(request, after: present, loader: loader, work: work, wake: terminal.waker) {
            [limits = settings.limits, playback, work, wake = terminal.waker] fetched throws(GIFError) in
            OpenItem(fetched, try work.decode(fetched, limits, playback.loops, wake))
        }
    }

    /// - Returns: the end of the program; nil if the user has left the gallery, so that playback continues.
    private func browse() -> PlaybackEnd? {
        do throws(Failure) {
            let (end, loss, remarks) = try openGallery(list)
            report.errors += [loss].compactMap(\.self)
            report.remarks += remarks
            return switch end {
            case .quit, .picked: nil
            case .interrupted(let signal): .interrupted(signal: signal)
            case .closed: .closed
            }
        } catch {
            report.errors.append(error.message)
            return .quit
        }
    }

    // MARK: - Playing one item

    private var playback: PlaybackOptions {
        let isLast = isAtEnd || list.isOfResults || list.upcoming.isEmpty
        var options = settings.options(for: list.isEndless ? .feed : isLast ? .last : .inList)
        (options.drawing, options.hold) = (drawing ?? options.drawing, waitsForItems ? .all : options.hold)
        if forward != nil { (options.view, options.showsKeyHint) = (.screensaver, false) }
        return options
    }

    private func play(_ openItem: OpenItem) -> PlaybackEnd {
        var playback = playback
        if openItem.item.origin == .source { playback.refusesStills = true }
        session.report(.view, of: openItem.item)
        playback.showsKeyHint = playback.showsKeyHint && shownCount == 0
        (shownItem, playback.firstImage, playback.language) = (openItem.item, firstImage, language)
        let hasNext = !list.isLocal && (list.search != nil || !list.upcoming.isEmpty)
        if hasNext, prefetch == nil {
            let request = ItemRequest(candidates: list.upcoming, search: list.search, needsAllBytes: list.isEndless)
            prefetch = begin(request, after: openItem.fetched.download)
        }
        let callbacks = callbacks(for: openItem, mustWait: list.isEndless && hasNext)
        let player = Player(
            source: openItem.source, terminal: terminal, options: playback, label: openItem.fetched.label(in: language),
            callbacks: callbacks)
        let end = player.run()
        recordOutcome(openItem, end)
        if end.hasShown { markViewed(openItem) }
        // If the download failed, that error is reported instead of the damage.
        if !list.isEndless, openItem.fetched.downloadFailure == nil {
            report.add(player.damage, frames: player.frameCount ?? 0, of: openItem.item)
        }
        return end
    }

    private func recordOutcome(_ openItem: OpenItem, _ end: PlaybackEnd) {
        let downloadFailure = openItem.fetched.downloadFailure
        session.recordCachingFailure(of: openItem.fetched.download)
        switch end {
        case .failed(let error):
            let cause = downloadFailure?.message ?? ErrorMessages.describe(error)
            recordFailure("\(openItem.item.name): \(cause)")
        case .still: recordFailure("\(openItem.item.name): not animated")
        default:
            shownCount += 1
            consecutiveFailures = 0
            // In an endless list, a failed download is not reported, because the user no longer knows which GIF it was.
            if let downloadFailure, !list.isEndless {
                let problem = downloadFailure.message
                report.errors.append("\(openItem.item.name): \(problem); what arrived before that was played")
            }
        }
    }
}
