import Base
import Catalog
import Pixels
import Playback

extension GalleryState {
    func drawTiles(_ draft: inout Draft) {
        let offset = pane.content.lowerBound - scroll
        for (index, tile) in masonry.tiles.enumerated() where tile.rows.overlaps(visibleRows) {
            draw(tile, of: items[index], movedBy: offset, &draft)
        }
    }

    private func draw(_ tile: Masonry.Tile, of reference: GIFReference, movedBy offset: Int, _ draft: inout Draft) {
        let top = tile.top + offset
        let rows = (top..<tile.titleRow + offset).clamped(to: pane.content)
        let box = Box(top: top, left: tile.left, width: tile.picture.width, height: tile.picture.rows)
        if let reason = knowledge.failures[tile.key] {
            for run in placeholder(box, words.failedTile(reason), rows, draft) {
                draft.write(run.text, row: run.position.row, column: run.position.column, run.style)
            }
        } else if !rows.isEmpty {
            draft.place(
                TilePlacement(
                    key: tile.key, position: CellPosition(row: top, column: tile.left), size: tile.picture,
                    visibleRows: rows, placeholder: placeholder(box, words.loadingTile, rows, draft)))
        }
        let isSelected = tile.key == listing.selection?.key
        if isSelected, pane.gutter > 0 {
            for row in rows { draft.write("┃", row: row, column: tile.left - 1, .bold) }
        }
        let titleRow = tile.titleRow + offset
        guard pane.content.contains(titleRow) else { return }
        drawTitle(of: reference, row: titleRow, left: tile.left, isSelected: isSelected, &draft)
    }

    private func drawTitle(
        of reference: GIFReference, row: Int, left: Int, isSelected: Bool, _ draft: inout Draft
    ) {
        if isSelected, pane.gutter > 0 { draft.write("▶", row: row, column: left - 1, .bold) }
        let title = marksBefore(reference) + title(of: reference)
        guard isSelected else { return draft.write(title, row: row, column: left, room: pane.pictureColumns) }
        let room = pane.pictureColumns - 2
        let text = room > 2 ? "[" + TerminalText.fitted(title, to: room) + "]" : title
        draft.write(text, row: row, column: left, room: pane.pictureColumns, TextStyle(isBold: true, isReversed: true))
    }

    func title(of reference: GIFReference) -> String {
        let title = SafeText.line(reference.title)
        return title.isEmpty ? words.untitled : title
    }

    /// The marks before a title: a cross for a dismissed GIF, a star for a favourite, a dot for one not yet viewed.
    func marksBefore(_ reference: GIFReference) -> String {
        let marks = knowledge.marks(of: reference.key)
        return (marks.isDismissed ? "✕ " : "") + (marks.isFavourite ? "★ " : "") + (marks.isViewed ? "" : "• ")
    }

    /// The area of a picture in the pane, in cells.
    struct Box {
        var top: Int
        var left: Int
        var width: Int
        var height: Int
    }

    /// The corners and the text that are displayed in place of a picture, as far as they are within `rows`.
    func placeholder(_ box: Box, _ text: String, _ rows: Range<Int>, _ draft: Draft) -> [TextRun] {
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
            draft.run($0.text, row: $0.row, column: $0.column, room: nil, .dim)
        }
    }
}
