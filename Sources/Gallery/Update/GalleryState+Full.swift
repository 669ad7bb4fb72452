import Catalog

extension GalleryState {
    mutating func openFull() -> [GalleryEffect] { showFull(grid.selected) }

    /// Shows a GIF in the full view and marks it as viewed.
    mutating func showFull(_ reference: GIFReference?) -> [GalleryEffect] {
        guard let reference else { return [] }
        // If the full view already shows this GIF, keep its `FullPicture`, because the `TileUpdate` that set the value
        // is not sent again.
        let isShown = mode.isFull && grid.selection?.key == reference.key
        grid.select(reference)
        if !isShown { mode = .full(.small) }
        facts.set(\.isViewed, to: true, of: reference.key)
        return [.markViewed(reference)]
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
