import Pixels
import Playback

@testable import Gallery

extension GalleryScreen {
    /// The screen as lines of text. A tile is a box of `░` whose first visible row begins with the id of its GIF. Text
    /// runs are written over the tiles.
    var text: String {
        var grid = [[String]](
            repeating: [String](repeating: " ", count: size.columns), count: size.rows)
        for tile in tiles {
            for row in tile.visibleRows where grid.indices.contains(row) {
                let isFirst = row == tile.visibleRows.lowerBound
                let name = isFirst ? Array(tile.key.id) : []
                for column in 0..<tile.size.width where grid[row].indices.contains(tile.position.column + column) {
                    let letter = column < name.count ? String(name[column]) : "░"
                    grid[row][tile.position.column + column] = letter
                }
            }
        }
        for run in runs { write(run, into: &grid) }
        return grid.map { line in
            let text = line.joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    private func write(_ run: TextRun, into grid: inout [[String]]) {
        var column = run.position.column
        for scalar in run.text.unicodeScalars {
            let width = TerminalText.width(String(scalar))
            guard grid.indices.contains(run.position.row), grid[run.position.row].indices.contains(column) else {
                return
            }
            if width == 0 {
                grid[run.position.row][max(0, column - 1)] += String(scalar)
                continue
            }
            grid[run.position.row][column] = String(scalar)
            for covered in column + 1..<max(column + 1, column + width)
            where grid[run.position.row].indices.contains(covered) {
                grid[run.position.row][covered] = ""
            }
            column += width
        }
    }
}
