import Base
import Catalog
import Pixels
import Playback

/// Derives the screen and the tile requests from the state of the gallery.
struct GalleryView {
    let state: GalleryState
    let pane: Pane
    let language: Language

    init(_ state: GalleryState) {
        self.state = state
        pane = state.grid.pane
        language = state.options.language
    }

    func screen() -> GalleryScreen {
        var builder = ScreenBuilder(pane)
        drawTiles(&builder)
        drawSide(&builder)
        let isEmpty = state.grid.items.isEmpty || state.grid.showsSubstitutes
        if isEmpty, state.previousGrid == nil { drawPanel(&builder) }
        drawFeeds(&builder)
        let isTyping = state.mode.isTyping
        if !isTyping || pane.field != nil { drawStatus(&builder) }
        if isTyping || pane.field != nil { drawField(&builder) }
        if isTyping || state.grid.showsSubstitutes { drawSuggestions(&builder) }
        if case .help(let line) = state.mode { drawHelp(from: line, &builder) }
        return builder.screen
    }
}

/// The tile requests for the GIFs on the screen and near it.
extension GalleryView {
    /// While the player shows a GIF, the tiles stay as they are, and the files of its neighbours are fetched.
    func tileRequests() -> [TileRequest] {
        guard state.mode.isFull else { return galleryRequests() }
        let tiles = state.requestedTiles.filter { $0.purpose != .prefetch }
        let neighbours = [1, -1].compactMap(state.neighbour)
        return tiles + neighbours.filter { item in !tiles.contains { $0.reference.key == item.key } }.compactMap(near)
    }

    /// The size for which the file of a tile is chosen, in pixels of the tile's mode.
    func tileSize(of reference: GIFReference) -> PixelSize {
        pane.tileMode.target(pane.target(for: state.facts.canvas(of: reference)))
    }

    /// Nil for a file on this machine, which is not read before it is visible.
    private func near(_ reference: GIFReference) -> TileRequest? {
        guard reference.path == nil else { return nil }
        return TileRequest(reference: reference, target: PixelSize(width: 0, height: 0), purpose: .prefetch)
    }

    /// Returns the requests in four groups: the selected GIF, the other visible GIFs, the GIFs below the screen, and
    /// the GIFs above the screen. Each group is ordered by the distance from the selected GIF.
    private func galleryRequests() -> [TileRequest] {
        let grid = state.grid
        let visible = grid.visibleRows
        let room = grid.content.count
        let middle = grid.selectedIndex.map { grid.rows(of: $0).middle } ?? visible.lowerBound
        var requests: [(order: (Int, Int), request: TileRequest)] = []
        for index in grid.indices(in: visible.lowerBound - room..<visible.upperBound + room) {
            let (reference, rows) = (grid.items[index], grid.rows(of: index))
            guard state.facts.failures[reference.key] == nil else { continue }
            let distance = abs(rows.middle - middle)
            let isSelected = index == grid.selectedIndex
            let other: TileRequest.Purpose = state.options.reducesMotion ? .still : .slowAnimation
            // The whole frame rate is that of the picture beside the tiles.
            let tile = request(reference, isSelected && pane.side == nil ? .animation : other)
            let top = rows.lowerBound + pane.edge + (pane.box.rows - tile.target.rows) / 2
            if (top..<top + tile.target.rows).overlaps(visible) {
                requests.append(((isSelected ? 0 : 1, distance), tile))
            } else if let request = near(reference) {
                requests.append(((rows.lowerBound >= visible.lowerBound ? 2 : 3, distance), request))
            }
        }
        // The sort is stable: in each group, tiles at the same distance stay in the order of the listing.
        let wanted = requests.sorted { $0.order < $1.order }.map(\.request)
        let previous = previousRequests(besides: wanted.filter { $0.purpose != .prefetch }.map(\.reference.key))
        let previousKeys = Set(previous.map(\.reference.key))
        return side + wanted.filter { !previousKeys.contains($0.reference.key) } + previous
    }

    /// The request for the large picture beside the tiles.
    private var side: [TileRequest] {
        guard let item = sideItem, state.facts.failures[item.key] == nil else { return [] }
        return [request(item, state.previousGrid == nil ? .animation : .still, in: pane.side)]
    }

    private func request(
        _ reference: GIFReference, _ purpose: TileRequest.Purpose, in side: SidePart? = nil
    ) -> TileRequest {
        TileRequest(
            reference: reference, target: pane.target(for: state.facts.canvas(of: reference), in: side?.box),
            purpose: purpose, mode: pane.tileMode, tileSize: side == nil ? nil : tileSize(of: reference))
    }

    /// The tiles of the previous listing, which stand still until they are replaced.
    private func previousRequests(besides keys: [GIFKey]) -> [TileRequest] {
        let items = state.previousGrid?.visibleItems ?? []
        return items.filter { !keys.contains($0.key) && state.facts.failures[$0.key] == nil }
            .map { request($0, .still) }
    }
}

extension Range<Int> {
    var middle: Int { (lowerBound + upperBound) / 2 }
}

/// Draws the lines above the gallery, which are the search field and the feeds.
extension GalleryView {
    static let prompt = "/ "

    func drawField(_ builder: inout ScreenBuilder) {
        let row = pane.typingRow
        let columns = pane.size.columns
        let mark = pane.field != nil && fieldShowsMark ? sourceMark : ""
        let markWidth = TerminalText.width(mark)
        let isTyping = state.mode.isTyping
        if pane.field == nil {
            // In a pane without a line for the search field, the field covers the whole last line while the user types.
            builder.write(String(repeating: " ", count: columns), row: row)
        }
        let prompt = columns > 4 ? Self.prompt : ""
        builder.write(prompt, row: row, isTyping ? .bold : .dim)
        let room = max(1, columns - prompt.count - (mark.isEmpty ? 0 : markWidth + 2))
        if state.search.field.text.isEmpty {
            let hint =
                state.listing.feed.isOfFiles
                ? language(en: "filter by name", de: "nach Namen filtern")
                : language(en: "search GIFs", de: "GIFs suchen")
            builder.write(hint, row: row, column: prompt.count + 1, room: room - 1, .dim)
            if isTyping { builder.setCursor(row: row, column: prompt.count) }
        } else {
            let (text, cursor) = state.search.field.window(room)
            let isSelected = isTyping && state.search.field.isSelected
            let style: TextAttributes = isSelected ? [.bold, .reversed] : isTyping ? .bold : .plain
            builder.write(text, row: row, column: prompt.count, room: room, style)
            if isTyping { builder.setCursor(row: row, column: prompt.count + cursor) }
        }
        builder.write(mark, row: row, column: columns - markWidth, .bold)
    }

    /// Whether ``sourceMark`` is displayed beside the search field, and not on the status line.
    var fieldShowsMark: Bool { pane.field != nil && pane.size.columns >= TerminalText.width(sourceMark) + 24 }

    /// The marks that sources of visible GIFs require, such as "Powered By GIPHY"; empty if there are none.
    var sourceMark: String {
        var marks: [String] = []
        for item in (state.previousGrid ?? state.grid).visibleItems {
            if let mark = item.sourceMark, !marks.contains(mark) { marks.append(mark) }
        }
        return marks.joined(separator: " · ")
    }

    struct FeedLabel: Equatable {
        var feed: Feed
        var text: String
        /// The columns of the pane that the label occupies.
        var columns: Range<Int>
    }

    /// Returns the labels for the line of feeds, with the current feed in brackets. Shortens a query, so that the other
    /// labels fit. If they do not, omits as many labels at the start as necessary to show that of the current feed.
    func feedLabels() -> [FeedLabel] {
        let feeds = state.feeds
        let columns = pane.size.columns
        var all = feeds.map { feed in feed == state.namedFeed ? "[\(name(of: feed))]" : " \(name(of: feed)) " }
        let excess = all.reduce(-1) { $0 + TerminalText.width($1) + 1 } - columns
        if excess > 0, let query = feeds.firstIndex(where: { $0 == state.search.latestFeed }) {
            let label = all[query]
            let room = max(min(12, TerminalText.width(label)), TerminalText.width(label) - excess)
            all[query] = TerminalText.fitted(String(label.dropLast(2)), to: room - 2) + label.suffix(2)
        }
        let current = feeds.firstIndex(of: state.namedFeed) ?? 0
        var first = 0
        while first < current, all[first...current].reduce(0, { $0 + TerminalText.width($1) + 1 }) > columns {
            first += 1
        }
        var labels: [FeedLabel] = []
        var column = 0
        for index in first..<all.count where column < columns {
            let width = TerminalText.width(all[index])
            labels.append(FeedLabel(feed: feeds[index], text: all[index], columns: column..<column + width))
            column += width + 1
        }
        return labels
    }

    func drawFeeds(_ builder: inout ScreenBuilder) {
        guard let row = pane.feeds else { return }
        for label in feedLabels() {
            let style: TextAttributes = label.feed == state.namedFeed ? .bold : .dim
            builder.write(label.text, row: row, column: label.columns.lowerBound, style)
        }
    }

    func name(of feed: Feed) -> String { language.name(of: feed, title: state.title(ofSource:)) }
}

extension SearchField {
    /// Returns the part of the text around the cursor that fits into `room` cells, and the cursor's cell in this part.
    func window(_ room: Int) -> (text: String, cursor: Int) {
        let before = text[..<cursor]
        var start = cursor
        var used = 1
        for index in before.indices.reversed() {
            used += TerminalText.width(String(text[index]))
            guard used <= room else { break }
            start = index
        }
        let left = TerminalText.width(String(text[start..<cursor]))
        var end = cursor
        var width = left
        while end < text.count {
            width += TerminalText.width(String(text[end]))
            guard width <= room else { break }
            end += 1
        }
        return (String(text[start..<end]), left)
    }
}
