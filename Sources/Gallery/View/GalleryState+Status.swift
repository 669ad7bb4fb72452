import Base
import Catalog
import Pixels
import Playback

/// Draws the lines below the gallery, which are the attribution of the selected GIF, the state of the listing and the
/// key hints.
extension GalleryState {
    func drawStatus(_ builder: inout ScreenBuilder) {
        guard let row = pane.status else { return }
        let credit = selected.map { SafeText.line($0.attribution) } ?? ""
        if let creditRow = pane.credit, let selected {
            builder.write(self.credit(of: selected), row: creditRow, creditStyle)
        }
        let mark = sourceMark
        let needsMark = !fieldShowsMark && !mark.isEmpty
        let isMarked = pane.credit == nil && credit.hasPrefix(mark)
        var parts = needsMark && !isMarked ? [mark] : []
        if pane.credit == nil, isMarked, needsMark { parts.append(credit) }
        parts += notice.message.map { [strings.sentence($0)] } ?? [position, condition]
        if pane.credit == nil, !(isMarked && needsMark) { parts.append(credit) }
        var left = parts.filter { !$0.isEmpty }.joined(separator: " · ")
        if TerminalText.width(left) > pane.size.columns {
            let required = pane.credit == nil ? selected.map { SafeText.line($0.creditLine.credit) } ?? "" : ""
            let marks = [needsMark && !required.hasPrefix(mark) ? mark : "", required].filter { !$0.isEmpty }
            let state = (notice.message.map { [strings.sentence($0)] } ?? [position, condition]).filter { !$0.isEmpty }
            left = credited(state.joined(separator: " · "), marks.joined(separator: " · "))
        }
        builder.write(left, right: hints(beside: left), row: row)
    }

    /// Returns a line of the pane's width with a text and a credit. If a notice is displayed and the credit leaves
    /// fewer than 12 cells for it, omits the credit, because the notice is only temporary.
    func credited(_ text: String, _ credit: String, _ link: String = "") -> String {
        let columns = pane.size.columns
        if notice != .none, TerminalText.width(credit) + 12 > columns { return TerminalText.fitted(text, to: columns) }
        return TerminalText.credited(text, credit, link, room: columns)
    }

    /// Returns the attribution of a GIF. If it is too wide for the pane, shortens the title and includes the link only
    /// if there is enough space.
    func credit(of reference: GIFReference) -> String {
        let whole = SafeText.line(reference.attribution)
        guard TerminalText.width(whole) > pane.size.columns else { return whole }
        let line = reference.creditLine
        return TerminalText.credited(
            SafeText.line(line.title), SafeText.line(line.credit), SafeText.line(line.link),
            room: pane.size.columns, separator: " — ")
    }

    private var creditStyle: TextStyle { selected?.sourceMark == nil ? .dim : .plain }

    /// The position of the selected GIF, such as "12 of 340"; empty if none is selected.
    var position: String {
        guard let index = selectedIndex else { return "" }
        let isWhole = listing.next == nil
        let total = isWhole ? items.count : max(listing.total ?? 0, items.count)
        return strings.position(index + 1, total, isWhole || listing.total != nil)
    }

    /// A short text about the state of the listing. It includes the key that the user can press, if there is one.
    var condition: String {
        guard !items.isEmpty else { return "" }
        if listing.newFirstPage != nil { return strings.newResults }
        if let samplesInstead { return failure(samplesInstead) }
        switch phase {
        case .offline: return failure(strings.noNetwork)
        case .failed(let error): return failure(sentence(error))
        default: break
        }
        switch listing.loading {
        case .more: return strings.moreComing
        case .due, .first: return strings.refreshing
        default: return listing.next == nil && selectedIndex == items.count - 1 ? strings.end : ""
        }
    }

    private func failure(_ reason: String) -> String {
        // In the search field, `r` is text and not a command.
        let retry = mode.below.isTyping ? "" : strings.retry("r")
        return [reason, asOf, retry].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The reason why built-in samples are shown in place of results from services; nil if there is no failure to
    /// report.
    private var samplesInstead: String? {
        guard listing.isSampleFallback, case .services(_, let sourceFailures) = listing.origin else { return nil }
        if sourceFailures.indicateOffline { return strings.offlineSamples }
        let isBroken = sourceFailures.contains { !$0.reason.meansNothingFound && $0.reason != .notOffered }
        return isBroken ? strings.samplesInstead(sentence(.exhausted(sourceFailures))) : nil
    }

    /// The text for the age of a stored listing. It is empty for favourites, for the history, and for listings that do
    /// not come from the store.
    private var asOf: String {
        guard case .store(let seconds) = listing.origin, !listing.feed.isLocal else { return "" }
        return strings.asOf(strings.age(self.seconds - seconds))
    }

    func sentence(_ error: CatalogError) -> String { strings.sentence(error, title: title(ofSource:)) }

    /// The current time in seconds since 1970.
    var seconds: Int { options.secondsAtOrigin + Int(now.nanoseconds / Span.second) }

    /// Returns the longest line of key hints that fits beside the text.
    func hints(beside left: String) -> String {
        let offers =
            switch mode.below {
            case .typing: strings.typingHints
            case .full: strings.fullHints
            default: strings.browsingHints
            }
        let room = pane.size.columns - TerminalText.width(left) - 2
        return offers.first { TerminalText.width($0) <= room } ?? ""
    }

    /// Draws the text that is displayed in place of an empty gallery.
    func drawPanel(_ builder: inout ScreenBuilder) {
        let sentences = panelLines.enumerated().map {
            (text: $0.element, style: $0.offset == 0 ? TextStyle.bold : .plain)
        }
        let wrapped = sentences.flatMap { sentence in
            Self.wrapped(sentence.text, to: pane.size.columns).map { (text: $0, style: sentence.style) }
        }
        let room = pane.content.count
        // If the wrapped lines do not fit, draw each sentence as one line that is cut, because omitting a sentence
        // would be worse.
        let lines = wrapped.count <= room ? wrapped : sentences
        let isSpaced = lines.count == sentences.count && room >= lines.count * 2 + 1
        let height = isSpaced ? lines.count * 2 - 1 : lines.count
        var row = pane.content.lowerBound + max(0, (room - height) / 2)
        for line in lines where pane.content.contains(row) {
            builder.writeCentered(line.text, row: row, line.style)
            row += isSpaced ? 2 : 1
        }
    }

    /// Returns the text as lines of at most `columns` cells. A word that is longer than `columns` has a line of its
    /// own.
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
        switch phase {
        case .searching:
            guard case .search(let text) = listing.feed else { return [strings.loading] }
            return [strings.searching(SafeText.line(text))]
        case .noResults(let suggestions):
            guard case .search(let text) = listing.feed else { return [strings.nothingHere] }
            let offers = suggestions.enumerated().map { "\($0.offset + 1) \($0.element)" }.joined(separator: "   ")
            let offer = offers.isEmpty ? [] : [strings.suggestions, offers]
            return [strings.nothingFound(SafeText.line(text))] + offer + [strings.otherQueryHint]
        case .failed(let error): return [sentence(error), retry]
        case .offline: return [strings.noNetwork, retry, strings.offlineHelp]
        case .empty, .results, .moreComing: return emptyLines
        }
    }

    private var retry: String { strings.retry(mode.below.isTyping ? "Enter" : "r") }

    private var emptyLines: [String] {
        if !listing.items.isEmpty { return [strings.allDismissed, strings.undoHelp] }
        switch listing.feed {
        case .favourites: return [strings.noFavourites, strings.favouritesHelp]
        case .history: return [strings.noHistory]
        default: return [strings.nothingHere, retry]
        }
    }
}
