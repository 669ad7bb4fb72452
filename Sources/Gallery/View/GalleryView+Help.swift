import Base
import Pixels
import Playback

extension GalleryView {
    /// The index of the first displayed line when the help is scrolled to its end.
    var lastHelpLine: Int { helpSheet(from: 0).lastFirstLine }

    private func helpSheet(from line: Int) -> KeySheet {
        var groups = [KeySheet.Group].all(
            in: state.mode.isFull ? .large : .grid, isOfFiles: state.listing.feed.isOfFiles, language)
        if state.options.picker != nil { groups[0].describePicker(isGrid: !state.mode.isFull, language) }
        return KeySheet(groups, in: pane.size, language, from: line)
    }

    func drawHelp(from line: Int, _ builder: inout ScreenBuilder) {
        let sheet = helpSheet(from: line)
        let top = (pane.size.rows - sheet.lines.count) / 2
        let group: TextStyle = pane.hasColors ? .accent : TextStyle(isUnderlined: true)
        for (index, runs) in sheet.lines.enumerated() {
            var column = (pane.size.columns - sheet.width) / 2
            for run in runs {
                builder.write(run.text, row: top + index, column: column, TextStyle(run.style, group))
                column += TerminalText.width(run.text)
            }
        }
    }

    /// Writes a text that is padded with spaces to the whole width, so that it hides the content behind it.
    func drawBar(
        _ text: String, row: Int, left: Int, width: Int, _ style: TextStyle, _ builder: inout ScreenBuilder
    ) {
        let inset = width > 8 ? 2 : 0
        let text = String(repeating: " ", count: inset) + TerminalText.fitted(text, to: width - 2 * inset)
        let rest = String(repeating: " ", count: max(0, width - TerminalText.width(text)))
        builder.write(text + rest, row: row, column: left, room: width, style)
    }
}

extension KeySheet.Group {
    /// Describes the keys that do something else in a picker.
    fileprivate mutating func describePicker(isGrid: Bool, _ language: Language) {
        let space = " " + language(en: "space", de: "Leertaste")
        for index in rows.indices {
            if rows[index].keys == "Enter" {
                rows[index].meaning = language(en: "choose this GIF", de: "dieses GIF wählen")
            }
            if isGrid { rows[index].keys = rows[index].keys.replacing(space, with: "") }
        }
        guard isGrid else { return }
        rows.insert((String(space.dropFirst()), language(en: "open the large view", de: "Großansicht öffnen")), at: 2)
    }
}

extension TextStyle {
    fileprivate init(_ style: KeySheet.Style, _ group: TextStyle) {
        switch style {
        case .heading: self = .selected
        case .group: self = group
        case .keys: self = .bold
        case .plain: self = .plain
        }
    }
}
