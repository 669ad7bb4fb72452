import Base
import Catalog
import Library
import Pixels
import Playback
import TestSupport
import Testing

@testable import Gallery

/// Draws each screen in both languages. Their only common words may be names and those that German has too.
@Suite("The gallery in German")
struct GermanGalleryTests {
    private static let common = Set([
        // Names of keys, of variables and of technical terms.
        "Enter", "Esc", "Tab", "GIF", "GIFs", "BROWSER", "Link", "Status", "HTTP", "HOME", "XDG", "DOWNLOAD", "DIR",
        "MiB", "gifplay", "offline",
        // The data of the tests.
        "Title", "Ada", "Wikimedia", "Commons", "GIPHY", "Powered", "https", "example", "org", "giphy", "com",
        "cats", "cat", "dancng", "cta", "dancing", "video", "home", "Downloads", "gif", "name", "xclip", "code", "text",
        "Café", "déjà", "KEY", "ada", "random", "gifs", "MIT", "Samples",
    ])
    .union(words(Sample.all.map { $0.title + " " + $0.name }.joined(separator: " ")))

    private func german(_ english: String, _ german: String, _ source: String) {
        let shared = words(english).intersection(words(german)).subtracting(Self.common)
        #expect(shared.isEmpty, "\(source)")
    }

    /// The screens that ``ScreenTests`` does not draw.
    private static let more: [ScreenScenario] = [
        ScreenScenario(name: "loading", play: loading, feed: ScreenScenario.cats),
        ScreenScenario(name: "suggestions", play: suggestions),
        ScreenScenario(name: "no history", play: { $0.send(.opened, .loadedStored(ticket: 1, nil)) }, feed: .history),
        ScreenScenario(name: "nothing here", play: { $0.open([]) }, feed: .community("gifs")),
        ScreenScenario(
            name: "dismissed",
            play: {
                $0.open(GIFReference.many(2))
                $0.press(.character("D"))
            }, feed: ScreenScenario.cats),
        ScreenScenario(
            name: "letter",
            play: {
                $0.open(GIFReference.many(2))
                $0.press(.character("e"))
            }, feed: ScreenScenario.cats),
        ScreenScenario(
            name: "end",
            play: {
                $0.open(GIFReference.many(2))
                $0.press(.end)
            }, feed: ScreenScenario.cats),
        ScreenScenario(
            name: "empty search",
            play: {
                $0.open([])
                $0.press(.escape)
            }, feed: ScreenScenario.cats),
        ScreenScenario(
            name: "samples",
            play: { session in
                session.open((try? SampleRepository().trending(ListingPreferences(), page: nil).items) ?? [])
                session.press(.enter)
            }),
        ScreenScenario(name: "new results", play: newResults, feed: ScreenScenario.cats),
    ]

    private static func loading(_ session: inout Session) {
        session.open(GIFReference.many(12))
        session.send(.tile(GIFKey(provider: "commons", id: "0"), .loading(true)))
        session.press(.enter)
    }

    private static func suggestions(_ session: inout Session) {
        session.open(GIFReference.many(12))
        session.type("/cat")
        session.wait(milliseconds: 150)
        for ticket in 1...9 { session.send(.suggested(ticket: ticket, ["cat video"])) }
    }

    private static func newResults(_ session: inout Session) {
        session.send(.opened)
        session.answerStore(StoredListing(items: GIFReference.many(30), seconds: 1_763_740_800 - 9 * 3600))
        session.press(.end)
        session.answer(.success(ResultPage(items: GIFReference.many(30, from: 5))))
    }

    @Test("No screen has an English text", arguments: ScreenScenario.all + more)
    func screens(_ scene: ScreenScenario) {
        for size in ScreenScenario.sizes.suffix(2) {
            let texts = [Language.english, .german].map { language in
                var session = Session(scene.feed, size) { $0.language = language }
                scene.play(&session)
                return session.text
            }
            german(texts[0], texts[1], scene.name)
        }
    }

    private static let transport: [Failure] = [
        .unreachable(host: "example.org", reason: ""), .timedOut(host: "example.org", milliseconds: 1),
        .tooSlow(host: "example.org", milliseconds: 1), .tooLarge(host: "example.org", limit: 1 << 20),
        .responseRefused(host: "example.org", reason: ""), .invalidURL, .cancelled,
    ]

    private static let media: [Failure] =
        transport + [
            .status(404, host: "example.org"), .notGIF(.html, host: "example.org"),
            .changed(host: "example.org"), .tooLarge(limit: 64 << 20), .tooLargeForCache(limit: 1), .noAddress,
            .notCached, .notAnimated,
        ]

    private static let sharing: [Failure] = [
        .noDownloadDirectory, .noFreeName("name"), .notWebAddress, .noDisplay(link: "https://example.org"),
        .noProgram(tried: ["xclip"], link: "https://example.org"), .notStarted(program: "xclip", Failure("text")),
        .programFailed(program: "xclip", status: 3),
    ]

    private static let messages: [GalleryMessage] =
        media.map(GalleryMessage.fetchFailed) + sharing.map(GalleryMessage.saveFailed)
        + sharing.map(GalleryMessage.openFailed) + [
            .saved(path: "/home/cat.gif"), .savingForbidden(source: "GIPHY"), .linkCopied, .addressCopied, .opening,
            .opened, .storeFailed(.locked(path: "/home")), .storeFailed(.tooNew(path: "/home")),
            .keyRefused(variable: "KEY"), .saving, .favourite(true), .favourite(false), .dismissed(2), .restored(2),
            .fileCopied(path: "/x"), .pathCopiedInstead(path: "/x", isRemote: true),
            .pathCopiedInstead(path: "/x", isRemote: false), .pathCopiedInstead(path: "/x", isRemote: true, count: 2),
            .severalSaved(2, of: 2), .severalSaved(2, of: 3), .favourite(true, count: 2), .unprintableName,
            .copyFailed, .copiedByTerminal(failed: ["GIF"]),
            .openerRuns,
            .nothingToUndo, .noPage, .noURL, .first, .last, .unknownKey("x"), .unknownKey(nil),
            .alreadySaved(path: "/x"),
            .copiedInstead(isFolder: true), .copiedInstead(isFolder: false), .loadingMore, .sharperPictures,
        ]

    private static let failures: [Failure] =
        transport
        + [400, 401, 429, 500].map { Failure.refused(status: $0, message: nil, retryAfterSeconds: 9_000) } + [
            .outage, .noKey(variable: "KEY"), .keyRefused(variable: "KEY", message: nil), .coolingDown(seconds: 60),
            .coolingDown(seconds: 0), .nothingFound, .notOffered, .foreignPage(source: "GIPHY"), .outOfTime,
            .unknownSource(name: "name", known: ["GIPHY"]), .cancelled, .exhausted([]),
            .api(code: "1", message: "text", retryAfterSeconds: 70),
        ]

    @Test("No message or error has an English text")
    func sentences() {
        for message in Self.messages {
            german(Language.english.sentence(message), Language.german.sentence(message), "\(message)")
        }
        for failure in Self.failures {
            german(
                Language.english.sentence(failure) { $0 }, Language.german.sentence(failure) { $0 }, "\(failure)")
        }
    }
}
