import Playback

extension GalleryState {
    /// The number of rows that one notch of the mouse wheel scrolls.
    static let wheelRows = 3

    mutating func handlePointer(_ event: PointerEvent) -> [GalleryEffect] {
        switch (event.kind, mode) {
        case (.press, .help(_, let below)):
            mode = below
            return []
        case (_, .help): return []
        case (.press, .full):
            mode = .browsing
            return []
        case (.wheelDown, .full): return showNeighbour(by: 1)
        case (.wheelUp, .full): return showNeighbour(by: -1)
        case (.wheelDown, _): wheel(by: Self.wheelRows)
        case (.wheelUp, _): wheel(by: -Self.wheelRows)
        case (.press, _): return press(row: event.row, column: event.column)
        }
        return []
    }

    private mutating func press(row: Int, column: Int) -> [GalleryEffect] {
        let pane = pane
        if row == pane.field {
            mode = .typing
            return []
        }
        mode = .browsing
        if row == pane.feeds {
            guard let label = feedLabels().first(where: { $0.columns.contains(column) }) else { return [] }
            return switchFeed(to: label.feed, queryingAt: now)
        }
        guard pane.content.contains(row), let tile = tile(atRow: row, column: column) else { return [] }
        let wasSelected = tile.key == listing.selection?.key
        guard let index = masonry.index(of: tile.key) else { return [] }
        select(items[index])
        return wasSelected ? openFull() : []
    }

    private func tile(atRow row: Int, column: Int) -> Masonry.Tile? {
        let inListing = row - pane.content.lowerBound + scroll
        return masonry.tiles.first { tile in
            tile.rows.contains(inListing) && column / pane.pitch == tile.column
        }
    }
}
