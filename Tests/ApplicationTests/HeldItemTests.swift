import Catalog
import LoadingSupport
import Playback
import TestSupport
import Testing

@testable import Application

@Suite("GIFs whose last frame a slideshow holds", .timeLimit(.minutes(5)))
struct HeldItemTests {
    @Test("A still that the user named is displayed until a key ends the slideshow; with '--loop 1', it ends by itself")
    func heldStill() async throws {
        let url = "https://a.example/still.gif"
        let still = GIFBuilder(width: 8, height: 8).frame(1, delay: 10, width: 8, height: 8).trailer().bytes
        var session = SlideshowSession(loader: LoaderDouble([url: .bytes(still)]))
        session.script = [.key("q", at: 5_000)]
        let held = try await session.play(Playlist(listed: [.address(url)]), titles: [])
        #expect(held.status == .success && held.milliseconds == 5_000 && held.messages.isEmpty)
        session.options = ["--loop", "1"]
        let once = try await session.play(Playlist(listed: [.address(url)]), titles: [])
        #expect(once.status == .success && once.milliseconds < 5_000 && once.messages.isEmpty)
    }

    @Test("The last GIF of a list holds its last frame, also if the files after it cannot be opened")
    func heldLast() async throws {
        let urls = ["a", "b"].map { "https://a.example/\($0).gif" }
        let twoFrames = GIFBuilder(width: 8, height: 8)
            .frame(1, delay: 10, width: 8, height: 8).frame(2, delay: 10, width: 8, height: 8)
        let bytes = LoaderDouble.Response.bytes(twoFrames.trailer().bytes)
        var session = SlideshowSession(loader: LoaderDouble([urls[0]: bytes, urls[1]: bytes]))
        session.script = [.key("q", at: 9_000)]
        let lists = [(GIFReference.address(urls[1]), ["a.gif", "b.gif"]), (.file("/nonexistent/gone"), ["a.gif"])]
        for (last, titles) in lists {
            let run = try await session.play(Playlist(listed: [.address(urls[0]), last]), titles: ["a.gif", "b.gif"])
            #expect(run.titles == titles)
            #expect(run.milliseconds == 9_000 && run.text.components(separatedBy: "played 1 of 1").count == 2)
        }
        for options in [["--loop", "1"], ["--duration", "5s"], ["--inline"], ["--screensaver"]] {
            session.options = options
            let run = try await session.play(Playlist(listed: urls.map { .address($0) }), titles: [])
            #expect(run.milliseconds == 400 && run.status == .success, "\(options)")
        }
    }
}
