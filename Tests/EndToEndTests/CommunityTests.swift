import Foundation
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct CommunityTests {
    private let folder: TemporaryFolder
    private let reddit: FakeReddit

    init() throws {
        folder = try TemporaryFolder()
        reddit = try FakeReddit()
    }

    private func environment() -> [String: String] {
        reddit.site.environment([
            "GIFPLAY_ENDPOINT_REDDIT": "\(reddit.site.base)/reddit",
            "XDG_DATA_HOME": folder.path("data"), "XDG_CACHE_HOME": folder.path("cache"),
            "XDG_CONFIG_HOME": folder.path("config"),
            // The RSS feed contains GIF URLs of Reddit's own hosts. The fake Reddit is also the https proxy, so that no
            // test connects to these hosts.
            "https_proxy": reddit.site.base, "LANG": "C.UTF-8",
        ])
    }

    private func browse(_ arguments: String = "") throws -> Tmux {
        let tmux = try Tmux(columns: 100, rows: 30)
        try tmux.gifplay("browse " + arguments, environment(), until: "search GIFs")
        return tmux
    }

    @Test(
        "A community tab requests the feed once and shows cached posts if Reddit refuses access; favourites are listed")
    func community() throws {
        _ = try folder.configure("--sources samples\n--reddit r/Kettles,kettles,cups\n" + FakeReddit.ownFeed)
        let tmux = try browse()
        #expect(try tmux.text().contains(" r/kettles "))
        #expect(reddit.requestLines.isEmpty)
        try tmux.press("Tab", until: "Kettle & cup")
        try tmux.wait(forText: "From elsewhere")
        let feed = "feed=hu5h-Hu5h%2B%2F%3D&user=kettle_keeper"
        #expect(reddit.requestLines == ["GET /reddit/r/kettles/top/.rss?t=day&\(feed) HTTP/1.1"])
        try tmux.press("Enter", until: "u/kettle_keeper on r/kettles · 1 of 2 · failed")
        try tmux.press("s", until: "Reddit does not allow saving")
        try tmux.press("f", until: "added to favourites")
        try tmux.press("Escape", until: "/ search  ? keys")
        try tmux.quit()
        try showsCachedPosts()
        try listsFavourite()
    }

    /// Starts the gallery again while the fake Reddit refuses access. The gallery must show the cached posts and the
    /// reason for the failure.
    private func showsCachedPosts() throws {
        reddit.setAccess(.refused)
        let tmux = try browse()
        try tmux.press("Tab", until: "access denied (403)")
        let text = try tmux.text()
        #expect(text.contains("Kettle & cup") && text.contains("From elsewhere"))
        try tmux.wait(forText: "failed: only title")
        try tmux.press("Home", "Enter")
        try tmux.wait(for: "the large view") { try !tmux.text().contains("From elsewhere") }
        try tmux.wait(forText: "u/kettle_keeper on r/kettles · 1 of 2 · failed")
        try tmux.press("Escape", until: "From elsewhere")
        try tmux.quit()
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) where !file.hasPrefix("config")
        {
            let bytes = (try? Data(contentsOf: folder.url.appendingPathComponent(file))) ?? Data()
            #expect(bytes.range(of: Data(FakeReddit.secret.utf8)) == nil, "\(file)")
            #expect(bytes.range(of: Data("i.redd.it".utf8)) == nil, "\(file)")
        }
    }

    /// The list has the fields of a community.
    private func listsFavourite() throws {
        let line = try runGifplay(["library", "--favourites", "--json"], environment: environment()).text
        #expect(line.contains("\"community\":\"r/kettles\"") && line.contains("\"title\":\"Kettle & cup\""), "\(line)")
    }

    @Test("Without a token, the gallery fetches the RSS feed once, and shows an error if Reddit denies access")
    func feed() throws {
        _ = try folder.configure("--sources samples\n--reddit kettles\n--reddit secretkettles\n")
        let tmux = try browse()
        try tmux.press("Tab", until: "Kettle & cup")
        try tmux.wait(forText: "From elsewhere")
        #expect(reddit.requestLines == ["GET /reddit/r/kettles/top/.rss?t=day HTTP/1.1"])
        reddit.setAccess(.refused)
        try tmux.press("Tab", until: "access denied (403)")
        #expect(try tmux.text().contains("r: try again"))
        try tmux.quit()
    }

    @Test(
        "Reddit is not queried if no community is configured or if '--offline' is given",
        arguments: [
            ("", ""), (FakeReddit.ownFeed, ""),
            ("--reddit kettles", "--offline"),
        ])
    func notQueried(table: String, arguments: String) throws {
        _ = try folder.configure("--sources samples\n" + table)
        let tmux = try browse(arguments)
        try tmux.press("Tab", until: "[★ Favourites]")
        try tmux.press("Tab", until: "no GIFs viewed yet")
        #expect(try !tmux.text().contains("r/kettles"))
        try tmux.quit()
        #expect(reddit.requestLines.isEmpty)
        let sources = try runGifplay(["sources"], environment: environment())
        #expect(sources.status == 0 && !(sources.text + sources.errors).contains(FakeReddit.secret))
    }
}
