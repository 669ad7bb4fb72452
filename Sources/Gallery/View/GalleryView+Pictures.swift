import Base
import Catalog
import Pixels
import Playback

extension GalleryView {
    func drawTiles(_ builder: inout ScreenBuilder) {
        let grid = state.previousGrid ?? state.grid
        let visible = grid.visibleRows
        let offset = grid.content.lowerBound - visible.lowerBound
        for index in grid.indices(in: visible) { draw(index, of: grid, movedBy: offset, &builder) }
    }

    /// The GIF whose large picture is beside the tiles.
    var sideItem: GIFReference? { pane.side == nil ? nil : (state.previousGrid ?? state.grid).selected }

    /// Draws the large picture beside the tiles, with title, credit and facts below it.
    func drawSide(_ builder: inout ScreenBuilder) {
        guard let reference = sideItem, let side = pane.side else { return }
        let isPrevious = state.previousGrid != nil
        let picture = pictureSize(of: reference, in: side.box)
        let (top, left) = (side.rows.lowerBound, side.columns.lowerBound)
        drawPicture(
            TilePlacement(
                key: reference.key, isLarge: true, position: ScreenPosition(row: top, column: left), size: picture,
                visibleRows: top..<top + picture.rows, isFaded: isPrevious, isPrevious: isPrevious, fill: waitingColor),
            &builder)
        let facts = joined(credit(of: reference) + language.facts(of: reference, at: state.seconds))
        let title = marksBefore(reference) + title(of: reference)
        let rows = top + picture.rows..<side.rows.upperBound
        for (row, text) in zip(rows, [title] + TerminalText.wrapped(facts, to: side.columns.count)) {
            builder.write(
                TerminalText.fittedTitle(text, to: side.columns.count), row: row, column: left,
                row == rows.lowerBound && !isPrevious ? .bold : .dim, link: reference.pageURL)
        }
    }

    private func draw(_ index: Int, of grid: GalleryGrid, movedBy offset: Int, _ builder: inout ScreenBuilder) {
        let reference = grid.items[index]
        let rows = grid.rows(of: index)
        let (top, left) = (rows.lowerBound + offset + pane.edge, grid.left(of: index))
        let isPrevious = state.previousGrid != nil
        let isSelected = !isPrevious && reference.key == grid.selection?.key
        let picture = pictureSize(of: reference, in: pane.box)
        let position = ScreenPosition(
            row: top + (pane.box.rows - picture.rows) / 2, column: left + (pane.box.columns - picture.width) / 2)
        let shown = (position.row..<position.row + picture.rows).clamped(to: grid.content)
        drawPicture(
            TilePlacement(
                key: reference.key, position: position, size: picture, visibleRows: shown,
                isBeside: !isSelected || pane.side != nil, isFaded: isPrevious || !isSelected && isFaded(reference),
                isPrevious: isPrevious, fill: waitingColor), &builder)
        if isSelected { drawFrame(top, left, &builder) }
        let titleRow = rows.upperBound - 1 + offset
        guard grid.content.contains(titleRow) else { return }
        drawTitle(of: reference, row: titleRow, left: left, isSelected: isSelected, &builder)
    }

    /// In half-block pixels. The reason for a failure needs the whole box.
    private func pictureSize(of reference: GIFReference, in box: CellSize) -> PixelSize {
        state.facts.failures[reference.key] == nil
            ? pane.target(for: state.facts.canvas(of: reference), in: box)
            : PixelSize(width: box.columns, height: box.rows * 2)
    }

    /// Draws the upper edge and the sides of the selection's frame around the box at this position. They touch the box.
    /// The lower edge is the title.
    private func drawFrame(_ top: Int, _ left: Int, _ builder: inout ScreenBuilder) {
        guard pane.gutter > 0 else { return }
        let blocks = state.options.hasQuadrants ? ["▗", "▄", "▖", "▐", "▌"] : ["▄", "▄", "▄", "▐", "▌"]
        let parts = pane.hasColors ? blocks : ["┏", "━", "┓", "┃", "┃"]
        let edge = parts[0] + String(repeating: parts[1], count: pane.box.columns) + parts[2]
        for row in (top - pane.edge..<top + pane.box.rows).clamped(to: state.grid.content) {
            guard row >= top else {
                builder.write(edge, row: row, column: left - 1, .accented)
                continue
            }
            builder.write(parts[3], row: row, column: left - 1, .accented)
            builder.write(parts[4], row: row, column: left + pane.box.columns, .accented)
        }
    }

    private func drawTitle(
        of reference: GIFReference, row: Int, left: Int, isSelected: Bool, _ builder: inout ScreenBuilder
    ) {
        let title = TerminalText.fittedTitle(marksBefore(reference) + title(of: reference), to: pane.box.columns)
        guard isSelected else { return builder.write(title, row: row, column: left, room: pane.box.columns, .dim) }
        let rest = String(repeating: " ", count: pane.box.columns - TerminalText.width(title) + pane.gutter)
        let bar = String(repeating: " ", count: pane.gutter) + title + rest
        builder.write(bar, row: row, column: left - pane.gutter, .selected)
    }

    func title(of reference: GIFReference) -> String {
        let title = SafeText.line(reference.title)
        return title.isEmpty ? language.untitled : title
    }

    func marksBefore(_ reference: GIFReference) -> String {
        let marks = state.facts.marks(of: reference.key)
        return (state.isMarked(reference) ? "✓ " : "")
            + (state.facts.loading.contains(reference.key) ? "↓ " : "")
            + (state.facts.damaged.contains(reference.key) ? "! " : "") + (marks.isDismissed ? "✕ " : "")
            + (marks.isFavourite ? "★ " : "")
    }

    /// Whether the user has seen the GIF, in a feed in which that is of interest.
    private func isFaded(_ reference: GIFReference) -> Bool {
        let marks = state.facts.marks(of: reference.key)
        return marks.isViewed && !marks.isFavourite && !state.listing.feed.isLocal
    }

    private func drawPicture(_ tile: TilePlacement, _ builder: inout ScreenBuilder) {
        guard !tile.visibleRows.isEmpty else { return }
        guard let failure = state.facts.failures[tile.key] else { return builder.screen.tiles.append(tile) }
        let reason = SafeText.line(language(failure))
        let text = language(en: "failed: \(reason)", de: "Fehler: \(reason)")
        let size = CellSize(columns: tile.size.width, rows: tile.size.rows)
        builder.screen.runs += frame(size, at: tile.position, text, tile.visibleRows, builder)
    }

    /// Fills the tiles that a running query will replace.
    func drawWaitingTiles(_ builder: inout ScreenBuilder) {
        for index in 0..<pane.content.count / pane.rowPitch * pane.columnCount {
            let row = pane.content.lowerBound + index / pane.columnCount * pane.rowPitch + pane.edge
            let visible = (row..<row + pane.box.rows).clamped(to: pane.content)
            guard !visible.isEmpty else { continue }
            builder.screen.tiles.append(
                TilePlacement(
                    key: GIFKey(provider: "", id: "\(index)"),
                    position: ScreenPosition(row: row, column: state.grid.left(of: index)),
                    size: PixelSize(width: pane.box.columns, height: 2 * pane.box.rows), visibleRows: visible,
                    fill: waitingColor))
        }
    }

    /// A little off the background.
    private var waitingColor: CellColor {
        let ground = state.traits.background ?? .black
        let channels = [ground.red, ground.green, ground.blue].map { UInt8($0 < 128 ? $0 + 28 : $0 - 28) }
        return CellColor(red: channels[0], green: channels[1], blue: channels[2])
    }

    /// Returns the text that is displayed in place of a picture and, if there is enough space, the corners of a frame
    /// around it. Omits the parts outside `rows`.
    private func frame(
        _ size: CellSize, at position: ScreenPosition, _ text: String, _ rows: Range<Int>, _ builder: ScreenBuilder
    ) -> [TextRun] {
        let (top, left) = (position.row, position.column)
        var runs: [(text: String, row: Int, column: Int)] = []
        if size.rows > 1, size.columns > 2 {
            let (right, bottom) = (left + size.columns - 1, top + size.rows - 1)
            runs += [("╭", top, left), ("╮", top, right), ("╰", bottom, left), ("╯", bottom, right)]
        }
        let (wrapped, room) = (TerminalText.wrapped(text, to: max(1, size.columns - 2)), max(1, size.rows - 2))
        // The last line ends with an ellipsis if there is no room for the rest.
        let isCut = wrapped.count > room
        let lines = isCut ? wrapped.prefix(room - 1) + [wrapped[(room - 1)...].joined(separator: " ")] : wrapped
        for (index, line) in lines.enumerated() {
            let line = TerminalText.fitted(line, to: max(1, size.columns - 2))
            let column = left + max(0, (size.columns - TerminalText.width(line)) / 2)
            runs.append((line, top + (size.rows - lines.count) / 2 + index, column))
        }
        return runs.filter { rows.contains($0.row) }.compactMap {
            builder.run($0.text, row: $0.row, column: $0.column, room: nil, .dim)
        }
    }
}
