import Base
import Catalog
import Pixels
import Playback

extension GalleryState {
    func drawTiles(_ builder: inout ScreenBuilder) {
        let offset = pane.content.lowerBound - scroll
        for (index, tile) in masonry.tiles.enumerated() where tile.rows.overlaps(visibleRows) {
            draw(tile, of: items[index], movedBy: offset, &builder)
        }
    }

    private func draw(
        _ tile: Masonry.Tile, of reference: GIFReference, movedBy offset: Int, _ builder: inout ScreenBuilder
    ) {
        let top = tile.top + offset
        let rows = (top..<tile.titleRow + offset).clamped(to: pane.content)
        let box = Box(top: top, left: tile.left, width: tile.picture.width, height: tile.picture.rows)
        if let reason = facts.failures[tile.key] {
            for run in placeholder(box, strings.failedTile(reason), rows, builder) {
                builder.write(run.text, row: run.position.row, column: run.position.column, run.style)
            }
        } else if !rows.isEmpty {
            builder.addTile(
                TilePlacement(
                    key: tile.key, position: CellPosition(row: top, column: tile.left), size: tile.picture,
                    visibleRows: rows, placeholder: placeholder(box, strings.loadingTile, rows, builder)))
        }
        let isSelected = tile.key == listing.selection?.key
        if isSelected, pane.gutter > 0 {
            for row in rows { builder.write("┃", row: row, column: tile.left - 1, .bold) }
        }
        let titleRow = tile.titleRow + offset
        guard pane.content.contains(titleRow) else { return }
        drawTitle(of: reference, row: titleRow, left: tile.left, isSelected: isSelected, &builder)
    }

    private func drawTitle(
        of reference: GIFReference, row: Int, left: Int, isSelected: Bool, _ builder: inout ScreenBuilder
    ) {
        if isSelected, pane.gutter > 0 { builder.write("▶", row: row, column: left - 1, .bold) }
        let title = marksBefore(reference) + title(of: reference)
        guard isSelected else { return builder.write(title, row: row, column: left, room: pane.pictureColumns) }
        let room = pane.pictureColumns - 2
        let text = room > 2 ? "[" + TerminalText.fitted(title, to: room) + "]" : title
        let style = TextStyle(isBold: true, isReversed: true)
        builder.write(text, row: row, column: left, room: pane.pictureColumns, style)
    }

    func title(of reference: GIFReference) -> String {
        let title = SafeText.line(reference.title)
        return title.isEmpty ? strings.untitled : title
    }

    /// Returns the marks before a title: a cross for a dismissed GIF, a star for a favourite, and a dot for a GIF that
    /// was not viewed yet.
    func marksBefore(_ reference: GIFReference) -> String {
        let marks = facts.marks(of: reference.key)
        return (marks.isDismissed ? "✕ " : "") + (marks.isFavourite ? "★ " : "") + (marks.isViewed ? "" : "• ")
    }

    /// The area of a picture in the pane, in cells.
    struct Box {
        var top: Int
        var left: Int
        var width: Int
        var height: Int
    }

    /// Returns the corners and the text that are displayed in place of a picture. Omits the parts outside `rows`.
    func placeholder(_ box: Box, _ text: String, _ rows: Range<Int>, _ builder: ScreenBuilder) -> [TextRun] {
        var runs: [(text: String, row: Int, column: Int)] = []
        if box.height > 1, box.width > 2 {
            let right = box.left + box.width - 1
            let bottom = box.top + box.height - 1
            runs += [("╭", box.top, box.left), ("╮", box.top, right), ("╰", bottom, box.left), ("╯", bottom, right)]
        }
        let room = max(1, box.width - 2)
        let text = TerminalText.fitted(text, to: room)
        let column = box.left + max(0, (box.width - TerminalText.width(text)) / 2)
        runs.append((text, box.top + (box.height - 1) / 2, column))
        return runs.filter { rows.contains($0.row) }.compactMap {
            builder.run($0.text, row: $0.row, column: $0.column, room: nil, .dim)
        }
    }
}
