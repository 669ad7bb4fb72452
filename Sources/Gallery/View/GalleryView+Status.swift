import Base
import Catalog
import Pixels
import Playback

/// Draws the last line of the gallery: the position in the listing, its state or a notice, the credit of the selected
/// GIF, and key hints.
extension GalleryView {
    /// Fields that do not fit are dropped from the right, but a mark that a source requires stays.
    func drawStatus(_ builder: inout ScreenBuilder) {
        guard let row = pane.status else { return }
        let (selected, room) = (state.grid.selected, pane.size.columns)
        let credit = selected.map { joined(self.credit(of: $0)) } ?? ""
        let mark = fieldShowsMark || credit.contains(sourceMark) ? "" : sourceMark
        let isMarked = selected?.sourceMark != nil && !fieldShowsMark
        let bound = state.bound.map { "±\($0)" } ?? ""
        let notice = state.notices.note.map { language.sentence($0) } ?? joined([marks, damage, condition, bound])
        let news = joined([isMarked ? credit : mark, notice])
        // While the user types, the keys of the field are more important.
        let hasCredit = !isMarked && samplesInstead == nil && !state.mode.isTyping
        let line = TerminalText.statusLine(
            selected.map(title) ?? "", news, hasCredit ? credit : "", position, room: room)
        var column = 0
        for (field, style) in zip(line.fields, [TextAttributes.plain, .plain, .dim]) where !field.isEmpty {
            builder.write((column > 0 ? " · " : "") + field, row: row, column: column, style, link: selected?.pageURL)
            column += TerminalText.width(field) + (column > 0 ? 3 : 0)
        }
        let right = TerminalText.width(line.right)
        builder.write(line.right, row: row, column: room - right, .dim)
        let end = right == 0 ? room : room - right - 2
        builder.write(KeyHint.fitting(hints, in: end - column - 2), row: row, end: end)
    }

    private var marks: String {
        let count = state.marked.count
        return count == 0 ? "" : language(en: "\(count) marked", de: "\(count) markiert")
    }

    private var damage: String {
        let isDamaged = state.grid.selection.map { state.facts.damaged.contains($0.key) } ?? false
        return isDamaged ? language(en: "! damaged", de: "! beschädigt") : ""
    }

    func joined(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: " · ") }

    func credit(of reference: GIFReference) -> [String] {
        language.credit(of: reference, source: state.title(ofSource: reference.provider))
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
        guard !state.grid.showsSubstitutes else { return "" }
        if state.search.base != nil {
            // A short or pasted query goes to no service without a key.
            let isSearched = state.listing.storeTicket == nil && !state.listing.feed.isLink
            guard isSearched, state.grid.items.isEmpty, state.listing.loading == .due(at: nil) else { return "" }
            return language(en: "nothing on this machine", de: "nichts auf diesem Rechner")
        }
        if state.grid.items.isEmpty { return state.phase == .searching ? joined(searching) : "" }
        if state.listing.newFirstPage != nil { return language(en: "r: new results", de: "r: neue Ergebnisse") }
        if let samplesInstead { return failure(samplesInstead) }
        switch state.phase {
        case .offline: return failure(noNetwork)
        case .failed(let error): return failure(sentence(error))
        default: break
        }
        switch state.listing.loading {
        case .first where showsLostConnection, .more where showsLostConnection: return noNetwork
        case .more: return language(en: "loading more…", de: "lädt weitere …")
        case .first where !asking.isEmpty: return joined(asking)
        case .due, .first: return language(en: "refreshing…", de: "wird aktualisiert …")
        default:
            let isLast = state.grid.selectedIndex == state.grid.items.count - 1
            let isEnd = state.listing.next == nil && isLast && state.grid.items.count > 1
            return isEnd ? language(en: "the end", de: "Ende") : ""
        }
    }

    private func failure(_ reason: String) -> String {
        // Omit the hint while the user types a query, because `r` is then text and not a command.
        let hasHint = !state.mode.isTyping && !state.options.isOffline
        return joined([reason + (hasHint ? language(en: "; r tries again", de: "; r: neuer Versuch") : ""), asOf])
    }

    /// The reason why built-in samples are shown in place of results; nil if there is no failure to report.
    private var samplesInstead: String? {
        guard state.listing.isSampleFallback else { return nil }
        let sourceFailures = state.listing.sourceFailures
        if sourceFailures.indicateOffline {
            return noNetwork + language(en: ": built-in GIFs", de: ": eingebaute GIFs")
        }
        guard state.listing.hasFailedSources else { return nil }
        let reason = sentence(Failure.exhausted(sourceFailures).withoutWait)
        return language(en: "\(reason): built-in GIFs", de: "\(reason): eingebaute GIFs")
    }

    /// The age of a stored listing; empty for favourites, for the history, and for listings from services.
    private var asOf: String {
        guard case .store(let seconds) = state.listing.origin, !state.listing.feed.isLocal,
            state.listing.feed != .random
        else { return "" }
        let age = language.age(state.seconds - seconds)
        return language(en: "as of \(age)", de: "Stand: \(age)")
    }

    func sentence(_ error: Failure) -> String {
        let reason = language.sentence(error, title: state.title(ofSource:))
        guard error.isAboutOneSource, !state.listing.feed.isLink, let source = state.listing.asked?.name else {
            return reason
        }
        return state.title(ofSource: source) + ": " + reason
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
            return [back, nextHint, KeyHint(.enter, "Enter " + action)].compactMap(\.self)
        case .full:
            let next = [hint("p", en: "previous", de: "zurück"), hint("n", en: "next", de: "weiter")]
            return next + own + [search, back] + keys
        default: return (state.grid.selected == nil ? [hint("q", en: "quit", de: "Ende")] : own) + [search] + keys
        }
    }

    /// The key that leads from the search field to something to look at; nil if there is none.
    private var nextHint: KeyHint? {
        if !state.suggestedQueries.isEmpty {
            return KeyHint(.down, language(en: "↓ suggestions", de: "↓ Vorschläge"))
        }
        if !state.grid.items.isEmpty { return KeyHint(.down, language(en: "↓ results", de: "↓ Ergebnisse")) }
        return state.namedFeed.isOfFiles ? nil : KeyHint(.tab, language(en: "Tab feeds", de: "Tab Listen"))
    }
}
