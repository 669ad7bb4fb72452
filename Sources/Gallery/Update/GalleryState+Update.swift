import Base
import Catalog
import Pixels
import Playback

extension GalleryState {
    /// - Returns: the effects to perform, in order.
    mutating func update(_ event: GalleryEvent, at now: Instant) -> [GalleryEffect] {
        self.now = max(self.now, now)
        let (before, emptyFeed, selected) = (grid.pane, emptyFeed, grid.selection?.key)
        let effects = react(to: event)
        let isSized = if case .tile(let key, .size) = event { key == grid.selection?.key } else { false }
        // Keep the whole selected tile visible when the pane or the tile changes its size.
        let derived = updateDerivedState(showsSelected: before != grid.pane || isSized)
        if grid.selection?.key != selected { notices.remove(at: now) { $0.isAboutItem } }
        // Only when the feed becomes empty, so that Esc still leaves the field.
        if mode == .browsing, !hasChosenFeed, self.emptyFeed != nil, self.emptyFeed != emptyFeed { focusField() }
        if !listing.isDue { search.base = nil }
        search.note(listing.feed, isTyping: mode.isTyping)
        return effects + derived + (mode.isTyping ? [] : search.suggestions.close())
    }

    private mutating func react(to event: GalleryEvent) -> [GalleryEffect] {
        switch event {
        case .opened: return startLoading(at: now)
        case .key(let key):
            notices.remove(at: now) { !$0.isAboutService }
            (seeksLast, soughtItem) = (false, nil)
            idleDeadline = nil
            return press(key)
        case .pointer(let event):
            (idleDeadline, soughtItem) = (nil, nil)
            return handlePointer(event)
        case .paste(let text):
            idleDeadline = nil
            return paste(text)
        case .changed(let traits): adapt(to: traits)
        case .deadline: return performDueActions()
        case .loaded(let ticket, let result): return handlePage(ticket, result)
        case .loadedStored(let ticket, let stored, let isLast):
            // Keep the selection, because the stored listing might contain the selected GIF.
            _ = listing.receiveStored(stored, ticket: ticket, seconds: seconds, isLast: isLast)
        case .show(let reference):
            listing.insert(reference, after: grid.selection?.key)
            grid.update(listing, facts, showsSelected: false)
            return showFull(reference)
        case .marked(let marks): facts.marks.merge(marks) { $1 }
        case .asking(let ticket, let source): listing.recordQuery(ticket: ticket, to: source, at: now)
        case .suggested(let ticket, let queries):
            earlier.receive(queries, for: failedQuery, ticket: ticket)
            search.suggestions.receive(queries, for: search.query, ticket: ticket)
        case .savedPicks: break
        case .tile(let key, let update):
            apply(update, to: key)
            facts.prune(keeping: listing.keys)
        case .reported(let message):
            if message == .noConnection { listing.reportLostConnection() } else { notices.display(message, at: now) }
        }
        return []
    }

    private mutating func apply(_ update: TileUpdate, to key: GIFKey) {
        switch update {
        case .size(let size):
            listing.noteConnection()
            let item = grid.item(key) ?? previousGrid?.item(key)
            let target = item.map { grid.pane.target(for: facts.canvas(of: $0)) }
            facts.sizes[key] = size
            // A picture of another size is decoded again.
            if let item, grid.pane.target(for: facts.canvas(of: item)) == target { pictured.insert(key) }
        // The page that is loading has the addresses that the store does not keep.
        case .failed(let error) where error.kind == .notOffered && listing.isLoadingFirstPage:
            facts.unaddressed.insert(key)
        case .failed(let error): facts.failures[key] = error.withoutWait
        case .broken(let error): facts.failures[key] = Failure(error)
        case .damaged: facts.damaged.insert(key)
        case .loading(true): facts.loading.insert(key)
        case .loading(false): facts.loading.remove(key)
        }
    }

    private mutating func performDueActions() -> [GalleryEffect] {
        var effects: [GalleryEffect] = []
        notices.update(at: now)
        effects += search.suggestions.requestIfDue(for: search.query, at: now, &tickets)
        effects += listing.loadIfDue(at: now, &tickets)
        if let moment = retryTime, moment <= now { effects += listing.retry(&tickets) }
        guard let idleDeadline, idleDeadline <= now else { return effects }
        self.idleDeadline = nil
        return effects + [.playRandom]
    }

    // MARK: - Derived state

    /// Recomputes derived state and requests the pages and tiles that are needed now.
    mutating func updateDerivedState(showsSelected: Bool) -> [GalleryEffect] {
        grid.update(listing, facts, showsSelected: showsSelected)
        if let soughtItem { seek(soughtItem) } else if seeksLast { seekLast() }
        if grid.items.isEmpty, mode.isFull { mode = .browsing }
        // The GIF of a link opens; several ones stay in the grid.
        let opens = opensLink && !listing.isLoadingFirstPage
        opensLink = opensLink && !opens
        let opened = opens && grid.items.count == 1 ? showFull(grid.items.first) : []
        // Near the end of the loaded items, load the next page, unless a scheduled search will replace them.
        let page = search.base == nil && grid.isNearEnd ? listing.loadNextPage(&tickets) : []
        updatePreviousGrid()
        idleDeadline = isIdlePossible ? idleDeadline ?? options.screensaverDelay.map { now + $0 } : nil
        return opened + requestEarlierQueries() + page + requestVisibleTiles()
    }

    /// Requests the queries once for each query that has found nothing.
    private mutating func requestEarlierQueries() -> [GalleryEffect] {
        guard case .search(let query) = listing.feed, listing.hasFoundNothing, query != failedQuery else { return [] }
        failedQuery = query
        return earlier.request("", &tickets)
    }

    private mutating func requestVisibleTiles() -> [GalleryEffect] {
        let wanted = GalleryView(self).tileRequests()
        guard wanted != requestedTiles else { return [] }
        requestedTiles = wanted
        pictured.formIntersection(wanted.lazy.filter { $0.purpose != .prefetch }.map(\.reference.key))
        return [.show(wanted)]
    }

    /// Removes the grid of the previous listing when the present one has a picture, or a message in place of pictures.
    private mutating func updatePreviousGrid() {
        guard previousGrid != nil else { return }
        let visible = grid.visibleItems.map(\.key)
        let isWaiting = visible.isEmpty ? phase == .searching : visible.contains { facts.failures[$0] == nil }
        let isSlowLink = listing.feed.isLink && listing.asked != nil
        let isReplaced = mode.isFull || grid.showsSubstitutes || !isWaiting || isSlowLink
        if isReplaced || visible.contains(where: pictured.contains) { previousGrid = nil }
    }

    private var isIdlePossible: Bool {
        let isEndless = if case .trending = listing.feed { true } else { listing.feed == .random }
        guard !options.reducesMotion, isEndless, search.query.isEmpty, options.picker == nil else {
            return false
        }
        return mode == .typing || mode == .browsing
    }

    /// The marked GIFs, those of other listings first and then in the order of the listing, or else the selected one.
    var targets: [GIFReference] {
        guard !mode.isFull, !marked.isEmpty else { return [grid.selected].compactMap(\.self) }
        return marked.filter { !listing.keys.contains($0.key) } + listing.items.filter(isMarked)
    }

    func isMarked(_ reference: GIFReference) -> Bool { marked.contains { $0.key == reference.key } }

    mutating func perform(_ action: ItemAction, on references: [GIFReference]) -> [GalleryEffect] {
        let possible = allowed(action, of: references)
        guard !possible.isEmpty || action == .undo else { return [] }
        switch action {
        case .save:
            notices.display(.saving, at: now)
            return [.act(.save, possible)]
        case .copyLink, .copyAddress, .copyFile, .open: return [.act(action, possible)]
        case .favourite:
            let isFavourite = !possible.allSatisfy { facts.marks(of: $0.key).isFavourite }
            for reference in possible { facts.set(\.isFavourite, to: isFavourite, of: reference.key) }
            return [.setFavourite(possible, isFavourite)]
        case .dismiss: return dismiss(possible)
        case .undo: return undo()
        }
    }

    /// The GIFs with which the action is possible. If there are none, shows the reason.
    private mutating func allowed(_ action: ItemAction, of references: [GIFReference]) -> [GIFReference] {
        let refusals = references.map { $0.refusal(of: action, source: title(ofSource: $0.provider)) }
        let possible = zip(references, refusals).filter { $0.1 == nil }.map(\.0)
        if possible.isEmpty, let refusal = refusals.first, let refusal { notices.display(refusal, at: now) }
        return possible
    }

    /// Ends the gallery with these GIFs, if the part that gifplay prints exists.
    mutating func pick(_ references: [GIFReference]) -> [GalleryEffect] {
        let isLine = references.allSatisfy { $0.path?.hasControlCharacter != true }
        guard isLine else { return refuse(.unprintableName) }
        let action: ItemAction = options.picker == .file ? .save : options.picker == .page ? .copyLink : .copyAddress
        let local = references.filter { $0.path != nil }
        let possible = local.count == references.count ? local : allowed(action, of: references)
        guard !possible.isEmpty else { return [] }
        if action == .save || possible.contains(where: \.isBuiltIn) { notices.display(.saving, at: now) }
        return [.pick(possible)]
    }

    /// Changes the order of the files: by name, the newest first, the largest first.
    mutating func sort() -> [GalleryEffect] {
        guard listing.feed.isOfFiles else { return refuse(.unknownKey(",")) }
        let orders: [FileOrder] = [.name, .time, .size]
        let index = orders.firstIndex(of: options.order ?? .name) ?? -1
        let order = orders[(index + 1) % orders.count]
        (options.order, isSorting, hasChosenFeed) = (order, true, true)
        notices.display(.sorted(order), at: now)
        return [.sort(order)] + refresh()
    }

    mutating func refuse(_ message: GalleryMessage) -> [GalleryEffect] {
        notices.display(message, at: now)
        return []
    }

    mutating func dismiss(_ references: [GIFReference]) -> [GalleryEffect] {
        if listing.feed.isOfFiles { return refuse(.notForFiles) }
        let restores = listing.feed == .dismissed
        let gone = references.filter { facts.marks(of: $0.key).isDismissed == restores }
        guard !gone.isEmpty else { return [] }
        facts.undoable.append(Dismissal(references: gone, feed: listing.feed, selection: grid.selection))
        if facts.undoable.count > Dismissal.maxCount { facts.undoable.removeFirst() }
        let leaves = restores || !listing.feed.isLocal
        mark(gone, isDismissed: !restores)
        grid.update(listing, facts, showsSelected: false)
        return [.setDismissed(gone, !restores)] + (mode.isFull && leaves ? showFull(grid.selected) : [])
    }

    private mutating func undo() -> [GalleryEffect] {
        guard let last = facts.undoable.popLast() else { return refuse(.nothingToUndo) }
        let wasRestored = last.feed == .dismissed
        mark(last.references, isDismissed: wasRestored)
        if last.feed == listing.feed, let selection = last.selection, listing.keys.contains(selection.key) {
            grid.selection = selection
        }
        return [.setDismissed(last.references, wasRestored)]
    }

    private mutating func mark(_ references: [GIFReference], isDismissed: Bool) {
        for reference in references { facts.set(\.isDismissed, to: isDismissed, of: reference.key) }
    }

    mutating func showFull(_ reference: GIFReference?) -> [GalleryEffect] {
        guard let reference else { return [] }
        grid.select(reference)
        mode = .full
        facts.set(\.isViewed, to: true, of: reference.key)
        return [.markViewed(reference)]
    }

    /// Passes over dismissed GIFs, which favourites and the history keep.
    /// - Parameter distance: 1 for the next GIF, -1 for the previous GIF.
    func neighbour(by distance: Int) -> GIFReference? {
        guard let index = grid.selectedIndex else { return nil }
        let indices = stride(from: index + distance, through: distance > 0 ? grid.items.count - 1 : 0, by: distance)
        return indices.lazy.map { grid.items[$0] }.first { item in
            listing.feed == .dismissed || !facts.marks(of: item.key).isDismissed
        }
    }

    mutating func showNeighbour(by distance: Int) -> [GalleryEffect] {
        if let neighbour = neighbour(by: distance) { return showFull(neighbour) }
        let hasMore = distance > 0 && listing.next != nil
        notices.display(distance < 0 ? .first : hasMore ? .loadingMore : .last, at: now)
        return hasMore ? listing.retryNextPage(&tickets) ?? [] : []
    }

    mutating func setDrawing(_ drawing: Drawing) {
        options.drawing = drawing
        options.hasChosenMode = true
        resizeGrid()
        notices.display(.drawing(options.drawing.name(in: traits.graphics, options.language)), at: now)
    }

    /// Selects the last GIF. If the number of all is known, and the sources need few queries for them, also when further
    /// ones have arrived, until the user presses a key.
    mutating func seekLast() {
        grid.select(grid.items.last)
        let remaining = (listing.total ?? .max) - listing.items.count
        seeksLast = listing.next != nil && (listing.feed.isOfFiles || remaining <= Self.soughtItems)
    }

    private static let soughtItems = 300

    /// Selects a GIF. If the listing does not have it, loads further files, or else adds the GIF.
    private mutating func seek(_ reference: GIFReference) {
        if listing.feed.isOfFiles, !listing.keys.contains(reference.key) {
            return grid.select(listing.next == nil ? nil : grid.items.last)
        }
        listing.insert(reference, after: nil)
        grid.update(listing, facts, showsSelected: false)
        grid.select(reference)
    }

    /// - Parameter step: 1 for larger tiles, -1 for smaller ones.
    mutating func resizeTiles(by step: Int) {
        options.tileZoom = min(max(options.tileZoom + step, -GalleryOptions.maximumZoom), GalleryOptions.maximumZoom)
        resizeGrid()
    }
}
