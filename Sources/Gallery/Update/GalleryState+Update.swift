import Base
import Catalog
import Pixels
import Playback
import TerminalIO

extension GalleryState {
    /// - Returns: the effects to perform, in order.
    mutating func update(_ event: GalleryEvent, at now: Instant) -> [GalleryEffect] {
        self.now = max(self.now, now)
        let (before, emptyFeed, selected) = (grid.pane, emptyFeed, grid.selection?.key)
        let effects = react(to: event)
        // Keep the whole selected tile visible when the pane or the tile changes its size.
        let derived = updateDerivedState(showsSelected: before != grid.pane || event.isSize(of: grid.selection?.key))
        if grid.selection?.key != selected { notices.remove(at: now) { $0.isAboutItem } }
        // Only when the feed becomes empty, so that Esc still leaves the field.
        if mode == .browsing, !hasChosenFeed, self.emptyFeed != nil, self.emptyFeed != emptyFeed { focusField() }
        if !mode.isFull { playback = LargePlayback() }
        search.note(listing.feed, isTyping: mode.isTyping)
        return effects + derived + (mode.isTyping ? [] : search.suggestions.close())
    }

    private mutating func react(to event: GalleryEvent) -> [GalleryEffect] {
        switch event {
        case .opened: return startLoading(at: now)
        case .key(let key):
            // The keys of a word must not hide the notice about the first of them.
            notices.remove(at: now) { !$0.isAboutService && !$0.isAboutKey }
            if let shown = screensaver.shown { return pressInScreensaver(key, on: shown) }
            return screensaver.stop() + press(key)
        case .pointer(let event):
            // A click that ends the screensaver has no other effect, because the user does not see the tiles.
            let isIgnored = screensaver.shown != nil
            return screensaver.stop() + (isIgnored ? [] : handlePointer(event))
        case .paste(let text): return screensaver.stop() + paste(text)
        case .changed(let traits): adapt(to: traits)
        case .deadline: return performDueActions()
        case .loaded(let ticket, let result): return handlePage(ticket, result)
        case .loadedStored(let ticket, let stored):
            // Keep the selection, because the stored listing might contain the selected GIF.
            _ = listing.receiveStored(stored, ticket: ticket, seconds: seconds)
        case .loadedRandom(let ticket, let result):
            screensaver.receive(result, ticket: ticket, until: now + options.switchInterval)
        case .marked(let marks): facts.setMarks(marks)
        case .asking(let ticket, let source): listing.recordQuery(ticket: ticket, to: source, at: now)
        case .suggested(let ticket, let queries):
            if !earlier.receive(queries, ticket: ticket) {
                search.suggestions.receive(queries, for: search.query, ticket: ticket)
            }
        case .savedPick: break
        case .tile(let key, let update):
            apply(update, to: key)
            facts.prune(keeping: listing.keys)
        case .reported(let message):
            if message == .noConnection { listing.reportLostConnection() } else { notices.show(message, at: now) }
        }
        return []
    }

    private mutating func apply(_ update: TileUpdate, to key: GIFKey) {
        switch update {
        case .size(let size):
            listing.noteConnection()
            facts.setSize(size, of: key)
        // The page that is loading has the addresses that the store does not keep.
        case .failed(.noAddress) where listing.isLoadingFirstPage: facts.unaddressed.insert(key)
        case .failed(let error): facts.setFailure(SafeText.line(options.language.sentence(error)), of: key)
        case .broken: facts.setFailure(options.language(en: "cannot be decoded", de: "GIF nicht lesbar"), of: key)
        case .loading(let progress): facts.setProgress(progress, of: key)
        case .original: if grid.selection?.key == key { mode = mode.replacingFull(by: .full(.original)) }
        case .paused(let frame, let frames):
            if grid.selection?.key == key { playback.notePause(frame: frame, of: frames) }
        case .noOriginal: if grid.selection?.key == key { mode = mode.replacingFull(by: .full(.onlySmall)) }
        }
    }

    private mutating func performDueActions() -> [GalleryEffect] {
        var effects: [GalleryEffect] = []
        notices.update(at: now)
        if let moment = search.deadline, moment <= now { effects += searchNow() }
        effects += search.suggestions.requestIfDue(for: search.query, at: now, &tickets)
        effects += listing.loadIfDue(at: now, &tickets)
        if let moment = retryTime, moment <= now { effects += listing.retry(&tickets) }
        return effects + screensaver.update(at: now, until: now + options.switchInterval, &tickets)
    }

    // MARK: - Derived state

    /// Recomputes derived state and requests the pages and tiles that are needed now.
    mutating func updateDerivedState(showsSelected: Bool) -> [GalleryEffect] {
        grid.update(listing, facts, showsSelected: showsSelected)
        if grid.items.isEmpty { mode = mode.replacingFull(by: .browsing) }
        // Near the end of the loaded items, load the next page, unless a scheduled search will replace them.
        let needsPage = search.deadline == nil && grid.isNearEnd
        let page = needsPage ? listing.loadNextPage(&tickets) : []
        return earlier.update(listing, &tickets) + updateScreensaver() + page + requestVisibleTiles()
    }

    private mutating func requestVisibleTiles() -> [GalleryEffect] {
        let wanted = GalleryView(self).tileRequests()
        guard wanted != requestedTiles else { return [] }
        requestedTiles = wanted
        return [.show(wanted)]
    }

    private mutating func updateScreensaver() -> [GalleryEffect] {
        guard let idle = options.screensaverDelay, isIdlePossible else { return screensaver.stop() }
        screensaver.schedule(at: now + idle)
        return []
    }

    private var isIdlePossible: Bool {
        guard !options.reducesMotion, listing.feed.startsScreensaver, search.query.isEmpty, options.picker == nil else {
            return false
        }
        return mode == .typing || mode == .browsing
    }
}

extension GalleryEvent {
    fileprivate func isSize(of key: GIFKey?) -> Bool {
        if case .tile(key, .size) = self { true } else { false }
    }
}

extension Key {
    var isGlobal: Bool { self == .control("c") || self == .control("z") || self == .control("l") }
}
