import Foundation
import TestServer
import Testing

/// Searches the source `emoji` with the real program.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct EmojiSearchTests {
    @Test("An everyday word plays the emoji before other sources; the index is loaded once, and no query is sent")
    func plays() throws {
        let folder = try TemporaryFolder()
        let site = try FakeSite { request, base in
            if request.path == "/emoji/data/api.json" { return try FakeSite.fixture("emoji/search.json", base) }
            return request.path.hasPrefix("/emoji-files/1f44f/512.gif") ? try .gif("campfire") : .text("", status: 404)
        }
        let environment = site.environment(["XDG_CACHE_HOME": folder.url.path])
        let still = try runGifplay(["--size", "8x4", Binary.sample("campfire")])
        for query in ["applause", "👏", "clap"] {
            let found = try runGifplay(["--size", "8x4", query], environment: environment)
            #expect(found.status == 0 && found.output == still.output, "\(query): \(found.errors)")
        }
        let list = try runGifplay(["--list", "--json", "applause"], environment: environment)
        #expect(list.text.contains("Animated Noto Emoji by Google") && list.text.contains("CC BY 4.0"))
        let paths = site.requestLines.map { $0.split(separator: " ")[1] }
        #expect(paths.count { $0 == "/emoji/data/api.json" } == 1 && paths.count == 2, "\(paths)")
        #expect(paths.allSatisfy { $0.hasPrefix("/emoji") && !$0.contains("applause") }, "\(paths)")
    }

    @Test("A missing file of an emoji is skipped, and other words do not load the index")
    func missing() throws {
        let site = try FakeSite { request, base in
            request.path == "/emoji/data/api.json"
                ? try FakeSite.fixture("emoji/search.json", base) : .text("", status: 404)
        }
        let found = try runGifplay(["--size", "8x4", "coffee"], environment: site.environment())
        let builtIn = try runGifplay(["--size", "8x4", Binary.sample("coffee")])
        #expect(found.status == 0 && found.output == builtIn.output, "\(found.errors)")
        let before = site.requestLines.count
        _ = try runGifplay(["--size", "8x4", "dancing cat"], environment: site.environment())
        #expect(site.requestLines.dropFirst(before).allSatisfy { !$0.contains("/emoji") })
    }
}
