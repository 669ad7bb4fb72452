import Catalog
import Playback

extension GalleryState {
    mutating func perform(_ action: ItemAction, on reference: GIFReference) -> [GalleryEffect] {
        if let refusal = reference.refusal(of: action, source: title(ofSource: reference.provider)) {
            return refuse(refusal)
        }
        switch action {
        case .save:
            notices.show(.saving, at: now)
            return [.save(reference)]
        case .copyLink: return [.copyLink(reference)]
        case .copyAddress: return [.copyAddress(reference)]
        case .open: return [.openPage(reference)]
        case .favourite:
            let isFavourite = !facts.marks(of: reference.key).isFavourite
            facts.set(\.isFavourite, to: isFavourite, of: reference.key)
            return [.setFavourite(reference, isFavourite)]
        case .dismiss: return dismiss([reference])
        }
    }

    /// Ends the gallery with this GIF, if the part that gifplay prints exists.
    mutating func pick(_ reference: GIFReference) -> [GalleryEffect] {
        let action: ItemAction = options.picker == .file ? .save : options.picker == .page ? .copyLink : .copyAddress
        if reference.path == nil,
            let refusal = reference.refusal(of: action, source: title(ofSource: reference.provider))
        {
            return refuse(refusal)
        }
        if action == .save { notices.show(.saving, at: now) }
        return [.pick(reference)]
    }

    private mutating func refuse(_ message: GalleryMessage) -> [GalleryEffect] {
        notices.show(message, at: now)
        return []
    }

    mutating func dismiss(_ references: [GIFReference]) -> [GalleryEffect] {
        if listing.feed.isOfFiles { return refuse(.notForFiles) }
        let gone = references.filter { !facts.marks(of: $0.key).isDismissed }
        guard !gone.isEmpty else { return [] }
        facts.undoable.append(Dismissal(references: gone, feed: listing.feed, selection: grid.selection))
        if facts.undoable.count > Dismissal.maxCount { facts.undoable.removeFirst() }
        if listing.feed != .history { changeSelection { $0.selectBeside(Set(gone.map(\.key))) } }
        mark(gone, isDismissed: true)
        return [.setDismissed(gone, true)] + (mode.isFull && listing.feed != .history ? openFull() : [])
    }

    mutating func undo() -> [GalleryEffect] {
        guard let last = facts.undoable.popLast() else { return refuse(.nothingToUndo) }
        mark(last.references, isDismissed: false)
        if last.feed == listing.feed, let selection = last.selection, listing.keys.contains(selection.key) {
            changeSelection { $0.restore(selection) }
        }
        return [.setDismissed(last.references, false)]
    }

    private mutating func mark(_ references: [GIFReference], isDismissed: Bool) {
        for reference in references { facts.set(\.isDismissed, to: isDismissed, of: reference.key) }
    }
}

extension GalleryState {
    mutating func openFull() -> [GalleryEffect] { showFull(grid.selected) }

    mutating func showFull(_ reference: GIFReference?) -> [GalleryEffect] {
        guard let reference else { return [] }
        changeSelection { $0.select(reference) }
        if !mode.isFull { mode = .full(.small) }
        facts.set(\.isViewed, to: true, of: reference.key)
        return [.markViewed(reference)]
    }

    /// Changes the selection. If another GIF is selected afterwards, an open full view shows the small file of that GIF
    /// until its original arrives. If the same GIF is selected, its `FullPicture` is kept, because the `TileUpdate` that
    /// set the value is not sent again.
    mutating func changeSelection(_ change: (inout GalleryGrid) -> Void) {
        let before = grid.selection?.key
        change(&grid)
        guard grid.selection?.key != before else { return }
        mode = mode.replacingFull(by: .full(.small))
        playback = LargePlayback()
    }

    /// - Parameter distance: 1 for the next GIF, -1 for the previous GIF.
    mutating func showNeighbour(by distance: Int) -> [GalleryEffect] {
        if let neighbour = grid.neighbour(by: distance) { return showFull(neighbour) }
        let hasMore = distance > 0 && listing.next != nil
        notices.show(distance < 0 ? .first : hasMore ? .loadingMore : .last, at: now)
        return hasMore ? listing.retryNextPage(&tickets) ?? [] : []
    }

    mutating func changeDrawing() {
        options.drawing = options.drawing.next(in: traits.graphics)
        options.hasChosenMode = true
        grid.resize(to: Pane(traits, options))
        notices.show(.drawing(options.drawing.name(in: traits.graphics, options.language)), at: now)
    }

    /// - Parameter step: 1 for larger tiles, -1 for smaller ones.
    mutating func resizeTiles(by step: Int) {
        options.tileZoom = min(max(options.tileZoom + step, -GalleryOptions.maximumZoom), GalleryOptions.maximumZoom)
        grid.resize(to: Pane(traits, options))
    }
}
