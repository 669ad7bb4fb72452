import Base
import Pixels

enum KeyHelp {
    /// Appends the bytes that draw the help over the picture. For an inline picture, the bytes then move the cursor
    /// back to the line below the picture.
    /// - Parameter accent: see ``ColorFormat/accent(on:)``.
    static func write(
        _ language: Language, over layout: PaneLayout, accent: String?, into out: inout ByteBuffer
    ) {
        let isInline = layout.addressing == .inline(idleRow: layout.rows)
        let size = isInline ? CellSize(columns: layout.pane.columns, rows: layout.rows) : layout.pane
        let sheet = KeySheet(.all(in: .player, language), in: size, language, isPacked: true)
        if isInline { out.append("\r\u{1B}[\(layout.rows)A") }
        for (index, line) in sheet.lines.enumerated() {
            if !isInline {
                let row = 1 + (size.rows - sheet.lines.count) / 2 + index
                out.append("\u{1B}[\(row);\(1 + (size.columns - sheet.width) / 2)H")
            }
            for run in line { out.append("\u{1B}[0\(codes(run.style, accent))m\(run.text)") }
            out.append("\u{1B}[0m")
            if isInline { out.append("\r\u{1B}[B") }
        }
        if isInline, layout.rows > sheet.lines.count { out.append("\u{1B}[\(layout.rows - sheet.lines.count)B") }
    }

    private static func codes(_ style: KeySheet.Style, _ accent: String?) -> String {
        let color = accent.map { ";" + $0 } ?? ""
        return switch style {
        case .heading: ";7" + color
        case .group: accent == nil ? ";4" : color
        case .keys: ";1"
        case .plain: ""
        }
    }
}
