import Catalog
import Playback
import Testing

@testable import Gallery

@Suite("Progress of downloads")
struct ProgressTests {
    private let key = GIFKey(provider: "commons", id: "0")

    @Test("A tile that takes longer than a second is marked; in place of its picture, it has one colour and no words")
    func tile() {
        var session = Session(.search(query: "cat"))
        session.open(GIFReference.many(6))
        session.send(.tile(key, .loading(true)))
        #expect(session.text.contains("↓ Title 0"))
        #expect(!session.text.contains("900 B") && session.tiles.allSatisfy { $0.fill != .black })
        session.send(.tile(key, .loading(false)))
        #expect(session.text.contains(" Title 0") && !session.text.contains("↓"))
    }
}
