import Catalog
import Gallery
import Pixels
import Playback
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#endif

/// Compares the screens of every ``Scene``, in four pane sizes, with the files in Screens/.
///
/// `GIFPLAY_DRAW_SCREENS=1` writes the files again. Review the differences before you commit them.
@Suite("Screens")
struct ScreenTests {
    @Test("every state looks as it was drawn", arguments: Scene.all)
    func scenes(_ scene: Scene) throws {
        let drawn = scene.drawn
        let path = Scene.folder + "/\(scene.name).txt"
        if ProcessInfo.processInfo.environment["GIFPLAY_DRAW_SCREENS"] != nil {
            try drawn.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == drawn)
    }

    @Test("a new screen is empty")
    func empty() {
        let screen = Screen(size: CellSize(columns: 3, rows: 2))
        #expect(screen.runs.isEmpty && screen.tiles.isEmpty && screen.cursor == nil)
    }
}

/// A state of the gallery and the events that lead to it.
struct Scene: Sendable, CustomTestStringConvertible {
    let name: String
    let play: @Sendable (inout Session) -> Void
    var feed = Feed.trending(source: nil)
    var language = Language.english

    static let sizes = [(20, 5), (40, 12), (80, 24), (200, 50)].map { CellSize(columns: $0.0, rows: $0.1) }
    static let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Screens"

    var testDescription: String { name }

    var drawn: String {
        Scene.sizes.map { size in
            var session = Session(feed, size) { $0.language = language }
            play(&session)
            let screen = session.state.view()
            let cursor = screen.cursor.map { ", typing at \($0.row),\($0.column)" } ?? ""
            return "== \(size.columns)x\(size.rows)\(cursor)\n\(screen.text)\n"
        }.joined()
    }
}

extension Scene {
    static let cats = Feed.search(words: "cats")
    static let dead = CatalogError.transport(.unreachable(host: "commons.wikimedia.org", reason: "no such host"))
    static let all: [Scene] = [
        Scene(name: "opened", play: { $0.send(.opened) }),
        Scene(name: "searching", play: { $0.send(.opened) }, feed: cats),
        Scene(name: "results", play: { $0.open(GIFReference.many(12)) }, feed: cats),
        Scene(
            name: "more-coming",
            play: {
                $0.open(GIFReference.many(30), next: .page(1), total: 340)
                $0.press(.end)
            }, feed: cats),
        Scene(name: "no-results", play: { $0.open([]) }, feed: .search(words: "dancng cta")),
        Scene(
            name: "failed",
            play: {
                $0.send(.opened)
                $0.answer(.failure(.refused(status: 429, message: nil, retryAfterSeconds: 290)))
            }, feed: cats),
        Scene(
            name: "offline",
            play: {
                $0.send(.opened)
                $0.answer(.failure(dead))
            }, feed: cats),
        Scene(
            name: "offline-kept",
            play: {
                $0.send(.opened)
                $0.remember(KeptListing(items: GIFReference.many(8), seconds: 1_763_740_800 - 3 * 3600))
                $0.answer(.failure(dead))
            }, feed: cats),
        Scene(
            name: "cooling-down",
            play: {
                $0.send(.opened)
                $0.answer(.failure(.exhausted([SourceFailure(source: "commons", reason: .coolingDown(seconds: 60))])))
                $0.wait(milliseconds: 18_000)
            }, feed: cats),
        Scene(
            name: "offline-typing",
            play: {
                $0.send(.opened)
                $0.answer(.failure(dead))
                $0.press(.character("/"))
            }, feed: cats),
        Scene(
            name: "built-in",
            play: {
                let failures = [SourceFailure(source: "commons", reason: dead)]
                $0.send(.opened)
                $0.answer(.success(ResultPage(items: GIFReference.many(4, source: "samples"), passedOver: failures)))
            }),
        Scene(name: "no-favourites", play: noFavourites, feed: .favourites),
        Scene(
            name: "typing",
            play: {
                $0.open(GIFReference.many(12, source: "giphy"))
                $0.type("/dancing c")
            }),
        Scene(name: "marks", play: marks),
        Scene(
            name: "tile-failed",
            play: {
                $0.open(GIFReference.many(12))
                $0.send(.tile(GIFKey(provider: "commons", id: "0"), .failed("not a GIF: this is HTML")))
            }),
        Scene(name: "full", play: full, feed: cats),
        Scene(name: "full-giphy-german", play: fullGiphy, feed: cats, language: .german),
        Scene(name: "saved", play: saved, feed: cats),
        Scene(
            name: "help",
            play: {
                $0.open(GIFReference.many(12))
                $0.press(.character("?"))
            }, feed: cats),
        Scene(name: "screensaver", play: screensaver),
        Scene(name: "results-german", play: { $0.open(GIFReference.many(12)) }, feed: cats, language: .german),
        Scene(name: "wide-titles", play: wide, feed: cats),
    ]

    private static func noFavourites(_ session: inout Session) {
        session.send(.opened)
        session.remember(nil)
    }

    private static func marks(_ session: inout Session) {
        session.open(GIFReference.many(6))
        session.press(.right, .enter, .escape, .character("f"))
        session.wait(milliseconds: 5000)
    }

    private static func full(_ session: inout Session) {
        session.open(GIFReference.many(12))
        session.press(.enter)
    }

    private static func fullGiphy(_ session: inout Session) {
        session.open(GIFReference.many(12, source: "giphy"))
        session.press(.enter)
        session.send(.tile(GIFKey(provider: "giphy", id: "0"), .original))
    }

    private static func saved(_ session: inout Session) {
        session.open(GIFReference.many(12))
        session.press(.character("s"))
        session.send(.told(.saved(path: "/home/ada/Downloads/Title 0.gif")))
    }

    private static func screensaver(_ session: inout Session) {
        session.open(GIFReference.many(6))
        session.wait(milliseconds: 10_000)
        guard case .randomTurn(let ticket)? = session.effects.first else { return }
        session.send(.turned(ticket: ticket, .success(.some("random", 480, 270))))
    }

    private static func wide(_ session: inout Session) {
        session.open([
            .some("a", title: "踊る猫が月の上で踊り続ける楽しい夜の物語と長い長い題名のつづき"),
            .some("b", title: "Cafe\u{301} de\u{301}ja\u{300} vu"), .some("c", title: ""),
        ])
    }
}
