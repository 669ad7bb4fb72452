import Base
import CTerminal
import Pixels

/// Measures text in terminal cells, and shortens it to a number of cells.
public enum TerminalText {
    public static func width(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + width($1) } }

    /// Returns `text`. If it fills more than `cells` cells, it is truncated to that width and ends with an ellipsis.
    public static func fitted(_ text: String, to cells: Int) -> String {
        guard width(text) > cells else { return text }
        guard cells > 0 else { return "" }
        var result = String.UnicodeScalarView()
        var used = 1
        for scalar in text.unicodeScalars {
            used += width(scalar)
            guard used <= cells else { break }
            result.append(scalar)
        }
        result.append("…")
        return String(result)
    }

    /// As ``fitted(_:to:)``, but cuts the name of a GIF file in the middle, so that its end stays. A name that is cut
    /// already is cut at the same place.
    public static func fittedTitle(_ title: String, to cells: Int) -> String {
        guard width(title) > cells, cells >= 12, title.lowercased().hasSuffix(".gif") else {
            return fitted(title, to: cells)
        }
        let gap = title.lastIndex(of: "…")
        let end = title[(gap.map(title.index(after:)) ?? title.startIndex)...].suffix(cells / 4 + 4)
        return fitted(String(title[..<(gap ?? end.startIndex)]) + "…", to: cells - width(String(end))) + end
    }

    /// Breaks the text at spaces into lines of at most `cells` cells, but never inside a word.
    public static func wrapped(_ text: String, to cells: Int) -> [String] {
        text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }.reduce(into: []) {
            lines, word in
            if let last = lines.last, width(last) + 1 + width(word) <= cells {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        scalar.isASCII ? 1 : Int(gifplay_cell_width(scalar.value))
    }

    /// The fields of a line, and the text at its right end. Those that do not fit are dropped from the right and empty.
    public typealias StatusFields = (fields: [String], right: String)

    /// Fits a title, a state and a credit into a line, with " · " between them and a text at the right end. The title
    /// keeps at least 20 cells. A state that does not fit beside it has the line for itself.
    public static func statusLine(
        _ title: String, _ state: String, _ credit: String, _ right: String, room: Int
    ) -> StatusFields {
        let least = min(20, width(title))
        for (credit, right) in [(credit, right), (credit, ""), ("", right), ("", "")] {
            let fields = [state, credit].map(width).filter { $0 > 0 }.reduce(0) { $0 + $1 + 3 }
            let rest = room - fields - (right.isEmpty ? 0 : width(right) + 2)
            if rest >= least { return ([fittedTitle(title, to: rest), state, credit], right) }
        }
        let alone = fittedTitle(state.isEmpty ? title : state, to: room)
        return (state.isEmpty ? [alone, "", ""] : ["", alone, ""], "")
    }

    /// The minimum width of a shortened title, in cells. If there is less room beside a credit, the title is left out.
    private static let narrowestTitle = 4
    /// The minimum width of a shortened detail, in cells. If there is less room, the detail is left out.
    private static let narrowestDetail = 8

    /// Returns title, credit and detail in one line of at most `room` cells. If the line is too long, the detail is
    /// shortened and then left out. If it is still too long, the title is shortened and then left out. The credit is
    /// shortened only if it does not fit alone.
    public static func credited(
        _ title: String, _ credit: String, _ detail: String, room: Int, separator: String = " · "
    ) -> String {
        var line = ""
        let titleRoom = credit.isEmpty ? room : room - width(credit) - width(separator)
        if !title.isEmpty, titleRoom >= min(narrowestTitle, width(title)) || credit.isEmpty {
            line = fittedTitle(title, to: titleRoom) + (credit.isEmpty ? "" : separator)
        }
        line += fitted(credit, to: max(0, room - width(line)))
        let gap = line.isEmpty ? "" : " · "
        let detailRoom = room - width(line) - gap.count
        if !detail.isEmpty, detailRoom >= min(narrowestDetail, width(detail)) {
            line += gap + fitted(detail, to: detailRoom)
        }
        return line
    }
}
