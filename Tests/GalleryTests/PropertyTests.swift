import Base
import Catalog
import Pixels
import Playback
import TestSupport
import Testing

@testable import Gallery

/// Checks the gallery's invariants, which must hold after any sequence of events.
@Suite("Random events")
struct PropertyTests {
    @Test("Screens, selections, tickets and requests stay valid after random events", arguments: 0..<40)
    func random(_ seed: UInt64) throws {
        var sender = RandomEventSender(seed: seed)
        for _ in 0..<150 {
            let event = sender.sendEvent()
            try #require(sender.violation == nil, "\(event): \(sender.violation ?? "")")
        }
    }

    @Test("The results of an old search are never shown, in whatever order the responses arrive", arguments: 0..<40)
    func tickets(_ seed: UInt64) {
        var random = SeededRandom(seed)
        var session = Session(.search(query: "a"))
        session.send(.opened)
        var requests: [(ticket: Int, query: String)] = []
        for _ in 0..<60 {
            if Bool.random(using: &random) {
                session.press(.character("/"), .end, .character("abc".randomElement(using: &random) ?? "a"))
                if Bool.random(using: &random) { session.press(.enter) }
                session.wait(milliseconds: Int64.random(in: 0...700, using: &random))
            }
            requests = session.all.compactMap {
                if case .load(.search(let query), nil, let ticket, _) = $0 { (ticket, query) } else { nil }
            }
            guard let (ticket, query) = requests.randomElement(using: &random) else { continue }
            session.send(.loaded(ticket: ticket, .success(ResultPage(items: [.some("\(query)!")]))))
            // The name of the displayed feed is in brackets, and can be cut.
            if session.state.previousGrid == nil, session.state.search.base == nil, !session.state.mode.isFull,
                let shown = session.shown.first
            {
                let query = String(shown.reference.id.dropLast())
                #expect(session.state.listing.feed == .search(query: query))
                #expect(session.text.contains("[“\(query.prefix(7))"))
            }
        }
        #expect(Set(requests.map { $0.ticket }).count == requests.count)
    }
}

/// Sends random events and checks the invariants after each one. The answer to a request can be late, have a wrong
/// ticket, or be missing.
struct RandomEventSender {
    private var random: SeededRandom
    private var session: Session
    private var size = CellSize(columns: 80, rows: 24)
    private var tickets: Set<Int> = []
    /// Describes the first invariant that the latest event violated; nil if all hold.
    private(set) var violation: String?

    init(seed: UInt64) {
        random = SeededRandom(seed)
        let feeds: [Feed] = [.trending(source: nil), .search(query: "cats"), .favourites, .history, .community("gifs")]
        let reduces = seed % 7 == 0
        session = Session(feeds[Int(seed) % feeds.count]) { $0.reducesMotion = reduces }
        session.send(.opened)
    }

    mutating func sendEvent() -> GalleryEvent {
        let event = event()
        if case .changed(let traits) = event { size = traits.size }
        session.now = session.now + Int64.random(in: 0...900, using: &random) * Span.millisecond
        let before = session.all.count
        session.send(event)
        check(event, Array(session.all[before...]))
        return event
    }

    private mutating func event() -> GalleryEvent {
        switch Int.random(in: 0..<21, using: &random) {
        case 0..<9: return .key(key())
        case 9: return .pointer(pointer())
        case 10:
            let side = { (random: inout SeededRandom) in Int.random(in: 0...120, using: &random) }
            return .changed(TerminalTraits(size: CellSize(columns: side(&random) * 2, rows: side(&random) / 2)))
        case 11, 12:
            session.now = max(session.now, session.state.nextDeadline ?? session.now)
            return .deadline
        case 13..<16: return .loaded(ticket: ticket(), page())
        case 16: return .loadedStored(ticket: ticket(), StoredListing(items: items(), next: .page(1), seconds: 0))
        case 17: return .show(.some("turn"))
        case 18: return .marked([anyKey(): Marks(isDismissed: Bool.random(using: &random))])
        case 19: return .suggested(ticket: Int.random(in: 0...40, using: &random), ["cats", "1 cat nap"])
        default:
            let size = PixelSize(
                width: Int.random(in: 0...3000, using: &random), height: Int.random(in: 0...3000, using: &random))
            return .tile(
                anyKey(),
                [
                    .size(size), .failed(.tooLarge(limit: 1)), .loading(false), .loading(true),
                ].randomElement(using: &random) ?? .broken(.empty))
        }
    }

    private mutating func key() -> Key {
        let named: [Key] = [
            .escape, .enter, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .pageUp, .pageDown, .home,
            .end, .control("w"), .control("u"), .other, .down, .down,
        ]
        let letters = "hjkl/qsyYofdDurn?pgG 13abcv猫"
        if Bool.random(using: &random) { return named.randomElement(using: &random) ?? .other }
        return .character(letters.randomElement(using: &random) ?? "j")
    }

    private mutating func pointer() -> PointerEvent {
        let kind = [PointerEvent.Kind.press, .wheelUp, .wheelDown].randomElement(using: &random) ?? .press
        return PointerEvent(
            kind, row: Int.random(in: 0...60, using: &random), column: Int.random(in: 0...240, using: &random))
    }

    private mutating func ticket() -> Int {
        Bool.random(using: &random)
            ? session.all.compactMap { $0.loadTicket }.last ?? 0 : Int.random(in: 0...40, using: &random)
    }

    private mutating func items() -> [GIFReference] {
        GIFReference.many(Int.random(in: 0...12, using: &random), from: Int.random(in: 0...30, using: &random))
    }

    private mutating func page() -> Result<ResultPage, Failure> {
        guard Int.random(in: 0..<5, using: &random) > 0 else { return .failure(ScreenScenario.dead) }
        let next: PageToken? = Bool.random(using: &random) ? .page(Int.random(in: 0...9, using: &random)) : nil
        return .success(ResultPage(items: items(), next: next))
    }

    private mutating func anyKey() -> GIFKey {
        GIFKey(provider: "commons", id: "\(Int.random(in: 0...40, using: &random))")
    }

    private mutating func check(_ event: GalleryEvent, _ effects: [GalleryEffect]) {
        let screen = session.state.view()
        let violations = [
            outside(screen), overlapping(screen), unrequested(screen), selection(screen),
            used(effects), event == .deadline ? late : nil, outdated,
        ]
        violation = violations.compactMap { $0 }.first
    }

    private func outside(_ screen: GalleryScreen) -> String? {
        let columns = max(1, size.columns)
        let rows = 0..<max(1, size.rows)
        for tile in screen.tiles {
            let height = (tile.size.height + 1) / 2
            let own = tile.position.row..<tile.position.row + height
            guard tile.position.column >= 0, tile.position.column + tile.size.width <= columns,
                tile.visibleRows.clamped(to: rows) == tile.visibleRows,
                tile.visibleRows.clamped(to: own) == tile.visibleRows,
                !tile.visibleRows.isEmpty
            else { return "\(tile) lies outside of \(size)" }
        }
        for run in screen.runs {
            let end = run.position.column + TerminalText.width(run.text)
            guard rows.contains(run.position.row), run.position.column >= 0, end <= columns else {
                return "\(run) lies outside of \(size)"
            }
        }
        return nil
    }

    private func overlapping(_ screen: GalleryScreen) -> String? {
        for (index, one) in screen.tiles.enumerated() {
            for other in screen.tiles[(index + 1)...] where one.visibleRows.overlaps(other.visibleRows) {
                let columns = one.position.column..<one.position.column + one.size.width
                let others = other.position.column..<other.position.column + other.size.width
                if columns.overlaps(others) { return "\(one.key) and \(other.key) overlap" }
            }
        }
        return Set(screen.tiles.map { $0.id }).count == screen.tiles.count ? nil : "a GIF is displayed twice"
    }

    /// Checks that the latest requests are for exactly the tiles on the screen, in the sizes of these tiles.
    private func unrequested(_ screen: GalleryScreen) -> String? {
        // The player shows the GIF of the large view, and the tiles are as they were before.
        guard !session.state.mode.isFull else { return nil }
        // Tiles that a query will fill have no GIF. Those of the new listing are requested before they are displayed.
        let tiles = screen.tiles.filter { !$0.key.provider.isEmpty }
        let requests = session.shown.filter { $0.purpose != .prefetch }
        let (requested, shown) = (Set(requests.map { $0.id }), Set(tiles.map { $0.id }))
        guard session.state.previousGrid == nil ? requested == shown : requested.isSuperset(of: shown) else {
            return "the visible tiles were not requested"
        }
        for tile in tiles
        where !requests.contains(where: { $0.id == tile.id && $0.target == tile.size }) {
            return "\(tile.key) was requested in another size"
        }
        return nil
    }

    /// Checks that a selected GIF is visible: the screen shows either a selection mark or only one tile. Panes below 8 columns or 3 rows are not checked.
    private func selection(_ screen: GalleryScreen) -> String? {
        guard screen.tiles.contains(where: { !$0.isPrevious && !$0.key.provider.isEmpty }), size.columns >= 8,
            size.rows >= 3
        else { return nil }
        let isMarked = screen.runs.contains { $0.style == .selected || $0.style == .accented }
        return isMarked || screen.tiles.count == 1 ? nil : "nothing is selected"
    }

    private mutating func used(_ effects: [GalleryEffect]) -> String? {
        for effect in effects {
            switch effect {
            case .load(_, _, let ticket, _), .loadStored(_, let ticket):
                guard tickets.insert(ticket).inserted else { return "ticket \(ticket) is used twice" }
            default: break
            }
        }
        return nil
    }

    /// Checks that the cached layout equals a newly computed one.
    private var outdated: String? {
        var recomputed = session.state
        recomputed.grid.invalidate()
        _ = recomputed.updateDerivedState(showsSelected: false)
        let isSame =
            recomputed.grid.items == session.state.grid.items && recomputed.grid.scroll == session.state.grid.scroll
        return isSame ? nil : "the layout is outdated"
    }

    /// Checks, after a `.deadline` event, that the next deadline is in the future. With a past
    /// deadline, the program would never sleep.
    private var late: String? {
        guard let deadline = session.state.nextDeadline, deadline <= session.now else { return nil }
        return "the deadline has passed already"
    }
}
