import Base
import Catalog
import LoadingSupport
import Pixels
import Playback
import TestSupport
import Testing

@testable import Application

/// Plays in both languages, as the locale says, and compares the texts on the screen.
@Suite("The player in German", .timeLimit(.minutes(5)))
struct GermanPlayerTests {
    private func texts(
        _ list: @autoclosure () -> Playlist, _ script: [VirtualTerminal.ScriptedEvent], waits: Bool = true
    ) async throws -> (english: Set<String>, german: Set<String>) {
        var texts: [Set<String>] = []
        for locale in ["en_GB.UTF-8", "de_DE.UTF-8"] {
            let session = SlideshowSession(script: script, environment: ["LANG": locale], waitsForSearches: waits)
            let text = try await session.play(list(), titles: []).text
            texts.append(words(text.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: " ")))
        }
        return (texts[0], texts[1])
    }

    @Test("The status line, the help and the outcomes of keys have no English text")
    func playback() async throws {
        let sample = Sample.all[0]
        let keys = "?x+ n.y".enumerated().map { VirtualTerminal.ScriptedEvent.key($1, at: 300 + 300 * Int64($0)) }
        let (english, german) = try await texts(Playlist(listed: [.sample(sample)]), keys + [.key("q", at: 9_000)])
        #expect(english.isSuperset(of: ["keys", "quit", "built", "other", "page"]))
        #expect(german.isSuperset(of: ["Tasten", "beenden", "eingebaut", "anderes", "Seite"]))
        #expect(english.intersection(german).subtracting(words(sample.title)).subtracting(["Esc", "GIF"]).isEmpty)
    }

    @Test("The texts of a wait have no English text")
    func waits() async throws {
        for (locale, texts) in [("C.UTF-8", ["loading cat…", "loading…"]), ("de_DE.UTF-8", ["lädt cat …", "lädt …"])] {
            let settings = try Settings(Invocation([]), environment: ["LANG": locale])
            var slideshow = Slideshow(Playlist(listed: [.titled("cat")]), settings)
            _ = slideshow.next(after: .begun)
            #expect([[.titled("cat")], []].map { slideshow.waitingText(NextItem(remaining: $0), nil) } == texts)
        }
        let health = SourceHealth()
        #expect(SearchLoop.silent.waitingText(in: .german) == "suche „cat“ …")
        let random = RandomFeed(RepositoryDouble(), health: health, reconnects: true)
        #expect(random.waitingText(in: .german) == "suche ein GIF …")
    }

    @Test("Notices and the outcomes of link actions have no English text")
    func notices() {
        for notice in [Notices.Notice.keyRefused(variable: "KEY"), .contactRequired, .noConnection] {
            let english = words(Language.english.statusNote(notice))
            let german = words(Language.german.statusNote(notice))
            #expect(english.intersection(german).isSubset(of: ["KEY", "contact", "Wikimedia"]))
        }
    }
}
