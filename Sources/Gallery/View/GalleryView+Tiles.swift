import Base
import Catalog
import Pixels
import Playback

extension GalleryView {
    func drawTiles(_ builder: inout ScreenBuilder) {
        let visible = state.grid.visibleRows
        let offset = pane.content.lowerBound - visible.lowerBound
        for (index, tile) in state.grid.masonry.tiles.enumerated() where tile.rows.overlaps(visible) {
            draw(tile, of: state.grid.items[index], movedBy: offset, &builder)
        }
    }

    private func draw(
        _ tile: Masonry.Tile, of reference: GIFReference, movedBy offset: Int, _ builder: inout ScreenBuilder
    ) {
        let top = tile.top + offset
        let rows = (top..<tile.titleRow + offset).clamped(to: pane.content)
        let isSelected = tile.key == state.grid.selection?.key
        drawPicture(
            of: tile.key, tile.picture, at: CellPosition(row: top, column: tile.left), rows,
            failure: state.facts.failures[tile.key], isBeside: !isSelected, &builder)
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
        return title.isEmpty ? language.untitled : title
    }

    func marksBefore(_ reference: GIFReference) -> String {
        let marks = state.facts.marks(of: reference.key)
        return (state.facts.progress[reference.key] == nil ? "" : "↓ ") + (marks.isDismissed ? "✕ " : "")
            + (marks.isFavourite ? "★ " : "") + (marks.isViewed || reference.path != nil ? "" : "• ")
    }

    /// - Parameter failure: the reason that is drawn in place of the picture.
    func drawPicture(
        of key: GIFKey, _ picture: PixelSize, at position: CellPosition, _ rows: Range<Int>, failure: String?,
        isBeside: Bool = false, _ builder: inout ScreenBuilder
    ) {
        guard !rows.isEmpty else { return }
        let text =
            failure.map { language(en: "failed: \($0)", de: "Fehler: \($0)") }
            ?? state.facts.progress[key].map(language.amount) ?? language(en: "loading…", de: "lädt …")
        let placeholder = placeholder(picture, at: position, text, rows, builder)
        if failure != nil { return builder.add(placeholder) }
        builder.addTile(
            TilePlacement(
                key: key, position: position, size: picture, visibleRows: rows, isBeside: isBeside,
                placeholder: placeholder))
    }

    /// Returns the text that is displayed in place of a picture and, if there is enough space, the corners of a frame
    /// around it. Omits the parts outside `rows`.
    private func placeholder(
        _ picture: PixelSize, at position: CellPosition, _ text: String, _ rows: Range<Int>, _ builder: ScreenBuilder
    ) -> [TextRun] {
        let (top, left) = (position.row, position.column)
        var runs: [(text: String, row: Int, column: Int)] = []
        if picture.rows > 1, picture.width > 2 {
            let right = left + picture.width - 1
            let bottom = top + picture.rows - 1
            runs += [("╭", top, left), ("╮", top, right), ("╰", bottom, left), ("╯", bottom, right)]
        }
        let text = TerminalText.fitted(text, to: max(1, picture.width - 2))
        let column = left + max(0, (picture.width - TerminalText.width(text)) / 2)
        runs.append((text, top + (picture.rows - 1) / 2, column))
        return runs.filter { rows.contains($0.row) }.compactMap {
            builder.run($0.text, row: $0.row, column: $0.column, room: nil, .dim)
        }
    }
}
