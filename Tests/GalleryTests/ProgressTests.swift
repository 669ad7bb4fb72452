import Catalog
import Playback
import Testing

@testable import Gallery

@Suite("Progress of downloads")
struct ProgressTests {
    private let key = GIFKey(provider: "commons", id: "0")

    @Test("A tile that takes longer than a second is marked, and shows how much has loaded in place of its picture")
    func tile() {
        var session = Session(.search(query: "cat"))
        session.open(GIFReference.many(6))
        session.send(.tile(key, .loading(LoadProgress(received: 900, expected: nil))))
        #expect(session.text.contains("↓ Title 0"))
        let placeholder = session.tiles.first { $0.key == key }?.placeholder.map(\.text)
        #expect(placeholder?.contains("900 B") == true)
        session.send(.tile(key, .loading(nil)))
        #expect(session.text.contains(" Title 0") && !session.text.contains("↓"))
    }
}
