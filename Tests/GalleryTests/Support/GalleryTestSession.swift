import Base
import Catalog
import Pixels
import Playback

@testable import Gallery

/// A gallery state with a manual clock and a record of the effects that it requested.
struct Session {
    var state: GalleryState
    var now = Instant(nanoseconds: 0)
    /// The effects of the latest call of `send`, `press`, `type` or `wait`.
    var effects: [GalleryEffect] = []
    /// The effects of all events of this session.
    var all: [GalleryEffect] = []
    /// Whether the store reports each mark as stored at once.
    var storesMarks = true

    init(
        _ feed: Feed = .trending(source: nil), _ size: CellSize = CellSize(columns: 80, rows: 24),
        adjust: (inout GalleryOptions) -> Void = { _ in }
    ) {
        var options = GalleryOptions()
        options.sourceTitles = ["giphy": "GIPHY", "commons": "Wikimedia Commons", "samples": "Samples"]
        options.secondsAtOrigin = 1_763_740_800  // 2025-11-21 16:00 UTC
        adjust(&options)
        state = GalleryState(feed: feed, traits: TerminalTraits(size: size), options: options)
    }

    /// A gallery that is open, and whose first query was answered with these items.
    init(
        _ feed: Feed = .trending(source: nil), _ size: CellSize = CellSize(columns: 80, rows: 24),
        showing items: [GIFReference], next: PageToken? = nil, total: Int? = nil,
        adjust: (inout GalleryOptions) -> Void = { _ in }
    ) {
        self.init(feed, size, adjust: adjust)
        open(items, next: next, total: total)
    }

    /// A gallery that is open, and for which the store has these items; nil if it has no listing.
    init(
        _ feed: Feed, _ size: CellSize = CellSize(columns: 80, rows: 24), stored items: [GIFReference]?,
        next: PageToken? = nil, adjust: (inout GalleryOptions) -> Void = { _ in }
    ) {
        self.init(feed, size, adjust: adjust)
        send(.opened)
        answerStore(items.map { StoredListing(items: $0, next: next, seconds: 0) })
    }

    /// A gallery that is open, and whose first query has failed.
    init(_ feed: Feed, failing error: Failure, adjust: (inout GalleryOptions) -> Void = { _ in }) {
        self.init(feed, adjust: adjust)
        send(.opened)
        answer(.failure(error))
    }

    @discardableResult
    mutating func send(_ events: GalleryEvent...) -> [GalleryEffect] {
        effects = []
        for event in events {
            let given = state.update(event, at: now)
            effects += given
            all += given
            guard storesMarks else { continue }
            for message in given.compactMap(\.storedMessage) { _ = state.update(.reported(message), at: now) }
        }
        return effects
    }

    mutating func press(_ keys: Key...) {
        var given: [GalleryEffect] = []
        for key in keys { given += send(.key(key)) }
        effects = given
    }

    mutating func type(_ text: String) {
        var given: [GalleryEffect] = []
        for character in text { given += send(.key(.character(character))) }
        effects = given
    }

    /// Advances the clock and sends `.deadline` at each deadline of the gallery.
    mutating func wait(milliseconds: Int64) {
        let end = now + milliseconds * Span.millisecond
        var given: [GalleryEffect] = []
        while let deadline = state.nextDeadline, deadline <= end {
            now = max(now, deadline)
            given += send(.deadline)
        }
        now = end
        effects = given
    }

    /// Opens the gallery and answers its first query with these items.
    mutating func open(_ items: [GIFReference], next: PageToken? = nil, total: Int? = nil) {
        send(.opened)
        answer(.success(ResultPage(items: items, next: next, total: total)))
    }

    /// Answers the latest query to the services.
    mutating func answer(_ result: Result<ResultPage, Failure>) {
        guard let ticket = lastLoad else { return }
        send(.loaded(ticket: ticket, result))
    }

    /// Answers the latest request to the store with `kept`, or with nil if the store has no such listing.
    mutating func answerStore(_ kept: StoredListing?) {
        guard let ticket = lastStoreLoad else { return }
        send(.loadedStored(ticket: ticket, kept))
    }

    var lastLoad: Int? { all.lazy.compactMap(\.loadTicket).last }

    var lastStoreLoad: Int? {
        all.lazy.compactMap { if case .loadStored(_, let ticket) = $0 { ticket } else { nil } }.last
    }

    /// The tiles that the gallery currently requests.
    var shown: [TileRequest] {
        all.lazy.compactMap { if case .show(let tiles) = $0 { tiles } else { nil } }.last ?? []
    }

    /// The tiles on the screen, in the order of the listing.
    var tiles: [TilePlacement] { state.view().tiles }

    /// The id of the selected GIF, which the player shows in the large view.
    var selected: String? { state.grid.selected?.id }

    /// The id of the GIF in the large view; nil in the grid.
    var large: String? { state.mode.isFull ? selected : nil }

    var notice: String { state.notices.note.map(state.options.language.sentence) ?? "" }

    var text: String { state.view().text }

    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    var status: String { lines.last ?? "" }

    mutating func resize(_ columns: Int, _ rows: Int) {
        send(.changed(TerminalTraits(size: CellSize(columns: columns, rows: rows))))
    }
}

extension GalleryEffect {
    var loadTicket: Int? { if case .load(_, _, let ticket, _) = self { ticket } else { nil } }
    var isShow: Bool { if case .show = self { true } else { false } }
}

extension GIFReference {
    /// Returns a GIF, which has 400x300 pixels by default.
    static func some(
        _ id: String, _ width: Int = 400, _ height: Int = 300, source: String = "commons", title: String? = nil
    ) -> GIFReference {
        let isGiphy = source == "giphy"
        return GIFReference(
            provider: source, id: id, title: title ?? "Title \(id)", pageURL: "https://example.org/\(id)",
            author: "Ada", licence: isGiphy ? nil : "CC BY-SA 4.0",
            attribution: isGiphy ? "Powered By GIPHY · https://giphy.com/\(id)" : "Title \(id) — Ada (CC BY-SA 4.0)",
            renditions: [
                Rendition(url: "https://example.org/\(id).gif", width: width, height: height, bytes: 1_234_567)
            ],
            cachePolicy: isGiphy ? .sessionOnly : source == "samples" ? .embedded : .persistent,
            posted: 1_763_424_000)  // 2025-11-18
    }

    /// Returns `count` GIFs with different aspect ratios. Equal arguments always give the same GIFs.
    static func many(_ count: Int, from first: Int = 0, source: String = "commons") -> [GIFReference] {
        let shapes = [(400, 300), (480, 270), (300, 300), (270, 480), (500, 200)]
        return (first..<first + count).map { number in
            let (width, height) = shapes[number % shapes.count]
            return .some("\(number)", width, height, source: source)
        }
    }
}

extension PageToken {
    static func page(_ number: Int) -> PageToken { PageToken(source: "commons", parameters: ["offset": "\(number)"]) }
}

extension GalleryScreen {
    /// The screen as lines of text. A tile is a box of `░` whose first visible row begins with the id of its GIF. Text
    /// runs are written over the tiles.
    var text: String {
        var grid = [[String]](repeating: [String](repeating: " ", count: size.columns), count: size.rows)
        for tile in tiles {
            for row in tile.visibleRows where grid.indices.contains(row) {
                let isFirst = row == tile.visibleRows.lowerBound
                let name = isFirst ? Array(tile.key.id) : []
                for column in 0..<tile.size.width where grid[row].indices.contains(tile.position.column + column) {
                    let letter = column < name.count ? String(name[column]) : "░"
                    grid[row][tile.position.column + column] = letter
                }
            }
        }
        for run in runs { write(run, into: &grid) }
        return grid.map { line in
            let text = line.joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    private func write(_ run: TextRun, into grid: inout [[String]]) {
        var column = run.position.column
        for scalar in run.text.unicodeScalars {
            let width = TerminalText.width(String(scalar))
            guard grid.indices.contains(run.position.row), grid[run.position.row].indices.contains(column) else {
                return
            }
            if width == 0 {
                grid[run.position.row][max(0, column - 1)] += String(scalar)
                continue
            }
            grid[run.position.row][column] = String(scalar)
            for covered in column + 1..<max(column + 1, column + width)
            where grid[run.position.row].indices.contains(covered) {
                grid[run.position.row][covered] = ""
            }
            column += width
        }
    }
}
