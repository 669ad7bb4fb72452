import Catalog

extension GalleryState {
    /// Handles a letter key that acts on one GIF.
    mutating func perform(_ letter: Character, on reference: GIFReference) -> [GalleryEffect] {
        switch letter {
        case "s": return save(reference)
        case "y":
            guard reference.pageURL != nil else { return refuse(.noPage) }
            return [.copyLink(reference)]
        case "Y": return [.copyAddress(reference)]
        case "o":
            guard reference.pageURL != nil else { return refuse(.noPage) }
            return [.openPage(reference)]
        case "f":
            let isFavourite = !facts.marks(of: reference.key).isFavourite
            facts.marks[reference.key, default: Marks()].isFavourite = isFavourite
            showMessage(.favourite(isFavourite))
            return [.setFavourite(reference, isFavourite)]
        default: return []
        }
    }

    private mutating func refuse(_ message: StatusMessage) -> [GalleryEffect] {
        showMessage(message)
        return []
    }

    /// Saves a GIF, unless its service forbids copies.
    private mutating func save(_ reference: GIFReference) -> [GalleryEffect] {
        guard reference.cachePolicy != .sessionOnly else {
            return refuse(.reported(.savingForbidden(source: title(ofSource: reference.provider))))
        }
        showMessage(.saving)
        return [.save(reference)]
    }

    mutating func dismissSelected() -> [GalleryEffect] {
        guard let selected else { return [] }
        return dismiss([selected])
    }

    /// Dismisses all GIFs that are at least partly on the screen.
    mutating func dismissAllVisible() -> [GalleryEffect] {
        let visible = Set(masonry.tiles(in: visibleRows).map(\.key))
        return dismiss(items.filter { visible.contains($0.key) })
    }

    private mutating func dismiss(_ references: [GIFReference]) -> [GalleryEffect] {
        let gone = references.filter { !facts.marks(of: $0.key).isDismissed }
        guard !gone.isEmpty else { return [] }
        undoable.append(Dismissal(references: gone, feed: listing.feed, selection: listing.selection))
        if undoable.count > Dismissal.maxCount { undoable.removeFirst() }
        if listing.feed != .history { selectBeside(Set(gone.map(\.key))) }
        mark(gone, isDismissed: true)
        showMessage(.dismissed(gone.count))
        guard mode.isFull, listing.feed != .history, let next = selected else { return [.setDismissed(gone, true)] }
        return [.setDismissed(gone, true)] + showFull(next)
    }

    mutating func undo() -> [GalleryEffect] {
        guard let last = undoable.popLast() else { return refuse(.nothingToUndo) }
        mark(last.references, isDismissed: false)
        if last.feed == listing.feed, let selection = last.selection, listing.keys.contains(selection.key) {
            if listing.selection?.key != selection.key { mode = mode.with(.small) }
            listing.selection = selection
        }
        showMessage(.restored(last.references.count))
        return [.setDismissed(last.references, false)]
    }

    /// Sets or clears the dismissed mark of these GIFs. The next layout places the first of them and all later GIFs of
    /// the listing again, so that other tiles fill the positions of dismissed tiles.
    private mutating func mark(_ references: [GIFReference], isDismissed: Bool) {
        for reference in references { facts.marks[reference.key, default: Marks()].isDismissed = isDismissed }
        let keys = Set(references.map(\.key))
        let tail = listing.items.drop { !keys.contains($0.key) }
        listing.columns.removeAssignments(of: tail.lazy.map(\.key))
    }

    /// Selects another GIF if the selected GIF is being dismissed: the next GIF that stays in the listing, or the last
    /// one before the selected GIF if no later GIF stays.
    private mutating func selectBeside(_ gone: Set<GIFKey>) {
        guard let selection = listing.selection, gone.contains(selection.key),
            let index = masonry.index(of: selection.key)
        else { return }
        let staying =
            items[index...].first { !gone.contains($0.key) } ?? items[..<index].last { !gone.contains($0.key) }
        listing.selection = staying.map { Listing.Selection(key: $0.key, row: selection.row) }
    }
}

extension GalleryState {
    func title(ofSource name: String) -> String { options.sourceTitles[name] ?? name }
}
