import Base
import Catalog
import Pixels
import Playback

/// Draws the last line of the gallery: the position in the listing, its state or a notice, the credit of the selected
/// GIF, and key hints.
extension GalleryView {
    func drawStatus(_ builder: inout ScreenBuilder) {
        guard let row = pane.status else { return }
        let selected = state.grid.selected
        if let notice {
            builder.write(notice, row: row)
            return builder.write(hints(beside: notice), row: row)
        }
        let news = joined([position, condition])
        // Built-in GIFs in place of results are named as such already.
        let parts = (samplesInstead == nil ? selected.map(credit) ?? [] : []).filter { !$0.isEmpty }
        let mark = fieldShowsMark || parts.contains(sourceMark) ? "" : sourceMark
        var left = joined([news, mark] + parts)
        let link = selected?.pageURL
        if TerminalText.width(left) > pane.size.columns {
            let required = joined([mark] + parts.prefix(requiredParts(of: selected)))
            // What can be done about a failure is more important than a credit, except for a mark.
            let isTooLong = TerminalText.width(news) + 3 + TerminalText.width(required) > pane.size.columns
            left = TerminalText.credited(
                news, state.offersRetry && isTooLong ? mark : required, "", room: pane.size.columns)
        }
        let start = left.hasPrefix(news) ? news : ""
        builder.write(start, row: row)
        builder.write(
            String(left.dropFirst(start.count)), row: row, column: TerminalText.width(start),
            selected?.sourceMark == nil && mark.isEmpty ? .dim : .plain, link: link)
        builder.write(hints(beside: left), row: row)
    }

    /// The outcome of a key, or another message, which has its line for itself as long as it is displayed.
    var notice: String? {
        state.notices.message.map { TerminalText.fitted(language.sentence($0), to: pane.size.columns) }
    }

    func joined(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: " · ") }

    func credit(of reference: GIFReference) -> [String] {
        language.credit(of: reference, source: state.title(ofSource: reference.provider))
    }

    /// The number of parts of the credit that stay in a narrow pane: those that a licence or a source requires.
    private func requiredParts(of reference: GIFReference?) -> Int {
        guard let reference, reference.cachePolicy != .embedded else { return 0 }
        return reference.licence == nil ? 1 : 2
    }

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
        // A typed query that nobody was asked yet has nothing to report.
        guard !state.grid.showsSubstitutes, state.search.base == nil else { return "" }
        if state.grid.items.isEmpty { return state.phase == .searching ? joined(searching) : "" }
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
        case .first where !asking.isEmpty: return joined(asking)
        case .due, .first: return language(en: "refreshing…", de: "wird aktualisiert …")
        default:
            let isLast = state.grid.selectedIndex == state.grid.items.count - 1
            let isEnd = state.listing.next == nil && isLast && state.grid.items.count > 1
            return isEnd ? language(en: "the end", de: "Ende") : ""
        }
    }

    /// Whether a waiting time is displayed, which changes every second.
    var showsCountdown: Bool {
        guard !state.mode.isFull, state.grid.items.isEmpty || state.notices.message == nil && pane.status != nil
        else { return false }
        switch state.phase {
        case .searching: return state.grid.items.isEmpty && state.listing.asked != nil
        case .failed(let error): return sentence(error) != sentence(error.afterWaiting(.max))
        case .offline: return state.retryTime != nil
        default:
            if case .first = state.listing.loading { return state.listing.asked != nil }
            return state.listing.hasFailedSources && state.retryTime != nil
        }
    }

    private func failure(_ reason: String) -> String {
        // Omit the hint while the user types a query, because `r` is then text and not a command.
        let hint = state.mode.isTyping || state.options.isOffline ? "" : retry
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

    func sentence(_ error: CatalogError) -> String {
        let reason = language.sentence(error, title: state.title(ofSource:))
        guard error.isAboutOneSource, let source = state.listing.asked?.name else { return reason }
        return state.title(ofSource: source) + ": " + reason
    }

    private func hints(beside left: String) -> ArraySlice<KeyHint> {
        KeyHint.fitting(hints, in: pane.size.columns - TerminalText.width(left) - 2)
    }

    private func hint(_ character: Character, en: String, de: String) -> KeyHint {
        KeyHint(.character(character), "\(character) " + language(en: en, de: de))
    }

    /// The keys of the present view, the most important ones last.
    var hints: [KeyHint] {
        let isOfFiles = state.listing.feed.isOfFiles
        let own =
            [hint("y", en: "copy", de: "kopieren")]
            + (isOfFiles
                ? [hint("o", en: "folder", de: "Ordner")]
                : [hint("s", en: "save", de: "speichern"), hint("f", en: "★", de: "★")])
        let search =
            isOfFiles ? hint("/", en: "filter", de: "filtern") : hint("/", en: "search", de: "suchen")
        let back = KeyHint(.escape, language(en: "Esc back", de: "Esc zurück"))
        let choose = KeyHint(.enter, language(en: "Enter choose", de: "Enter wählen"))
        let keys = (state.options.picker == nil ? [] : [choose]) + [hint("?", en: "keys", de: "Tasten")]
        switch state.mode {
        case .typing:
            let action = isOfFiles ? language(en: "filter", de: "filtern") : language(en: "search", de: "suchen")
            return [back, nextHint, KeyHint(.enter, "Enter " + action)]
        case .full:
            let next = [hint("p", en: "previous", de: "zurück"), hint("n", en: "next", de: "weiter")]
            return next + own + [search, back] + keys
        default: return (state.grid.selected == nil ? [hint("q", en: "quit", de: "Ende")] : own) + [search] + keys
        }
    }

    /// The key that leads from the search field to something to look at.
    private var nextHint: KeyHint {
        if !state.suggestedQueries.isEmpty {
            return KeyHint(.down, language(en: "↓ suggestions", de: "↓ Vorschläge"))
        }
        return state.grid.items.isEmpty
            ? KeyHint(.tab, language(en: "Tab feeds", de: "Tab Listen"))
            : KeyHint(.down, language(en: "↓ results", de: "↓ Ergebnisse"))
    }
}
