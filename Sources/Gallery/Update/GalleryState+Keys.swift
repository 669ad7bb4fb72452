import Catalog
import Playback

extension GalleryState {
    mutating func press(_ key: Key) -> [GalleryEffect] {
        switch key {
        case .control("c"): return [.quit(signal: 2)]
        case .control("z"): return []
        case .control("l"): return [.redraw]
        default: break
        }
        switch mode {
        case .typing: return type(key)
        case .browsing: return browse(key)
        case .full: return pressInFull(key)
        case .help(let line, let below):
            pressInHelp(key, line, below)
            return []
        }
    }

    /// Handles a key in the search field, where letters are text and not commands.
    private mutating func type(_ key: Key) -> [GalleryEffect] {
        switch key {
        case .enter:
            if let chosenQuery { return searchSuggestion(chosenQuery) }
            guard emptyFeed != targetFeed || offersRetry else { return [] }
            mode = .browsing
            return grid.items.isEmpty && offersRetry && targetFeed == listing.feed ? refresh() : searchNow()
        case .down where !suggestedQueries.isEmpty:
            search.suggestions.choose(by: 1, of: suggestedQueries.count)
            return []
        case .up:
            search.suggestions.choose(by: -1, of: suggestedQueries.count)
            return []
        case .escape, .down:
            mode = .browsing
            return []
        case .tab, .backTab:
            mode = .browsing
            return changeFeed(by: key == .tab ? 1 : -1)
        default: return search.edit(key) ? queryChanged() : []
        }
    }

    /// The letters that are commands in the gallery. After any other letter, the status line says how to search.
    private static let commandLetters = Set("hjklgGqDdursyYof")

    private mutating func browse(_ key: Key) -> [GalleryEffect] {
        switch key {
        case .up, .character("k"): grid.step(.up)
        case .down, .character("j"): grid.step(.down)
        case .left, .character("h"): grid.step(.left)
        case .right, .character("l"): grid.step(.right)
        case .pageUp, .control("b"): grid.scrollPage(by: -1)
        case .pageDown, .character(" "), .control("f"): grid.scrollPage(by: 1)
        case .home, .character("g"): grid.select(grid.items.first)
        case .end, .character("G"): grid.select(grid.items.last)
        case .enter: return openFull()
        case .character("/"):
            focusField()
            return []
        case .escape, .character("q"): return [.quit(signal: nil)]
        case .character("D"): return dismissAllVisible()
        case .character(let letter) where (letter.isLetter || letter.isNumber) && !Self.commandLetters.contains(letter):
            notices.show(.unknownLetter, at: now)
        default: return pressAnywhere(key)
        }
        return []
    }

    private mutating func pressInFull(_ key: Key) -> [GalleryEffect] {
        switch key {
        case .escape, .enter, .backspace, .character("q"):
            mode = .browsing
            return []
        case .character("n"), .right, .down, .pageDown, .character("l"), .character("j"), .character(" "):
            return showNeighbour(by: 1)
        case .character("p"), .left, .up, .pageUp, .character("h"), .character("k"): return showNeighbour(by: -1)
        case .home, .character("g"): return showFull(grid.items.first)
        case .end, .character("G"): return showFull(grid.items.last)
        case .tab, .backTab:
            mode = .browsing
            return pressAnywhere(key)
        default: return pressAnywhere(key)
        }
    }

    /// Handles the keys that have the same meaning in the gallery and in the full view.
    private mutating func pressAnywhere(_ key: Key) -> [GalleryEffect] {
        switch key {
        case .tab: return changeFeed(by: 1)
        case .backTab: return changeFeed(by: -1)
        case .character("?"):
            mode = .help(firstLine: 0, over: mode)
            return []
        case .character("r"): return refresh()
        case .character("u"): return undo()
        case .character("d"): return dismissSelected()
        case .character(let letter):
            guard let selected = grid.selected else { return [] }
            return perform(letter, on: selected)
        default: return []
        }
    }

    private mutating func pressInHelp(_ key: Key, _ line: Int, _ below: Mode) {
        switch key {
        case .up, .character("k"): mode = .help(firstLine: max(0, line - 1), over: below)
        case .down, .character("j"), .character(" "), .pageDown:
            mode = .help(firstLine: min(GalleryView(self).lastHelpLine, line + 1), over: below)
        default: mode = below
        }
    }
}

extension GalleryState {
    static let wheelRows = 3

    mutating func handlePointer(_ event: PointerEvent) -> [GalleryEffect] {
        switch (event.kind, mode) {
        case (.press, .help(_, let below)):
            mode = below
            return []
        case (_, .help): return []
        case (.press, .full):
            mode = .browsing
            return []
        case (.wheelDown, .full): return showNeighbour(by: 1)
        case (.wheelUp, .full): return showNeighbour(by: -1)
        case (.wheelDown, _): grid.wheel(by: Self.wheelRows)
        case (.wheelUp, _): grid.wheel(by: -Self.wheelRows)
        case (.press, _): return press(row: event.row, column: event.column)
        }
        return []
    }

    private mutating func press(row: Int, column: Int) -> [GalleryEffect] {
        let pane = grid.pane
        if row == pane.field {
            focusField()
            return []
        }
        let view = GalleryView(self)
        if mode.isTyping, let query = view.suggestion(atRow: row) { return searchSuggestion(query) }
        mode = .browsing
        if row == pane.feeds {
            hasChosenFeed = true
            let label = view.feedLabels().first { $0.columns.contains(column) }
            return label.map { switchFeed(to: $0.feed, queryingAt: now) } ?? []
        }
        guard let item = grid.item(atRow: row, column: column) else { return [] }
        let wasSelected = item.key == grid.selection?.key
        grid.select(item)
        return wasSelected ? openFull() : []
    }
}
