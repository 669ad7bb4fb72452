import Catalog
import Playback
import Testing

@testable import Gallery

@Suite("Progress of downloads")
struct ProgressTests {
    private let key = GIFKey(provider: "commons", id: "0")
    private let progress = LoadProgress(received: 87_000, expected: 278_000)

    @Test("The full view shows how much of the original has loaded, even after its first frame, until it is complete")
    func original() {
        var session = Session(.search(query: "cat"))
        session.open(GIFReference.many(6))
        session.press(.enter)
        #expect(session.status.contains("1 of 6 · loading the original…"))
        session.send(.tile(key, .loading(progress)))
        #expect(session.status.contains("1 of 6 · loading the original… 87 kB of 278 kB"))
        session.send(.tile(key, .original))
        #expect(session.status.contains("87 kB of 278 kB"))
        session.send(.tile(key, .loading(nil)))
        #expect(!session.status.contains("loading") && !session.status.contains("kB"))
    }

    @Test("A tile that takes longer than a second is marked; in place of its picture, it has one colour and no words")
    func tile() {
        var session = Session(.search(query: "cat"))
        session.open(GIFReference.many(6))
        session.send(.tile(key, .loading(LoadProgress(received: 900, expected: nil))))
        #expect(session.text.contains("↓ Title 0"))
        #expect(!session.text.contains("900 B") && session.tiles.allSatisfy { $0.fill != .black })
        session.send(.tile(key, .loading(nil)))
        #expect(session.text.contains(" Title 0") && !session.text.contains("↓"))
    }
}
