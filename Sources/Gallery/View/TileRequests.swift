import Catalog
import Pixels

/// Creates the tile requests for the GIFs that ``GalleryState/view()`` places on the screen, and for GIFs near the
/// screen.
extension GalleryState {
    func tileRequests() -> [TileRequest] {
        if let shown = screensaver.shown { return [fullRequest(shown)] }
        guard mode.isFull, let selected else { return galleryRequests() }
        let neighbours = [neighbour(by: 1), neighbour(by: -1)].compactMap(\.self)
        return (facts.failures[selected.key] == nil ? [fullRequest(selected)] : []) + neighbours.map(near)
    }

    private func fullRequest(_ reference: GIFReference) -> TileRequest {
        let picture = pane.fullPicture(for: facts.canvas(of: reference)).size
        return TileRequest(reference: reference, target: picture, purpose: .animation, wantsOriginal: true)
    }

    private func near(_ reference: GIFReference) -> TileRequest {
        TileRequest(reference: reference, target: PixelSize(width: 0, height: 0), purpose: .prefetch)
    }

    /// Returns the requests in four groups: the selected GIF, the other visible GIFs, the GIFs below the screen, and
    /// the GIFs above the screen. Each group is ordered by the distance from the selected GIF.
    private func galleryRequests() -> [TileRequest] {
        let visible = visibleRows
        let room = pane.content.count
        let middle = selectedIndex.map { masonry.tiles[$0].rows.middle } ?? visible.lowerBound
        var requests: [(order: (Int, Int), request: TileRequest)] = []
        let near = visible.lowerBound - room..<visible.upperBound + room
        for (index, tile) in masonry.tiles.enumerated()
        where tile.rows.overlaps(near) && facts.failures[tile.key] == nil {
            let distance = abs(tile.rows.middle - middle)
            if tile.pictureRows.overlaps(visible) {
                let isSelected = tile.key == listing.selection?.key
                let purpose: TileRequest.Purpose = options.reducesMotion && !isSelected ? .still : .animation
                let request = TileRequest(reference: items[index], target: tile.picture, purpose: purpose)
                requests.append(((isSelected ? 0 : 1, distance), request))
            } else {
                requests.append(((tile.top >= visible.lowerBound ? 2 : 3, distance), self.near(items[index])))
            }
        }
        // Tiles of one group at the same distance stay in the order of the listing.
        return requests.enumerated()
            .sorted { one, other in
                one.element.order == other.element.order
                    ? one.offset < other.offset : one.element.order < other.element.order
            }
            .map(\.element.request)
    }
}
