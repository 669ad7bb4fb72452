import Base
import Pixels

enum KeyHelp {
    /// The keys and their actions in order of importance, because a small pane shows only the first ones.
    static func keys(_ language: Language) -> [(String, String)] {
        KeyTable.rows(in: .player).map { ($0.names(language), $0.meaning(language)) }
    }

    /// Returns the help for a pane of this size. If the pane has room, each entry has its own line. Otherwise entries
    /// share lines, and entries that do not fit are left out.
    static func lines(in size: CellSize, _ language: Language) -> [String] {
        let keys = keys(language)
        let widest = keys.map { TerminalText.width($0.0) }.max() ?? 0
        let table = keys.map { key, action in
            " " + key + String(repeating: " ", count: widest - TerminalText.width(key) + 2) + action
        }
        let width = (table.map(TerminalText.width).max() ?? 0) + 1
        guard size.columns < width || size.rows < table.count else { return table.map { padded($0, to: width) } }
        var lines: [String] = []
        for (key, action) in keys {
            let entry = "\(key) \(action)"
            if let last = lines.last, TerminalText.width(last) + 3 + TerminalText.width(entry) <= size.columns {
                lines[lines.count - 1] = "\(last) · \(entry)"
            } else {
                lines.append(TerminalText.fitted(entry, to: size.columns))
            }
        }
        let shown = lines.prefix(size.rows)
        let common = shown.map(TerminalText.width).max() ?? 0
        return shown.map { padded($0, to: common) }
    }

    private static func padded(_ line: String, to width: Int) -> String {
        line + String(repeating: " ", count: max(0, width - TerminalText.width(line)))
    }

    /// Appends the bytes that draw the help over the picture. For an inline picture, the bytes then move the cursor
    /// back to the line below the picture.
    static func write(_ language: Language, over layout: PaneLayout, into out: inout ByteBuffer) {
        let isInline = layout.addressing == .inline(idleRow: layout.rows)
        let size = isInline ? CellSize(columns: layout.pane.columns, rows: layout.rows) : layout.pane
        let lines = lines(in: size, language)
        let width = lines.first.map(TerminalText.width) ?? 0
        if isInline { out.append("\r\u{1B}[\(layout.rows)A") }
        for (index, line) in lines.enumerated() {
            if !isInline {
                let row = 1 + (size.rows - lines.count) / 2 + index
                out.append("\u{1B}[\(row);\(1 + (size.columns - width) / 2)H")
            }
            out.append("\u{1B}[0;7m\(line)\u{1B}[0m")
            if isInline { out.append("\r\u{1B}[B") }
        }
        if isInline, layout.rows > lines.count { out.append("\u{1B}[\(layout.rows - lines.count)B") }
    }
}
