import Base
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
        case .help(let line): return pressInHelp(key, line)
        case .browsing, .full: break
        }
        if options.picker != nil, key == .enter, grid.selected != nil { return pick(targets) }
        guard let command = command(of: key) else {
            let character: Character? = if case .character(let character) = key { character } else { nil }
            return refuse(.unknownKey(character))
        }
        return perform(command)
    }

    private func command(of key: Key) -> KeyCommand? {
        // In a picker, Enter takes the GIF, so the space bar opens the large view.
        if options.picker != nil, key == .character(" "), !mode.isFull { return .enter }
        return KeyTable.command(of: key, in: mode.isFull ? .large : .grid)
    }

    /// Handles a key in the search field, where letters are text and not commands.
    private mutating func type(_ key: Key) -> [GalleryEffect] {
        switch key {
        case .enter:
            if let chosenQuery { return searchSuggestion(chosenQuery) }
            guard emptyFeed != targetFeed || offersRetry else { return [] }
            mode = .browsing
            return grid.items.isEmpty && offersRetry && targetFeed == listing.feed ? refresh() : searchNow()
        case .down where !suggestedQueries.isEmpty, .control("n") where !suggestedQueries.isEmpty:
            search.suggestions.choose(by: 1, of: suggestedQueries.count)
        case .control("n"): grid.step(.right)
        case .control("p") where suggestedQueries.isEmpty: grid.step(.left)
        case .up, .control("p"): search.suggestions.choose(by: -1, of: suggestedQueries.count)
        case .down where search.base != nil:
            let isScheduled = listing.loading.deadline != nil
            // The letters stay if there is nothing to select and nobody to ask.
            if isScheduled || !grid.items.isEmpty { mode = .browsing }
            return isScheduled ? searchNow() : []
        case .escape, .down:
            mode = .browsing
            return switchFeed(to: namedFeed, queryingAt: now)
        case .tab, .backTab:
            mode = .browsing
            return changeFeed(by: key == .tab ? 1 : -1)
        default:
            if search.edit(key) { return queryChanged() }
            // A space after a word ends it.
            let endsWord = key == .character(" ") && search.base != nil && !search.isPasted && !search.query.isEmpty
            return endsWord ? listing.ask(at: now, now: now, &tickets) : []
        }
        return []
    }

    private mutating func perform(_ command: KeyCommand) -> [GalleryEffect] {
        switch command {
        case .search: focusField()
        case .help: mode = .help(firstLine: 0)
        case .changeDrawing: setDrawing(options.drawing.next(in: traits.graphics))
        // Only the selected page opens, because several would be too many windows.
        case .act(.open): return perform(.open, on: [grid.selected].compactMap(\.self))
        case .act(let action): return perform(action, on: targets)
        case .refresh:
            // Even if nothing is left, the next keys are commands and no query.
            hasChosenFeed = true
            return refresh()
        case .changeFeed(let distance):
            mode = .browsing
            return changeFeed(by: distance)
        case .selectFeed(let number):
            guard feeds.indices.contains(number - 1) else { return refuse(.unknownKey(Character("\(number)"))) }
            mode = .browsing
            hasChosenFeed = true
            return switchFeed(to: feeds[number - 1], queryingAt: now)
        case .quit: return [.quit(signal: nil)]
        default: return mode.isFull ? performInFull(command) : performInGrid(command)
        }
        return []
    }

    private mutating func performInGrid(_ command: KeyCommand) -> [GalleryEffect] {
        switch command {
        case .select(let step):
            // The selection is that of the new listing.
            if !grid.items.isEmpty { previousGrid = nil }
            grid.step(step)
        case .scroll(let halves) where abs(halves) == 1: grid.scrollHalfPage(by: halves)
        case .scroll(let halves): grid.scrollPage(by: halves > 0 ? 1 : -1)
        case .showFirst: grid.select(grid.items.first)
        case .showLast: seekLast()
        case .resizeTiles(let isLarger): resizeTiles(by: isLarger ? 1 : -1)
        case .toggleSide:
            guard grid.pane.size.columns >= Pane.minColumnsForSide else { return refuse(.tooNarrowForSide) }
            options.showsSide.toggle()
            resizeGrid()
            return [.storeSide(options.showsSide)]
        case .selectVisible(let place): grid.select(place)
        case .sort: return sort()
        case .mark:
            guard let selected = grid.selected else { break }
            if options.picker != nil, selected.path?.hasControlCharacter == true { return refuse(.unprintableName) }
            if isMarked(selected) { marked.removeAll { $0.key == selected.key } } else { marked.append(selected) }
            grid.step(.right)
        case .dismissAll: return dismiss(grid.visibleItems)
        case .enter: return showFull(grid.selected)
        case .back where !marked.isEmpty: marked = []
        case .back:
            guard listing.feed != homeFeed else { return [.quit(signal: nil)] }
            return switchFeed(to: homeFeed, queryingAt: now)
        default: break
        }
        return []
    }

    private mutating func performInFull(_ command: KeyCommand) -> [GalleryEffect] {
        switch command {
        case .back, .enter: mode = .browsing
        case .show(let distance): return showNeighbour(by: distance)
        case .showFirst: return showFull(grid.items.first)
        case .showLast:
            seekLast()
            return showFull(grid.items.last)
        default: break
        }
        return []
    }

    /// Scrolls the help. The key `/` opens the search field; any other key only closes the help.
    private mutating func pressInHelp(_ key: Key, _ line: Int) -> [GalleryEffect] {
        let last = GalleryView(self).lastHelpLine
        let command = KeyTable.command(of: key, in: .grid)
        if let line = KeySheet.firstLine(after: command, line, last: last, rows: grid.pane.size.rows) {
            mode = .help(firstLine: line)
        } else if command == .search {
            focusField()
        } else {
            mode = .browsing
        }
        return []
    }

    /// A flick sends many wheel events. A pause of this length separates two flicks.
    private static let flickPause = 200 * Span.millisecond

    mutating func handlePointer(_ event: PointerEvent) -> [GalleryEffect] {
        switch (event.kind, mode) {
        // Beside the hints of the player.
        case (.press, .full) where event.row == grid.pane.status: break
        case (.press, .help), (.press, .full): mode = .browsing
        case (_, .help): break
        case (_, .full):
            let distance = event.kind == .wheelDown ? 1 : -1
            let previous = lastWheel[distance]
            lastWheel = [distance: now]
            if let previous, now - previous < Self.flickPause { return [] }
            return showNeighbour(by: distance)
        case (.wheelDown, _): grid.wheel(byTiles: 1)
        case (.wheelUp, _): grid.wheel(byTiles: -1)
        case (.press, _): return press(event)
        }
        return []
    }

    private mutating func press(_ event: PointerEvent) -> [GalleryEffect] {
        let (row, pane) = (event.row, grid.pane)
        // A hint in the last line, such as `s save`.
        let hint = view().hints.first { $0.row == row && $0.columns.contains(event.column) }
        if let hint { return press(hint.key) }
        if row == pane.field {
            focusField()
            return []
        }
        let view = GalleryView(self)
        if mode.isTyping, let query = view.suggestion(atRow: row) { return searchSuggestion(query) }
        let wasTyping = mode.isTyping
        mode = .browsing
        if row == pane.feeds {
            hasChosenFeed = true
            let label = view.feedLabels().first { $0.columns.contains(event.column) }
            return label.map { switchFeed(to: $0.feed, queryingAt: now) } ?? []
        }
        let effects = wasTyping && !search.isPasted ? switchFeed(to: listing.feed, queryingAt: now) : []
        let isOnSide = pane.side.map { $0.rows.contains(row) && $0.columns.contains(event.column) } ?? false
        let item = isOnSide ? grid.selected : grid.item(atRow: row, column: event.column)
        guard previousGrid == nil, let item else { return effects }
        let wasSelected = item.key == grid.selection?.key
        grid.select(item)
        return effects + (wasSelected ? showFull(grid.selected) : [])
    }
}
