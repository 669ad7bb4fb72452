import Base
import Catalog
import Pixels
import Playback

/// Draws the lines below the gallery: the attribution of the selected GIF, the state of the listing and key hints.
extension GalleryView {
    func drawStatus(_ builder: inout ScreenBuilder) {
        guard let row = pane.status else { return }
        let credit = state.grid.selected.map(language.attribution) ?? ""
        if let creditRow = pane.credit, let selected = state.grid.selected {
            builder.write(self.credit(of: selected), row: creditRow, creditStyle)
        }
        let mark = sourceMark
        let needsMark = !fieldShowsMark && !mark.isEmpty
        let isMarked = pane.credit == nil && credit.hasPrefix(mark)
        var parts = needsMark && !isMarked ? [mark] : []
        if pane.credit == nil, isMarked, needsMark { parts.append(credit) }
        let news = state.notices.message.map { [language.sentence($0)] } ?? [position, condition]
        parts += news
        if pane.credit == nil, !(isMarked && needsMark) { parts.append(credit) }
        var left = parts.filter { !$0.isEmpty }.joined(separator: " · ")
        if TerminalText.width(left) > pane.size.columns {
            let selected = pane.credit == nil ? state.grid.selected : nil
            let required = selected.map { SafeText.line($0.creditLine.credit) } ?? ""
            let marks = [needsMark && !required.hasPrefix(mark) ? mark : "", required].filter { !$0.isEmpty }
            left = credited(news.filter { !$0.isEmpty }.joined(separator: " · "), marks.joined(separator: " · "))
        }
        builder.write(left, right: hints(beside: left), row: row)
    }

    /// Returns a line that contains a text and a credit and fits into the pane. If the text is a notice, and the credit
    /// leaves fewer than 12 cells for the notice, omits the credit until the notice disappears.
    func credited(_ text: String, _ credit: String, _ link: String = "") -> String {
        let columns = pane.size.columns
        if state.notices.message != nil, TerminalText.width(credit) + 12 > columns {
            return TerminalText.fitted(text, to: columns)
        }
        return TerminalText.credited(text, credit, link, room: columns)
    }

    /// Returns the attribution of a GIF. If it is too wide, shortens the title and may omit the link.
    func credit(of reference: GIFReference) -> String {
        let whole = language.attribution(of: reference)
        guard TerminalText.width(whole) > pane.size.columns else { return whole }
        let line = reference.creditLine
        return TerminalText.credited(
            SafeText.line(line.title), SafeText.line(line.credit), SafeText.line(line.link),
            room: pane.size.columns, separator: " — ")
    }

    private var creditStyle: TextStyle { state.grid.selected?.sourceMark == nil ? .dim : .plain }

    /// Empty if no GIF is selected.
    var position: String {
        guard let index = state.grid.selectedIndex else { return "" }
        let isWhole = state.listing.next == nil
        let total = isWhole ? state.grid.items.count : max(state.listing.total ?? 0, state.grid.items.count)
        let count = "\(total)" + (isWhole || state.listing.total != nil ? "" : "+")
        return language(en: "\(index + 1) of \(count)", de: "\(index + 1) von \(count)")
    }

    /// A short text about the state of the listing. It includes the key that the user can press, if there is one.
    var condition: String {
        guard !state.grid.items.isEmpty else { return "" }
        if state.listing.newFirstPage != nil { return language(en: "r: new results", de: "r: neue Ergebnisse") }
        if let samplesInstead { return failure(samplesInstead) }
        switch state.phase {
        case .offline: return failure(noNetwork)
        case .failed(let error): return failure(sentence(error))
        default: break
        }
        switch state.listing.loading {
        case .first where state.listing.lacksConnection, .more where state.listing.lacksConnection: return noNetwork
        case .more: return language(en: "loading more…", de: "lädt weitere …")
        case .due, .first: return language(en: "refreshing…", de: "wird aktualisiert …")
        default:
            let isEnd = state.listing.next == nil && state.grid.selectedIndex == state.grid.items.count - 1
            return isEnd ? language(en: "the end", de: "Ende") : ""
        }
    }

    /// Whether a waiting time is displayed, which decreases every second.
    var showsCountdown: Bool {
        guard !state.mode.isFull, state.screensaver.shown == nil,
            state.grid.items.isEmpty || state.notices.message == nil && pane.status != nil
        else { return false }
        guard case .failed(let error) = state.phase else {
            return (state.phase == .offline || state.listing.hasFailedSources) && state.retryTime != nil
        }
        return sentence(error) != sentence(error.afterWaiting(.max))
    }

    private func failure(_ reason: String) -> String {
        // Omit the hint while the user types a query, because `r` is then text and not a command.
        let hint = state.mode.below.isTyping || state.options.isOffline ? "" : retry
        return [reason, asOf, countdown, hint].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The reason why built-in samples are shown in place of results; nil if there is no failure to report.
    private var samplesInstead: String? {
        guard state.listing.isSampleFallback else { return nil }
        let sourceFailures = state.listing.sourceFailures
        if sourceFailures.indicateOffline {
            return noNetwork + language(en: ": built-in GIFs", de: ": eingebaute GIFs")
        }
        let isBroken = sourceFailures.contains { !$0.reason.meansNothingFound && $0.reason != .notOffered }
        guard isBroken else { return nil }
        let seconds = state.listing.failureTime.map { Int((state.now - $0) / Span.second) } ?? 0
        let reason = sentence(CatalogError.exhausted(sourceFailures).afterWaiting(seconds))
        return language(en: "\(reason); showing built-in GIFs", de: "\(reason); eingebaute GIFs werden gezeigt")
    }

    /// The age of a stored listing; empty for favourites, for the history, and for listings from services.
    private var asOf: String {
        guard case .store(let seconds) = state.listing.origin, !state.listing.feed.isLocal,
            state.listing.feed != .random
        else { return "" }
        let age = language.age(state.seconds - seconds)
        return language(en: "as of \(age)", de: "Stand: \(age)")
    }

    func sentence(_ error: CatalogError) -> String { language.sentence(error, title: state.title(ofSource:)) }

    /// Returns the longest line of key hints that fits beside the text.
    func hints(beside left: String) -> String {
        let offers =
            switch state.mode.below {
            case .typing:
                language(
                    en: ["Enter search   \(nextHint)   Esc back", "Enter search", "Enter"],
                    de: ["Enter suchen   \(nextHint)   Esc zurück", "Enter suchen", "⏎"])
            case .full where state.listing.feed.isOfFiles:
                language(
                    en: ["n next   p previous   y copy   o open folder   Esc back   ? help", "Esc back   ? help"],
                    de: ["n weiter   p zurück   y kopieren   o Ordner öffnen   Esc Galerie   ? Hilfe", "? Hilfe"])
            case .full:
                language(
                    en: [
                        "n next   p previous   s save   y copy   o open   Esc back   ? help", "Esc back   ? help",
                        "? help",
                    ],
                    de: [
                        "n weiter   p zurück   s speichern   y kopieren   o öffnen   Esc Galerie   ? Hilfe",
                        "Esc Galerie   ? Hilfe", "? Hilfe",
                    ])
            default:
                language(
                    en: ["/ search   Tab feeds   Enter open   ? help   q quit", "? help   q quit", "? help"],
                    de: ["/ suchen   Tab Listen   Enter öffnen   ? Hilfe   q Ende", "? Hilfe   q Ende", "? Hilfe"])
            }
        let room = pane.size.columns - TerminalText.width(left) - 2
        return offers.first { TerminalText.width($0) <= room } ?? ""
    }

    /// The key that leads from the search field to something to look at.
    private var nextHint: String {
        if !state.suggestedQueries.isEmpty { return language(en: "↓ suggestions", de: "↓ Vorschläge") }
        return state.grid.items.isEmpty
            ? language(en: "Tab feeds", de: "Tab Listen") : language(en: "↓ results", de: "↓ Ergebnisse")
    }

    func drawPanel(_ builder: inout ScreenBuilder) {
        let sentences = panelLines.enumerated().map {
            (text: $0.element, style: $0.offset == 0 ? TextStyle.bold : .plain)
        }
        let wrapped = sentences.flatMap { sentence in
            Self.wrapped(sentence.text, to: pane.size.columns).map { (text: $0, style: sentence.style) }
        }
        let room = pane.content.count
        // If the wrapped lines do not fit, draw each sentence as one truncated line and omit none.
        let lines = wrapped.count <= room ? wrapped : sentences
        let isSpaced = lines.count == sentences.count && room >= lines.count * 2 + 1
        let height = isSpaced ? lines.count * 2 - 1 : lines.count
        var row = pane.content.lowerBound + max(0, (room - height) / 2)
        for line in lines where pane.content.contains(row) {
            builder.writeCentered(line.text, row: row, line.style)
            row += isSpaced ? 2 : 1
        }
    }

    /// Breaks the text at spaces into lines of at most `columns` cells, but never inside a word.
    private static func wrapped(_ text: String, to columns: Int) -> [String] {
        text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }.reduce(into: []) {
            lines, word in
            if let last = lines.last, TerminalText.width(last) + 1 + TerminalText.width(word) <= columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
    }

    private var panelLines: [String] {
        switch state.phase {
        case .searching:
            guard case .search(let text) = state.listing.feed else {
                return [language(en: "loading…", de: "wird geladen …")]
            }
            let query = SafeText.line(text)
            return (state.listing.lacksConnection ? [noNetwork] : [])
                + [language(en: "searching for “\(query)”…", de: "„\(query)“ wird gesucht …")]
        case .noResults:
            let outcome = nothingFound(state.listing.sourceFailures)
            return [state.options.isOffline ? outcome + " · " + noNetwork : outcome]
                + (state.mode.isTyping ? [] : [language(en: "/: new search", de: "/: neue Suche")])
        case .failed(let error): return [sentence(error)] + partialOutcome + [retry]
        case .offline where state.options.isOffline: return [noNetwork, offlineHelp]
        case .offline: return [noNetwork, countdown, retry] + partialOutcome + [offlineHelp]
        case .empty, .results, .moreComing: return emptyLines
        }
    }

    /// Names the query and the sources that have answered it without results.
    private func nothingFound(_ failures: [SourceFailure]) -> String {
        guard case .search(let text) = state.listing.feed else { return "" }
        let names = failures.filter(\.reason.meansNothingFound).map(\.source)
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
        guard case .failed(.exhausted(let failures), _, _) = state.listing.loading,
            failures.contains(where: \.reason.meansNothingFound)
        else { return [] }
        return [nothingFound(failures)].filter { !$0.isEmpty }
    }

    /// The gallery is offline by the user's choice or by the state of the network.
    private var noNetwork: String {
        state.options.isOffline ? language(en: "offline mode", de: "Offline-Modus") : language.sentence(.noConnection)
    }

    private var offlineHelp: String {
        language(en: "Tab: favourites and history, offline too", de: "Tab: Favoriten und Verlauf ohne Netz")
    }

    private var retry: String {
        let key = state.mode.below.isTyping ? "Enter" : "r"
        return language(en: "\(key): try again", de: "\(key): neu versuchen")
    }

    /// The time until the next automatic query; empty if there is none.
    private var countdown: String {
        // The sentence of any other failure contains its waiting time.
        guard state.listing.connectionFailureTime != nil, let moment = state.retryTime else { return "" }
        let seconds = max(0, (moment - state.now + Span.second - 1) / Span.second)
        return language(en: "retrying in \(seconds) s", de: "neuer Versuch in \(seconds) Sek.")
    }

    private var emptyLines: [String] {
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
            return [language(en: "no GIFs in \(name)", de: "keine GIFs in \(name)"), retry]
        }
    }
}
