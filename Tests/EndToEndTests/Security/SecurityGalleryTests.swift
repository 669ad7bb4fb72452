import Foundation
import TestServer
import Testing

/// Untrusted text in the gallery and the player on a real pseudo-terminal, and in the programs that receive it.
@Suite(.timeLimit(.minutes(15)), .serialized) struct SecurityGalleryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Titles, names, licences and links on the screen, in the clipboard and in what is handed to the browser")
    func gallery() throws {
        let site = try EvilSite.site()
        let gallery = try GalleryDriver(
            ["--source", "openverse", "--rating", "r", "teapot"], folder: folder,
            environment: site.environment(["DISPLAY": "none"]))
        let terminal = gallery.terminal
        try gallery.wait(forText: EvilText.mark)
        // Opens each GIF in the full view, with all of its details.
        terminal.send("g\r" + String(repeating: "n", count: EvilText.texts.count))
        try gallery.wait(forText: "\(EvilText.mark) \(EvilText.texts.count - 1)")
        // The page URL of this GIF contains evil text, too.
        terminal.send("pyYo")
        try gallery.wait(for: "both texts in both clipboards") {
            let copied = try gallery.given("wl-copy").text.components(separatedBy: "http").count - 1
            return copied == 2 && Harm.clipboard(in: terminal.output).count == 2
        }
        let copied = try gallery.given("wl-copy")
        let opened = try gallery.given("xdg-open")
        #expect(try gallery.quit() == 0)
        #expect(Harm.faults(in: terminal.output, isScreen: true) == [])
        let texts = Harm.clipboard(in: terminal.output)
        #expect(texts.count == 2 && texts.contains { $0.contains(EvilText.mark) }, "\(texts)")
        let handed = (copied.text + opened.text).split(separator: "\n").map(String.init)
        #expect(handed.count == 3, "\(handed)")
        for text in texts + handed {
            #expect(text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && text.hasPrefix("http"), "\(text)")
        }
        #expect(opened.text.contains(EvilText.mark))
    }

    @Test("What is searched for, in the field and in sentences")
    func words() throws {
        let site = try Site { _, _ in .text("{\"batchcomplete\": true}") }
        for text in [EvilText.marked[4] + EvilText.marked[18], EvilText.marked[24] + EvilText.marked[26]] {
            let gallery = try GalleryDriver(
                ["--source", "commons", text], folder: folder, environment: site.environment())
            try gallery.wait(forText: EvilText.mark)
            #expect(try gallery.quit() == 0)
            #expect(Harm.faults(in: gallery.terminal.output, isScreen: true) == [])
        }
        let player = try PseudoTerminal(["--source", "commons", EvilText.joined], environment: site.environment())
        #expect(try player.finish() == 1)
        #expect(Harm.faults(in: player.output, isScreen: true) == [] && player.text.contains(EvilText.mark))
    }

    @Test("A player's status line for what a service found")
    func player() throws {
        let site = try EvilSite.site()
        let player = try PseudoTerminal(
            ["--source", "openverse", "--rating", "r", "teapot"], environment: site.environment())
        try player.read(until: "\(EvilText.mark) 0")
        for number in 1...3 {
            player.send("n")
            try player.read(until: "\(EvilText.mark) \(number)")
        }
        player.send("q")
        #expect(try player.finish() == 0)
        #expect(Harm.faults(in: player.output, isScreen: true) == [])
    }

    @Test("Reddit's titles and names, by its API and by its feed", arguments: [true, false])
    func communities(hasCredentials: Bool) throws {
        let reddit = try EvilReddit()
        let settings = folder.url.appendingPathComponent("config/gifplay")
        try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
        let table = "sources = [\"samples\"]\n[reddit]\ncommunities = [\"kettles\"]\n"
        let file = settings.appendingPathComponent("config.toml")
        try Data((table + (hasCredentials ? KettleSite.credentials : "")).utf8).write(to: file)
        let gallery = try GalleryDriver(
            ["--reduced-motion"], folder: folder,
            environment: reddit.site.environment([
                "XDG_CONFIG_HOME": folder.url.path + "/config",
                "GIFPLAY_ENDPOINT_REDDIT": "\(reddit.site.base)/reddit,\(reddit.site.base)/oauth/",
                "https_proxy": reddit.site.base,
            ]))
        try gallery.wait(forText: "search GIFs")
        gallery.terminal.send("\t")
        try gallery.wait(forText: EvilText.mark)
        gallery.terminal.send("\r")
        try gallery.wait(forText: "r/")
        #expect(try gallery.quit() == 0)
        #expect(Harm.faults(in: gallery.terminal.output, isScreen: true) == [])
    }

    /// Titles that are paths, or names with a special meaning.
    private static let titles = [
        "../../../../tmp/x", "/etc/passwd", "..", "~/x", "a\u{0}b", "a/b\\c", "CON", "-rf x", ".bashrc", "\u{2215}etc",
        "\u{FF0F}etc\u{2044}x", String(repeating: "long ", count: 100), "\u{3164}", "x\u{202E}fig",
    ]

    @Test("Saved files have plain names in the downloads, and replace and follow nothing that is there")
    func saving() throws {
        let site = try Site { request, base in
            guard request.path.hasPrefix("/commons") else { return try .gif("campfire") }
            return Site.Reply(body: Array(try JSONSerialization.data(withJSONObject: Self.listing(base))))
        }
        let kept = try folder.write(Array("precious".utf8), to: "precious")
        mkdir(folder.url.path + "/downloads", 0o700)
        symlink(kept, folder.url.path + "/downloads/tmp-x.gif")
        symlink(folder.url.path + "/nowhere", folder.url.path + "/downloads/etc-passwd.gif")
        _ = try folder.write(Array("precious".utf8), to: "downloads/gif-CON.gif")
        let before = try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path))
        let gallery = try GalleryDriver(["--source", "commons", "x"], folder: folder, environment: site.environment())
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: gallery.downloads).sorted()
        }
        try gallery.wait(forText: "14 of 14", pressing: "G")
        gallery.terminal.send("g\r")
        for number in Self.titles.indices {
            gallery.terminal.send("s")
            try gallery.wait(for: "file \(number)") { try names().count { !$0.hasSuffix(".part") } == 4 + number }
            gallery.terminal.send("n")
        }
        #expect(try gallery.quit() == 0)
        let made = try names()
        #expect(
            made.contains("tmp-x (2).gif") && made.contains("etc-passwd (2).gif") && made.contains("gif-CON (2).gif"))
        for name in made {
            #expect(name.hasSuffix(".gif") && name.utf8.count <= 255 && !name.hasPrefix("-") && !name.hasPrefix("."))
            #expect(Harm.faults(in: Array(name.utf8)) == [], "\(name)")
        }
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == "precious")
        #expect(try String(contentsOfFile: gallery.downloads + "/gif-CON.gif", encoding: .utf8) == "precious")
        let after = try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path))
        #expect(after.subtracting(before) == ["bin", "cache", "data"])
    }

    private static func listing(_ base: String) -> [String: Any] {
        let pages = titles.enumerated().map { number, title in
            let image: [String: Any] = [
                "url": "\(base)/media/\(number).gif", "size": 9_000, "width": 90, "height": 60, "mime": "image/gif",
                "metadata": [["name": "frameCount", "value": 9]],
            ]
            return [
                "pageid": title, "title": "File:\(title).gif", "index": number, "imageinfo": [image],
            ] as [String: Any]
        }
        return ["batchcomplete": true, "query": ["pages": pages]]
    }
}

/// A fake Reddit on loopback with evil text in all fields that its users write.
private struct EvilReddit {
    let site: Site

    init() throws {
        site = try Site { request, base in
            if request.path.hasSuffix("access_token") { return try Self.fixture("token.json", base) { $0 } }
            if request.path.hasSuffix("/top") {
                return try Self.fixture("listing.json", base) { text in
                    Self.spoilt(text, quote: { $0.debugJSON })
                }
            }
            if request.path.hasSuffix(".rss") {
                return try Self.fixture("top.rss", base) { text in Self.spoilt(text, quote: { $0.inXML }) }
            }
            return try .gif("campfire")
        }
    }

    private static func fixture(_ name: String, _ base: String, change: (String) -> String) throws -> Site.Reply {
        let file = Binary.package.appendingPathComponent("Tests/Fixtures/reddit/\(name)")
        let text = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(
            of: "https://preview.redd.it/", with: base + "/preview/")
        return .text(change(text))
    }

    private static func spoilt(_ text: String, quote: (String) -> String) -> String {
        var number = 0
        var result = ""
        for part in text.components(separatedBy: "ettle") {
            if !result.isEmpty {
                result += "ettle" + (part.hasPrefix("s/") ? "" : quote(EvilText.marked[number % EvilText.texts.count]))
                number += 1
            }
            result += part
        }
        return result
    }
}

extension String {
    /// The text escaped for a JSON string, without the quotes.
    fileprivate var debugJSON: String {
        (try? JSONEncoder().encode(self)).map { String(String(decoding: $0, as: UTF8.self).dropFirst().dropLast()) }
            ?? ""
    }

    /// The text escaped for XML, without the control characters, most of which XML cannot represent.
    fileprivate var inXML: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 && $0.value & 0xFFFE != 0xFFFE }))
            .replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\"", with: "&quot;")
    }
}
