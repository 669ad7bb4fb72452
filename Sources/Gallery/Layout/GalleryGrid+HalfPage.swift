extension GalleryGrid {
    /// Scrolls by half of the visible part and selects a visible tile.
    mutating func scrollHalfPage(by direction: Int) {
        let before = scroll
        wheel(by: direction * max(1, pane.content.count / 2))
        if scroll == before { select(direction > 0 ? items.last : items.first) }
    }
}
