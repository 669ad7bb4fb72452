import Pixels
import Playback

extension GalleryView {
    private var helpRoom: Int { max(1, pane.size.rows - 2) }

    /// The index of the first displayed line when the help is scrolled to its end.
    var lastHelpLine: Int { max(0, help.count - helpRoom) }

    private var help: [(keys: String, meaning: String)] {
        let isOfFiles = state.listing.feed.isOfFiles
        let rows = KeyTable.rows(in: state.mode.isFull ? .large : .grid, isOfFiles: isOfFiles)
        return rows.map { ($0.names(language), (isOfFiles ? $0.fileMeaning : nil)?(language) ?? $0.meaning(language)) }
    }

    func drawHelp(from line: Int, _ builder: inout ScreenBuilder) {
        let help = help
        let keyWidth = help.map { TerminalText.width($0.keys) }.max() ?? 0
        let lines = help.map { entry in
            let gap = String(repeating: " ", count: keyWidth - TerminalText.width(entry.keys) + 2)
            return entry.keys + gap + entry.meaning
        }
        let width = min(pane.size.columns, (lines.map(TerminalText.width).max() ?? 0) + 4)
        let shown = lines.dropFirst(min(line, lastHelpLine)).prefix(helpRoom)
        let left = (pane.size.columns - width) / 2
        let top = max(0, (pane.size.rows - shown.count - 2) / 2)
        let heading =
            language(en: "Keys", de: "Tasten")
            + (shown.count < lines.count ? language(en: " (↓ more)", de: " (↓ mehr)") : "")
        drawBar(heading, row: top, left: left, width: width, TextStyle(isBold: true, isReversed: true), &builder)
        for (index, text) in shown.enumerated() {
            drawBar(text, row: top + 1 + index, left: left, width: width, .plain, &builder)
        }
        drawBar("", row: top + 1 + shown.count, left: left, width: width, .plain, &builder)
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
