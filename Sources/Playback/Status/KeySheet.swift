import Base
import Pixels

/// The help of the player and of the gallery: a heading, and the keys in groups, in two columns if there is room.
public struct KeySheet: Equatable, Sendable {
    public struct Group: Sendable {
        public var title: String
        /// The names of the keys, separated by spaces with the most important ones first, and their meanings.
        public var rows: [(keys: String, meaning: String)]

        public init(_ title: String, _ rows: [(keys: String, meaning: String)]) {
            (self.title, self.rows) = (title, rows)
        }
    }

    public struct Run: Equatable, Sendable {
        public var text: String
        /// Accented for the title of a group.
        public var style: TextAttributes
    }

    /// In cells. All lines have this width.
    public private(set) var width = 0
    public private(set) var lines: [[Run]] = []
    /// The largest useful value of `first`; 0 if everything fits.
    public private(set) var lastFirstLine = 0

    private static let heading: TextAttributes = [.reversed, .accented]
    private static let (gap, margin) = (2, 1)
    private static let narrowestRest = 8
    private static let keyCells = 15
    private static let (narrowestColumn, widestColumn) = (34, 56)

    /// - Parameters:
    ///   - size: the size of the pane. The sheet fits into it.
    ///   - first: the number of lines below the heading that are scrolled away.
    ///   - isPacked: whether small panes show as many keys as possible, without groups.
    public init(
        _ groups: [Group], in size: CellSize, _ language: Language, from first: Int = 0, isPacked: Bool = false
    ) {
        let groups = groups.filter { !$0.rows.isEmpty }
        let inner = max(1, size.columns - 2 * Self.margin)
        let half = (inner - 2 * Self.gap) / 2
        var body: [[Run]]
        if half >= Self.narrowestColumn, groups.count > 1 {
            body = Self.columns(groups, min(half, Self.widestColumn))
        } else {
            body = Self.column(groups[...], min(inner, Self.widestColumn))
        }
        let room = max(1, size.rows - 2)
        if body.count > room, isPacked { body = Self.packed(groups, inner) }
        lastFirstLine = max(0, body.count - room)
        let isCut = first < lastFirstLine
        body = Array(body.dropFirst(min(first, lastFirstLine)).prefix(room))
        // A narrow rest of the pane at the sides would show single characters of the view below.
        let widest = body.map(Self.width).max() ?? 0
        let cells = widest + Self.narrowestRest > inner ? inner : widest
        width = min(size.columns, cells + 2 * Self.margin)
        let more = isCut ? language(en: "  ↓ more", de: "  ↓ mehr") : ""
        let heading = Run(text: language(en: "Keys", de: "Tasten") + more, style: Self.heading)
        let all = size.rows < 2 ? [[heading]] : [[heading]] + body + (size.rows > body.count + 1 ? [[]] : [])
        lines = all.map { Self.padded($0, cells, by: width >= cells + 2 * Self.margin ? Self.margin : 0) }
    }

    /// The first line after a key that scrolls a sheet in a pane of this many rows; nil for another key.
    public static func firstLine(after command: KeyCommand?, _ line: Int, last: Int, rows: Int) -> Int? {
        switch command {
        case .select(.up): max(0, line - 1)
        case .select(.down): min(last, line + 1)
        // The heading and the line below the keys stay.
        case .scroll(let halves): min(max(0, line + halves * max(1, (rows - 2) / 2)), last)
        default: nil
        }
    }

    private static func width(_ line: [Run]) -> Int { line.reduce(0) { $0 + TerminalText.width($1.text) } }

    private static func padded(_ line: [Run], _ cells: Int, by margin: Int) -> [Run] {
        let style: TextAttributes = line.first?.style == heading ? heading : []
        let space = { (count: Int) in Run(text: String(repeating: " ", count: max(0, count)), style: style) }
        var fitted = line
        if line.count == 1 { fitted[0].text = TerminalText.fitted(line[0].text, to: cells) }
        return ([space(margin)] + fitted + [space(cells - width(fitted) + margin)]).filter { !$0.text.isEmpty }
    }

    /// Divides the groups into two columns of about the same height.
    private static func columns(_ groups: [Group], _ cells: Int) -> [[Run]] {
        let candidates = (1..<groups.count).map { count in
            (column(groups.prefix(count), cells), column(groups.dropFirst(count), cells))
        }
        guard let (left, right) = candidates.min(by: { max($0.0.count, $0.1.count) < max($1.0.count, $1.1.count) })
        else { return [] }
        let leftCells = left.map(width).max() ?? 0
        return (0..<max(left.count, right.count)).map { row in
            let line = row < left.count ? left[row] : []
            let space = Run(text: String(repeating: " ", count: leftCells - width(line) + 2 * gap), style: [])
            return row < right.count && !right[row].isEmpty ? line + [space] + right[row] : line
        }
    }

    /// Returns the lines of the groups, each below its title. A long meaning continues in the next line.
    private static func column(_ groups: ArraySlice<Group>, _ cells: Int) -> [[Run]] {
        let shown = groups.flatMap(\.rows).map { fittedNames($0.keys, to: min(keyCells, cells * 2 / 5)) }
        let keyWidth = shown.map(TerminalText.width).max() ?? 0
        var lines: [[Run]] = []
        for group in groups {
            if !lines.isEmpty { lines.append([]) }
            lines.append([Run(text: group.title, style: .accented)])
            for row in group.rows {
                let keys = fittedNames(row.keys, to: keyWidth)
                let space = String(repeating: " ", count: keyWidth - TerminalText.width(keys) + gap)
                let indent = Run(text: String(repeating: " ", count: keyWidth + gap), style: [])
                let room = max(1, cells - keyWidth - gap)
                for (index, part) in TerminalText.wrapped(row.meaning, to: room).enumerated() {
                    let names = [Run(text: keys, style: .bold), Run(text: space, style: [])]
                    let meaning = Run(text: TerminalText.fitted(part, to: room), style: [])
                    lines.append((index == 0 ? names : [indent]) + [meaning])
                }
            }
        }
        return lines
    }

    /// Returns as many names as fit, but at least a part of the first one.
    private static func fittedNames(_ names: String, to cells: Int) -> String {
        let words = names.split(separator: " ").map { String($0) }
        let fitting = words.indices.last { TerminalText.width(words[...$0].joined(separator: " ")) <= cells }
        return fitting.map { words[...$0].joined(separator: " ") } ?? TerminalText.fitted(words.first ?? "", to: cells)
    }

    /// Returns lines that entries share.
    private static func packed(_ groups: [Group], _ cells: Int) -> [[Run]] {
        let lines = groups.flatMap(\.rows).reduce(into: [String]()) { lines, row in
            let entry = "\(fittedNames(row.keys, to: 6)) \(row.meaning)"
            if let last = lines.last, TerminalText.width(last) + 3 + TerminalText.width(entry) <= cells {
                lines[lines.count - 1] = "\(last) · \(entry)"
            } else {
                lines += TerminalText.wrapped(entry, to: cells)
            }
        }
        return lines.map { [Run(text: $0, style: [])] }
    }
}

extension [KeySheet.Group] {
    /// The keys of a view.
    /// - Parameter isOfFiles: whether the view shows files on this machine.
    public static func all(in view: KeyViews, isOfFiles: Bool = false, _ language: Language) -> Self {
        let rows = KeyTable.rows(in: view, isOfFiles: isOfFiles)
        return KeyGroup.allCases.map { group in
            KeySheet.Group(
                group.title(language),
                rows.filter { $0.group == group }.map { row in
                    let meaning = isOfFiles ? row.fileMeaning ?? row.meaning : row.meaning
                    return (row.names(language), meaning(language))
                })
        }
    }
}

extension KeyGroup {
    fileprivate func title(_ language: Language) -> String {
        switch self {
        case .move: language(en: "Move", de: "Bewegen")
        case .play: language(en: "Play", de: "Abspielen")
        case .keep: language(en: "Keep", de: "Behalten")
        case .find: language(en: "Find", de: "Finden")
        }
    }
}

extension KeySheet {
    /// Appends the bytes that draw the help over the picture. For an inline picture, the bytes then move the cursor
    /// back to the line below the picture.
    /// - Parameter accent: see ``ColorFormat/accent(on:)``.
    func write(over layout: PaneLayout, accent: String?, into out: inout ByteBuffer) {
        let size = layout.helpSize
        let isInline = layout.isInline
        if isInline { out.append("\r\u{1B}[\(layout.rows)A") }
        for (index, line) in lines.enumerated() {
            if !isInline {
                let row = 1 + (size.rows - lines.count) / 2 + index
                out.append("\u{1B}[\(row);\(1 + (size.columns - width) / 2)H")
            }
            for run in line { out.append("\u{1B}[0\(Self.codes(run.style, accent))m\(run.text)") }
            out.append("\u{1B}[0m")
            if isInline { out.append("\r\u{1B}[B") }
        }
        if isInline, layout.rows > lines.count { out.append("\u{1B}[\(layout.rows - lines.count)B") }
    }

    private static func codes(_ style: TextAttributes, _ accent: String?) -> String {
        let code = style.contains(.reversed) ? ";7" : style.contains(.bold) ? ";1" : ""
        guard style.contains(.accented) else { return code }
        return code + (accent.map { ";" + $0 } ?? (style == .accented ? ";4" : ""))
    }
}

extension PaneLayout {
    /// The room for the help: an inline picture, or the whole pane.
    var helpSize: CellSize { isInline ? CellSize(columns: pane.columns, rows: rows) : pane }

    fileprivate var isInline: Bool { addressing == .inline(idleRow: rows) }
}
