import Base
import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

#if canImport(FoundationEssentials)
    import FoundationEssentials
#endif

/// Compares the screens of every ``ScreenScenario``, in four pane sizes, with the files in Screens/.
///
/// To write these files again, run the tests with `GIFPLAY_DRAW_SCREENS=1`. Review the differences before you commit
/// them.
@Suite("Screens")
struct ScreenTests {
    @Test("Every screen equals its file in Screens/", arguments: ScreenScenario.all)
    func scenes(_ scene: ScreenScenario) throws {
        let drawn = scene.drawn
        let path = ScreenScenario.folder + "/\(scene.name).txt"
        if ProcessInfo.processInfo.environment["GIFPLAY_DRAW_SCREENS"] != nil {
            try drawn.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == drawn)
    }

    @Test("A new screen is empty")
    func empty() {
        let screen = GalleryScreen(size: CellSize(columns: 3, rows: 2))
        #expect(screen.runs.isEmpty && screen.tiles.isEmpty && screen.cursor == nil)
    }
}

/// A state of the gallery and the events that lead to it.
struct ScreenScenario: Sendable, CustomTestStringConvertible {
    let name: String
    let play: @Sendable (inout Session) -> Void
    var feed = Feed.trending(source: nil)
    var language = Language.english
    var sizes = Self.sizes

    static let sizes = [(20, 5), (40, 12), (80, 24), (200, 50)].map { CellSize(columns: $0.0, rows: $0.1) }
    static let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Screens"

    var testDescription: String { name }

    var drawn: String {
        sizes.map { size in
            var session = Session(feed, size) { $0.language = language }
            play(&session)
            let screen = session.state.view()
            let cursor = screen.cursor.map { ", typing at \($0.row),\($0.column)" } ?? ""
            return "== \(size.columns)x\(size.rows)\(cursor)\n\(screen.text)\n"
        }.joined()
    }
}

extension ScreenScenario {
    static let cats = Feed.search(query: "cats")
    static let dead = Failure.unreachable(host: "commons.wikimedia.org", reason: "no such host")
    static let all: [ScreenScenario] = [
        ScreenScenario(name: "opened", play: { $0.send(.opened) }),
        ScreenScenario(name: "searching", play: { $0.send(.opened) }, feed: cats),
        opened("results", 12),
        opened("more-coming", 30, next: .page(1), total: 340, .end),
        opened("no-results", 0, feed: .search(query: "dancng cta")),
        failing("failed", .refused(status: 429, message: nil, retryAfterSeconds: 290)),
        failing("offline", dead),
        ScreenScenario(
            name: "offline-stored",
            play: {
                $0.send(.opened)
                $0.answerStore(StoredListing(items: GIFReference.many(8), seconds: 1_763_740_800 - 3 * 3600))
                $0.answer(.failure(dead))
            }, feed: cats),
        failing("cooling-down", .exhausted([Failure.coolingDown(seconds: 60).of("commons")]), milliseconds: 18_000),
        failing("offline-typing", dead, .character("/")),
        ScreenScenario(
            name: "built-in",
            play: {
                let failures = [dead.of("commons")]
                $0.send(.opened)
                let items = GIFReference.many(4, source: "samples")
                $0.answer(.success(ResultPage(items: items, sourceFailures: failures)))
            }),
        ScreenScenario(name: "no-favourites", play: noFavourites, feed: .favourites),
        ScreenScenario(
            name: "typing",
            play: {
                $0.open(GIFReference.many(12, source: "giphy"))
                $0.type("/dancing c")
            }),
        ScreenScenario(name: "marks", play: marks),
        ScreenScenario(
            name: "tile-failed",
            play: {
                $0.open(GIFReference.many(12))
                $0.send(.tile(GIFKey(provider: "commons", id: "0"), .failed(.notGIF(.html, host: "example.org"))))
            }),
        ScreenScenario(name: "saved", play: saved, feed: cats),
        opened("help", 12, .character("?")),
        opened("results-german", 12, language: .german),
        ScreenScenario(name: "wide-titles", play: wide, feed: cats),
        ScreenScenario(name: "side", play: side, feed: cats, sizes: wideSizes),
        ScreenScenario(name: "side-german", play: side, feed: cats, language: .german, sizes: wideSizes),
        opened("side-no-results", 0, .character("v"), feed: .search(query: "dancng cta"), sizes: wideSizes),
    ]

    /// A gallery with this number of results, after these keys.
    static func opened(
        _ name: String, _ count: Int, next: PageToken? = nil, total: Int? = nil, _ keys: Key..., feed: Feed = cats,
        language: Language = .english, sizes: [CellSize] = sizes
    ) -> ScreenScenario {
        let play: @Sendable (inout Session) -> Void = { session in
            session.open(GIFReference.many(count), next: next, total: total)
            for key in keys { session.press(key) }
        }
        return ScreenScenario(name: name, play: play, feed: feed, language: language, sizes: sizes)
    }

    /// A gallery whose first query failed, after this time and these keys.
    private static func failing(
        _ name: String, _ failure: Failure, milliseconds: Int64 = 0, _ keys: Key...
    ) -> ScreenScenario {
        let play: @Sendable (inout Session) -> Void = { session in
            session.send(.opened)
            session.answer(.failure(failure))
            session.wait(milliseconds: milliseconds)
            for key in keys { session.press(key) }
        }
        return ScreenScenario(name: name, play: play, feed: cats)
    }

    private static let wideSizes = [(160, 12), (160, 45), (200, 60)].map { CellSize(columns: $0.0, rows: $0.1) }

    private static func side(_ session: inout Session) {
        session.open(GIFReference.many(40))
        session.press(.character("v"), .right)
    }

    private static func noFavourites(_ session: inout Session) {
        session.send(.opened)
        session.answerStore(nil)
    }

    private static func marks(_ session: inout Session) {
        session.open(GIFReference.many(6))
        session.press(.right, .enter, .escape, .character("f"))
        session.wait(milliseconds: 5000)
    }

    private static func saved(_ session: inout Session) {
        session.open(GIFReference.many(12))
        session.press(.character("s"))
        session.send(.reported(.saved(path: "/home/ada/Downloads/Title 0.gif")))
    }

    private static func wide(_ session: inout Session) {
        session.open([
            .some("a", title: "踊る猫が月の上で踊り続ける楽しい夜の物語と長い長い題名のつづき"),
            .some("b", title: "Cafe\u{301} de\u{301}ja\u{300} vu"), .some("c", title: ""),
        ])
    }
}
