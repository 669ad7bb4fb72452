import Base
import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("Ways back, the wheel, hints and the picker")
struct NavigationTests {
    private func session(_ feed: Feed = .trending(source: nil), picker: PickedPart? = nil) -> Session {
        var session = Session(feed) {
            $0.feeds = [.trending(source: nil), .favourites, .history]
            $0.picker = picker
        }
        session.open((0..<30).map { .some("\($0)") })
        return session
    }

    private func search(_ query: String, in session: inout Session) {
        session.type("/" + query)
        session.press(.enter)
        session.answer(.success(ResultPage(items: [.some(query)])))
    }

    @Test("Esc goes from the field to the grid with the old query, then to the first feed, and only there it quits")
    func escape() {
        var session = session()
        search("cats", in: &session)
        session.type("/dogs")
        session.press(.escape)
        #expect(session.lines[0].hasPrefix("/ cats") && session.state.listing.feed == .search(query: "cats"))
        session.press(.escape)
        #expect(session.state.listing.feed == .trending(source: nil) && !session.all.contains(.quit(signal: nil)))
        session.press(.escape)
        #expect(session.effects == [.quit(signal: nil)])
    }

    @Test("A gallery that began with results quits there, and returns there from other results and feeds")
    func escapeAtResults() {
        var session = session(.search(query: "cats"))
        search("dogs", in: &session)
        session.press(.escape)
        #expect(session.state.listing.feed == .search(query: "cats") && session.lines[0].hasPrefix("/ cats"))
        session.press(.tab, .escape)
        #expect(session.state.listing.feed == .search(query: "cats"))
        session.press(.escape)
        #expect(session.effects == [.quit(signal: nil)])
    }

    @Test("The field shows only the query of the displayed results; the latest query stays among the feeds")
    func field() {
        var session = session()
        search("cats", in: &session)
        session.press(.tab, .tab)
        #expect(session.state.listing.feed == .favourites && session.state.search.query.isEmpty)
        #expect(session.state.feeds.first == .search(query: "cats"))
        session.press(.character("1"))
        #expect(session.state.listing.feed == .search(query: "cats") && session.lines[0].hasPrefix("/ cats"))
        session.press(.character("4"))
        #expect(session.state.listing.feed == .history)
    }

    @Test("'r' keeps the selected GIF, or selects its neighbour; at the top it shows the newest ones")
    func refresh() {
        let (all, others) = ((0..<30).map { GIFReference.some("\($0)") }, (50..<60).map { GIFReference.some("\($0)") })
        for (steps, answer, selected) in [
            (7, all, "7"), (7, others + all, "7"), (7, all.filter { $0.id != "7" }, "8"), (7, Array(all[..<7]), "6"),
            (7, others, "50"), (0, others + all, "50"),
        ] {
            var session = session()
            for _ in 0..<steps { session.press(.right) }
            session.press(.character("r"))
            session.answer(.success(ResultPage(items: answer)))
            #expect(session.selected == selected)
        }
    }

    @Test("A query that is being typed adds no feed")
    func stableFeeds() {
        var session = session()
        let before = session.state.feeds
        session.type("/do")
        #expect(session.state.feeds == before)
    }

    @Test("In the large view, a flick of the wheel shows one other GIF, and a second flick the next one")
    func wheel() {
        var session = session()
        session.press(.enter)
        for _ in 0..<2 {
            for _ in 0..<12 {
                session.send(.pointer(PointerEvent(.wheelDown, row: 5, column: 5)))
                session.wait(milliseconds: 20)
            }
            session.wait(milliseconds: 300)
        }
        #expect(session.state.grid.selected?.id == "2")
        session.send(.pointer(PointerEvent(.wheelUp, row: 5, column: 5)))
        #expect(session.state.grid.selected?.id == "1")
    }

    @Test(
        "A click on each hint does what its key does, in each view and language",
        arguments: [Language.english, .german])
    func eachHint(language: Language) throws {
        var views: [GalleryState] = []
        var session = Session(.trending(source: nil)) { $0.language = language }
        session.resize(140, 24)
        session.open([])
        views.append(session.state)
        session.open((0..<30).map { .some("\($0)") })
        views.append(session.state)
        session.press(.character("/"))
        views.append(session.state)
        for state in views {
            let screen = state.view()
            #expect(screen.hints.count > 2)
            for cells in screen.hints {
                let run = try #require(screen.runs.last { $0.position.row == cells.row })
                let text = run.text.dropFirst(cells.columns.lowerBound - run.position.column)
                let name: String? = if case .character(let character) = cells.key { String(character) } else { nil }
                #expect(text.hasPrefix(name ?? "") && !text.hasPrefix(" "), "\(text)")
                var (clicked, pressed) = (state, state)
                let event = PointerEvent(.press, row: cells.row, column: cells.columns.upperBound - 1)
                #expect(clicked.handlePointer(event) == pressed.press(cells.key), "\(text)")
                #expect(clicked.view() == pressed.view(), "\(text)")
            }
            // A click between two hints, or on the text beside them, presses no key.
            for column in [0, screen.hints[0].columns.upperBound] {
                var clicked = state
                let effects = clicked.handlePointer(PointerEvent(.press, row: 23, column: column))
                #expect(!effects.contains(.quit(signal: nil)) && clicked.notices.note == state.notices.note)
            }
        }
    }

    @Test("The key 'm' goes through the characters and the graphics that the terminal reports")
    func drawing() {
        var session = session()
        var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
        (traits.graphics.supported, traits.graphics.awaited) = ([.kitty], [])
        session.send(.changed(traits))
        #expect(session.status.contains("m: sharper pictures"))
        var names: [String] = []
        for _ in 0..<5 {
            session.press(.character("m"))
            if case .drawing(let name) = session.state.notices.note { names.append(name) }
        }
        #expect(names == ["quadrants", "sextants", "octants", "kitty graphics", "half-blocks"])
        session.send(.changed(traits))
        #expect(session.state.notices.note != .sharperPictures)
    }

    @Test("In a picker, Enter takes the GIF in both views, and the space bar opens the large view")
    func picker() {
        var session = session(picker: .url)
        session.press(.character(" "))
        #expect(session.state.mode.isFull)
        session.press(.enter)
        #expect(session.effects == [.pick([.some("0")])])
        session.press(.escape, .enter)
        #expect(session.effects.contains(.pick([.some("0")])))
        session = self.session(picker: .file)
        session.answer(.success(ResultPage(items: [])))
        session.send(.key(.character("r")))
        session.answer(.success(ResultPage(items: [.some("g", source: "giphy")])))
        session.press(.enter)
        #expect(!session.effects.contains { if case .pick = $0 { true } else { false } })
        #expect(session.status.contains("GIPHY does not allow saving"))
    }

    // MARK: - Faults of services

    @Test(
        "At the end of the loaded results, 'n' loads the next page again that had failed, and does not say 'last GIF'")
    func endOfLoaded() {
        var session = Session(.search(query: "cats"), showing: [.some("0")], next: .page(1))
        session.answer(.failure(.refused(status: 500, message: nil, retryAfterSeconds: nil)))
        session.press(.enter, .character("n"))
        #expect(session.effects.contains { $0.isLoad(of: .search(query: "cats"), page: .page(1)) && $0.isRetry })
        #expect(session.state.notices.note == .loadingMore)
    }

    @Test("Over built-in GIFs in place of refused results, 'r' retries, and so does the end of the cool-down")
    func builtInFallback() {
        let refusal = Failure.refused(status: 429, message: nil, retryAfterSeconds: 40).of("commons")
        for isByKey in [true, false] {
            var session = Session(.search(query: "cats"))
            session.send(.opened)
            var page = ResultPage(items: [.some("a", source: "samples")])
            page.sourceFailures = [refusal]
            session.answer(.success(page))
            session.wait(milliseconds: 10_000)
            #expect(session.status.contains("too many requests: built-in GIFs; r tries again"), "\(session.status)")
            if isByKey { session.press(.character("r")) } else { session.wait(milliseconds: 30_000) }
            #expect(session.effects.contains { $0.isLoad(of: .search(query: "cats")) && $0.isRetry })
        }
    }

    @Test("Stored GIFs without an address do not fail while the page that has the addresses loads")
    func unaddressed() {
        let key = GIFReference.some("g", source: "giphy").key
        for isAnswered in [true, false] {
            var stored = GIFReference.some("g", source: "giphy")
            stored.renditions = []
            var session = Session(.search(query: "cats"), stored: [stored])
            session.send(.tile(key, .failed(.noAddress)))
            #expect(!session.text.contains("failed"))
            let page = ResultPage(items: [.some("g", source: "giphy")])
            session.answer(isAnswered ? .success(page) : .failure(ScreenScenario.dead))
            #expect(session.state.facts.failures.isEmpty == isAnswered)
        }
    }

    @Test("Without a connection, an arriving file shortens the wait for the next attempt to 2 s")
    func connection() throws {
        var session = Session(.search(query: "cats"), showing: [.some("0")], next: .page(1))
        for _ in 0..<4 {
            session.answer(.failure(ScreenScenario.dead))
            session.now = try #require(session.state.retryTime)
            session.send(.deadline)
        }
        session.answer(.failure(ScreenScenario.dead))
        let failure = session.now
        #expect(try #require(session.state.retryTime) > failure + 2 * Span.second)
        session.send(.tile(GIFReference.some("0").key, .size(PixelSize(width: 4, height: 3))))
        #expect(session.state.retryTime == failure + 2 * Span.second)
    }
}
