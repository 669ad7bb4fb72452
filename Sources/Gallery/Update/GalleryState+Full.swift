import Catalog

extension GalleryState {
    mutating func openFull() -> [GalleryEffect] { showFull(grid.selected) }

    /// Shows a GIF in the full view and marks it as viewed.
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
