import Base
import Catalog
import Testing

@testable import Application

@Suite("Marks that the gallery could not store") struct GalleryLossTests {
    @Test("If the gallery that was opened from the player could not store marks, the exit status is 1")
    func exitStatus() async throws {
        var session = SlideshowSession(script: [.key("/", at: 500), .key("q", at: 800)])
        session.losses = [Failure("not stored: 1 favourite")]
        let run = try await session.play(Playlist(listed: [.sample(Sample.all[0])]), titles: [])
        #expect(run.status == .failure && run.messages == ["not stored: 1 favourite", "message of the gallery"])
    }
}
