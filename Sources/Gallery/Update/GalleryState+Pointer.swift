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
        case (.wheelDown, _): grid.wheel(by: Self.wheelRows)
        case (.wheelUp, _): grid.wheel(by: -Self.wheelRows)
        case (.press, _): return press(row: event.row, column: event.column)
        }
        return []
    }

    private mutating func press(row: Int, column: Int) -> [GalleryEffect] {
        let pane = grid.pane
        if row == pane.field {
            mode = .typing
            return []
        }
        mode = .browsing
        if row == pane.feeds {
            let label = GalleryView(self).feedLabels().first { $0.columns.contains(column) }
            return label.map { switchFeed(to: $0.feed, queryingAt: now) } ?? []
        }
        guard let item = grid.item(atRow: row, column: column) else { return [] }
        let wasSelected = item.key == grid.selection?.key
        grid.select(item)
        return wasSelected ? openFull() : []
    }
}
