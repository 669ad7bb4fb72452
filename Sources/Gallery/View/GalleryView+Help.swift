import Pixels
import Playback

extension GalleryView {
    /// The index of the first displayed line when the help is scrolled to its end.
    var lastHelpLine: Int { helpSheet(from: 0).lastFirstLine }

    private func helpSheet(from line: Int) -> KeySheet {
        let rows = help
        let groups = [
            (language(en: "Move", de: "Bewegen"), 0..<6), (language(en: "Keep", de: "Behalten"), 6..<12),
            (language(en: "Find", de: "Finden"), 12..<rows.count),
        ]
        .map { title, range in KeySheet.Group(title, range.clamped(to: rows.indices).map { rows[$0] }) }
        return KeySheet(groups, in: pane.size, language, from: line)
    }

    /// Files have no page and no marks, and need not be saved.
    private var help: [(keys: String, meaning: String)] {
        guard state.listing.feed.isOfFiles else { return sourceHelp }
        let fileHelp = [
            "y Y": language(en: "copy the path", de: "Pfad kopieren"),
            "o": language(en: "open the folder", de: "Ordner öffnen"),
        ]
        return sourceHelp.filter { !["s", "f", "d D u"].contains($0.keys) && !$0.keys.hasPrefix("★") }
            .map { ($0.keys, fileHelp[$0.keys] ?? $0.meaning) }
    }

    private var sourceHelp: [(keys: String, meaning: String)] {
        [
            ("↑ ↓ ← → h j k l", language(en: "select", de: "auswählen")),
            language(
                en: ("PgUp PgDn space", "previous, next screen"), de: ("Bild↑ Bild↓ Leertaste", "seitenweise blättern")),
            language(en: ("Home End g G", "first, last GIF"), de: ("Pos1 Ende g G", "erstes, letztes GIF")),
            ("Enter", language(en: "open, close the large view", de: "Großansicht öffnen, schließen")),
            language(
                en: ("/", "type a query; elsewhere, letters are commands"),
                de: ("/", "Suche eingeben; sonst sind Buchstaben Befehle")),
            language(en: ("Tab Shift-Tab", "next, previous feed"), de: ("Tab Umschalt-Tab", "nächste, vorige Liste")),
            (
                "n p",
                language(
                    en: "next, previous GIF in the large view", de: "nächstes, voriges GIF in der Großansicht")
            ),
            ("s", language(en: "save the original", de: "Original speichern")),
            (
                "y Y",
                language(
                    en: "copy the page link, the GIF URL", de: "Link der Seite, Adresse des GIFs kopieren")
            ),
            ("o", language(en: "open the page in the browser", de: "Seite im Browser öffnen")),
            ("f", language(en: "toggle favourite", de: "Favorit ein/aus")),
            (
                "d D u",
                language(
                    en: "dismiss one, all on screen; undo", de: "eines / alle sichtbaren ausblenden / rückgängig")
            ),
            ("r", language(en: "refresh, try again", de: "aktualisieren, erneut versuchen")),
            language(
                en: ("mouse", "click selects, click again opens; wheel scrolls"),
                de: ("Maus", "Klick wählt aus, noch ein Klick öffnet; Rad scrollt")),
            (
                "★ ✕ ↓", language(en: "favourite, dismissed, loading", de: "Favorit, ausgeblendet, lädt")
            ),
            ("Esc", language(en: "back; in the gallery: quit", de: "zurück; in der Galerie: beenden")),
            language(en: ("Ctrl-L Ctrl-Z", "redraw, suspend"), de: ("Strg-L Strg-Z", "neu zeichnen, anhalten")),
            language(en: ("q Ctrl-C", "quit"), de: ("q Strg-C", "beenden")),
        ]
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
