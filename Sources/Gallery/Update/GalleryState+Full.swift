import Catalog

extension GalleryState {
    mutating func openFull() -> [GalleryEffect] { showFull(selected) }

    /// Shows a GIF in the full view and marks it as viewed.
    mutating func showFull(_ reference: GIFReference?) -> [GalleryEffect] {
        guard let reference else { return [] }
        // If the GIF is already in the full view, keep the `FullPicture`, because its `TileUpdate` is not sent again.
        let isShown = mode.isFull && listing.selection?.key == reference.key
        select(reference)
        if !isShown { mode = .full(.small) }
        facts.marks[reference.key, default: Marks()].isViewed = true
        return [.markViewed(reference)]
    }

    /// - Parameter distance: 1 for the next GIF, -1 for the previous GIF.
    mutating func showNeighbour(by distance: Int) -> [GalleryEffect] {
        guard let neighbour = neighbour(by: distance) else {
            showMessage(distance > 0 ? .last : .first)
            return []
        }
        return showFull(neighbour)
    }

    func neighbour(by distance: Int) -> GIFReference? {
        guard let index = selectedIndex, items.indices.contains(index + distance) else { return nil }
        return items[index + distance]
    }
}
