import Base
import Catalog
import Pixels
import Playback

/// Draws the text in place of tiles, or above built-in ones: why there are no results, and what the user can do.
extension GalleryView {
    /// The rows of the text: all rows of tiles, or those above the built-in GIFs.
    private var panelRows: Range<Int> {
        let rows = pane.content
        return state.grid.showsSubstitutes ? rows.lowerBound..<state.grid.content.lowerBound : rows
    }

    func drawPanel(_ builder: inout ScreenBuilder) {
        if state.phase == .searching { return drawWaitingTiles(&builder) }
        let sentences = panelLines.enumerated().map {
            (text: $0.element, style: $0.offset == 0 ? TextAttributes.bold : .plain)
        }
        let wrapped = sentences.flatMap { sentence in
            TerminalText.wrapped(sentence.text, to: pane.listColumns).map { (text: $0, style: sentence.style) }
        }
        if state.grid.showsSubstitutes { return drawAboveSubstitutes(wrapped.map(\.text), &builder) }
        let room = panelRows.count
        // If the wrapped lines do not fit, draw each sentence as one truncated line and omit none.
        let lines = wrapped.count <= room ? wrapped : sentences
        let isSpaced = lines.count == sentences.count && room >= lines.count * 2 + 1
        let height = isSpaced ? lines.count * 2 - 1 : lines.count
        var row = panelRows.lowerBound + max(0, (room - height) / 2)
        for line in lines where panelRows.contains(row) {
            builder.writeCentered(line.text, row: row, line.style)
            row += isSpaced ? 2 : 1
        }
    }

    /// Draws the message, and the heading of the built-in GIFs in the last row.
    private func drawAboveSubstitutes(_ lines: [String], _ builder: inout ScreenBuilder) {
        for (index, line) in lines.enumerated() {
            builder.writeCentered(line, row: firstPanelRow(of: lines.count) + index, index == 0 ? .bold : .dim)
        }
        let heading = language(en: "built-in GIFs", de: "eingebaute GIFs")
        builder.write(heading, row: panelRows.upperBound - 1, column: pane.gutter, .dim)
    }

    /// The first row of the message above the built-in GIFs, which is in the middle with the other queries.
    private func firstPanelRow(of lines: Int) -> Int {
        let queries = state.suggestedQueries.count
        return panelRows.lowerBound + max(0, (panelRows.count - 1 - lines - (queries > 0 ? queries + 1 : 0)) / 2)
    }

    /// The suggestions are below the search field, or above it if it is in the last row. If a query has found nothing,
    /// they are below that message.
    private var firstSuggestionRow: Int {
        if state.grid.showsSubstitutes {
            let lines = panelLines.flatMap { TerminalText.wrapped($0, to: pane.listColumns) }.count
            return firstPanelRow(of: lines) + lines + 1
        }
        return pane.field.map { $0 + 1 } ?? pane.typingRow - state.suggestedQueries.count
    }

    func suggestion(atRow row: Int) -> String? {
        let (queries, index) = (state.suggestedQueries, row - firstSuggestionRow)
        return queries.indices.contains(index) ? queries[index] : nil
    }

    func drawSuggestions(_ builder: inout ScreenBuilder) {
        let (queries, chosen, isInPanel) = (state.suggestedQueries, state.chosenQuery, state.grid.showsSubstitutes)
        let widest = queries.map(TerminalText.width).max() ?? 0
        let width = isInPanel ? min(pane.listColumns, widest + 8) : pane.size.columns
        let left = isInPanel ? (pane.listColumns - width) / 2 : 0
        let end = isInPanel ? panelRows.upperBound - 1 : pane.size.rows
        for (row, query) in zip(firstSuggestionRow..., queries) where row < end {
            drawBar(query, row: row, left: left, width: width, query == chosen ? .selected : .plain, &builder)
        }
    }

    private var panelLines: [String] {
        let hasSubstitutes = state.grid.showsSubstitutes
        switch state.phase {
        case .moreComing where hasSubstitutes, .searching: return searching
        case .noResults:
            let outcome = nothingFound(state.listing.sourceFailures)
            return [state.options.isOffline ? outcome + " · " + noNetwork : outcome]
                + (state.mode.isTyping ? [] : [language(en: "/: new search", de: "/: neue Suche")])
        case .failed(let error): return [reasons(error)] + partialOutcome + [retry]
        case .offline where state.options.isOffline: return [noNetwork, offlineHelp]
        case .offline where hasSubstitutes: return [joined([noNetwork, retry])] + partialOutcome
        case .offline: return [noNetwork, retry] + partialOutcome + [offlineHelp]
        case .empty, .results, .moreComing: return emptyLines
        }
    }

    /// Names each source that failed, if several were queried.
    private func reasons(_ error: Failure) -> String {
        guard case .exhausted(let failures) = error.kind else { return sentence(error) }
        let reasons = reasons(failures.filter { !$0.isNoProblem })
        return reasons.isEmpty ? sentence(error) : reasons
    }

    private func reasons(_ failures: [Failure]) -> String {
        let title = state.title(ofSource:)
        return joined(failures.map { "\(title($0.source)): \(language.sentence($0, title: title))" })
    }

    /// What a running query looks for, and whom it asks.
    var searching: [String] {
        var sentence = language(en: "loading…", de: "wird geladen …")
        if case .search(let text) = state.listing.feed {
            let query = SafeText.line(text)
            sentence = language(en: "searching for “\(query)”…", de: "„\(query)“ wird gesucht …")
        }
        if state.listing.feed.isLink, !asking.isEmpty { return asking }
        return (showsLostConnection ? [noNetwork] : []) + [sentence] + asking
    }

    /// Which source is being queried, and for how long; empty until it is known.
    var asking: [String] {
        guard let asked = state.listing.asked else { return [] }
        if state.listing.feed.isLink { return [asked.name] }
        let (name, seconds) = (state.title(ofSource: asked.name), (state.now - asked.since) / Span.second)
        let since = seconds > 0 ? language(en: ", \(seconds) s", de: ", \(seconds) Sek.") : ""
        return [language(en: "asking \(name)", de: "Anfrage an \(name)") + since]
    }

    /// Names the query and the sources that have answered it without results.
    private func nothingFound(_ failures: [Failure]) -> String {
        guard case .search(let text) = state.listing.feed else { return "" }
        let names = failures.filter(\.meansNothingFound).map(\.source)
        let titles = (state.options.isOffline ? [SampleRepository.name] : names).map { name in
            name == SampleRepository.name
                ? language(en: "the built-in GIFs", de: "den eingebauten GIFs") : state.title(ofSource: name)
        }
        let query = SafeText.line(text)
        let places = ([titles.dropLast().joined(separator: ", ")] + titles.suffix(1)).filter { !$0.isEmpty }
            .joined(separator: language(en: " and ", de: " und "))
        let result = language(en: "nothing found for “\(query)”", de: "keine Treffer für „\(query)“")
        return titles.isEmpty ? result : language(en: "\(result) in \(places)", de: "\(result) bei \(places)")
    }

    /// As ``nothingFound(_:)`` for a query that failed at some sources; empty if no other source has answered it.
    private var partialOutcome: [String] {
        guard case .failed(let error, _, _) = state.listing.loading, case .exhausted(let failures) = error.kind,
            failures.contains(where: \.meansNothingFound)
        else { return [] }
        return [nothingFound(failures)].filter { !$0.isEmpty }
    }

    /// The server of a link that fails says nothing about the network.
    var showsLostConnection: Bool { state.listing.lacksConnection && !state.listing.feed.isLink }

    /// The gallery is offline by the user's choice or by the state of the network, or the server of a link is.
    var noNetwork: String {
        let (listing, options) = (state.listing, state.options)
        if listing.feed.isLink, case .failed(let error, _, _) = listing.loading { return sentence(error) }
        return options.isOffline ? language(en: "offline mode", de: "Offline-Modus") : language.sentence(.noConnection)
    }

    private var offlineHelp: String {
        language(en: "Tab: favourites and history, offline too", de: "Tab: Favoriten und Verlauf ohne Netz")
    }

    var retry: String {
        let key = state.mode.isTyping ? "Enter" : "r"
        return language(en: "\(key): try again", de: "\(key): neu versuchen")
    }

    private var emptyLines: [String] {
        if state.listing.feed == .dismissed { return [language(en: "no dismissed GIFs", de: "nichts ausgeblendet")] }
        if !state.listing.items.isEmpty {
            return [
                language(en: "all GIFs are dismissed", de: "alle GIFs ausgeblendet"),
                language(en: "u: undo the last dismissal", de: "u: letztes Ausblenden rückgängig"),
            ]
        }
        switch state.listing.feed {
        case .favourites:
            return [
                language(en: "no favourites yet", de: "noch keine Favoriten"),
                language(en: "f: add a GIF to favourites", de: "f: GIF zu Favoriten hinzufügen"),
            ]
        case .history:
            return [
                language(en: "no GIFs viewed yet", de: "noch nichts angesehen"),
                language(en: "Tab: next feed", de: "Tab: nächste Liste"),
            ]
        case .files(let text) where !text.isEmpty:
            let text = SafeText.line(text)
            return [language(en: "no file name contains “\(text)”", de: "kein Dateiname enthält „\(text)“")]
        default:
            let name = name(of: state.listing.feed)
            let outcome = language(en: "no GIFs in \(name)", de: "keine GIFs in \(name)")
            return [outcome, reasons(state.listing.sourceFailures), retry].filter { !$0.isEmpty }
        }
    }

    /// The index of the first displayed line when the help is scrolled to its end.
    var lastHelpLine: Int { helpSheet(from: 0).lastFirstLine }

    private func helpSheet(from line: Int) -> KeySheet { KeySheet(help, in: pane.size, language, from: line) }

    /// The keys of the present view.
    var help: [KeySheet.Group] {
        var groups = [KeySheet.Group].all(
            in: state.mode.isFull ? .large : .grid, isOfFiles: state.listing.feed.isOfFiles, language)
        if state.options.picker != nil { groups[0].describePicker(isGrid: !state.mode.isFull, language) }
        return groups
    }

    func drawHelp(from line: Int, _ builder: inout ScreenBuilder) {
        let sheet = helpSheet(from: line)
        let top = (pane.size.rows - sheet.lines.count) / 2
        let group: TextAttributes = pane.hasColors ? .accented : .underlined
        for (index, runs) in sheet.lines.enumerated() {
            var column = (pane.size.columns - sheet.width) / 2
            for run in runs {
                builder.write(run.text, row: top + index, column: column, run.style == .accented ? group : run.style)
                column += TerminalText.width(run.text)
            }
        }
    }

    /// Writes a text that is padded with spaces to the whole width, so that it hides the content behind it.
    func drawBar(
        _ text: String, row: Int, left: Int, width: Int, _ style: TextAttributes, _ builder: inout ScreenBuilder
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
