import Catalog

extension GalleryState {
    mutating func perform(_ letter: Character, on reference: GIFReference) -> [GalleryEffect] {
        switch letter {
        case "s" where reference.path != nil: return refuse(.alreadyLocal)
        case "f" where reference.path != nil: return refuse(.notForFiles)
        case "Y" where reference.path != nil: return [.copyLink(reference)]
        case "s": return save(reference)
        case "y", "o":
            guard (reference.pageURL ?? reference.path) != nil else { return refuse(.noPage) }
            return [letter == "y" ? .copyLink(reference) : .openPage(reference)]
        case "Y": return [.copyAddress(reference)]
        case "f":
            let isFavourite = !facts.marks(of: reference.key).isFavourite
            facts.set(\.isFavourite, to: isFavourite, of: reference.key)
            notices.show(.favourite(isFavourite), at: now)
            return [.setFavourite(reference, isFavourite)]
        default: return []
        }
    }

    private mutating func refuse(_ message: GalleryMessage) -> [GalleryEffect] {
        notices.show(message, at: now)
        return []
    }

    private mutating func save(_ reference: GIFReference) -> [GalleryEffect] {
        guard reference.cachePolicy != .sessionOnly else {
            return refuse(.savingForbidden(source: title(ofSource: reference.provider)))
        }
        notices.show(.saving, at: now)
        return [.save(reference)]
    }

    mutating func dismissSelected() -> [GalleryEffect] { grid.selected.map { dismiss([$0]) } ?? [] }

    /// Dismisses all GIFs that are at least partly on the screen.
    mutating func dismissAllVisible() -> [GalleryEffect] { dismiss(grid.visibleItems) }

    private mutating func dismiss(_ references: [GIFReference]) -> [GalleryEffect] {
        if listing.feed.isOfFiles { return refuse(.notForFiles) }
        let gone = references.filter { !facts.marks(of: $0.key).isDismissed }
        guard !gone.isEmpty else { return [] }
        facts.undoable.append(Dismissal(references: gone, feed: listing.feed, selection: grid.selection))
        if facts.undoable.count > Dismissal.maxCount { facts.undoable.removeFirst() }
        if listing.feed != .history { changeSelection { $0.selectBeside(Set(gone.map(\.key))) } }
        mark(gone, isDismissed: true)
        notices.show(.dismissed(gone.count), at: now)
        return [.setDismissed(gone, true)] + (mode.isFull && listing.feed != .history ? openFull() : [])
    }

    mutating func undo() -> [GalleryEffect] {
        guard let last = facts.undoable.popLast() else { return refuse(.nothingToUndo) }
        mark(last.references, isDismissed: false)
        if last.feed == listing.feed, let selection = last.selection, listing.keys.contains(selection.key) {
            changeSelection { $0.restore(selection) }
        }
        notices.show(.restored(last.references.count), at: now)
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
        if grid.selection?.key != before { mode = mode.replacingFull(by: .full(.small)) }
    }

    /// - Parameter distance: 1 for the next GIF, -1 for the previous GIF.
    mutating func showNeighbour(by distance: Int) -> [GalleryEffect] {
        guard let neighbour = grid.neighbour(by: distance) else {
            notices.show(distance > 0 ? .last : .first, at: now)
            return []
        }
        return showFull(neighbour)
    }
}
