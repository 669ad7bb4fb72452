import Foundation
import TestServer
import Testing

/// Tests on a real pseudo-terminal that untrusted text is harmless in the gallery, in the player and in the desktop
/// programs that receive the text.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct SecurityGalleryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Hostile titles, names and links are harmless on screen, in the clipboard and in the web browser")
    func gallery() throws {
        let site = try HostileTextSite.site()
        let gallery = try GalleryDriver(
            ["--source", "openverse", "--rating", "r", "teapot"], folder: folder,
            environment: site.environment(["DISPLAY": "none"]))
        let terminal = gallery.terminal
        try gallery.wait(forText: HostileText.mark)
        // Opens each GIF in the large view, which shows all details.
        terminal.send("g\r" + String(repeating: "n", count: HostileText.texts.count))
        try gallery.wait(forText: "\(HostileText.mark) \(HostileText.texts.count - 1)")
        // The key 'p' shows the previous GIF. Unlike the last GIF, it has hostile text in its page URL.
        terminal.send("pyYo")
        try gallery.wait(for: "both texts in both clipboards") {
            let copied = try gallery.received(by: "wl-copy").text.components(separatedBy: "http").count - 1
            return copied == 2 && OutputCheck.clipboard(in: terminal.output).count == 2
        }
        let copied = try gallery.received(by: "wl-copy")
        let opened = try gallery.received(by: "xdg-open")
        #expect(try gallery.quit() == 0)
        #expect(OutputCheck.faults(in: terminal.output, isScreen: true) == [])
        let texts = OutputCheck.clipboard(in: terminal.output)
        #expect(texts.count == 2 && texts.contains { $0.contains(HostileText.mark) }, "\(texts)")
        let received = (copied.text + opened.text).split(separator: "\n").map(String.init)
        #expect(received.count == 3, "\(received)")
        for text in texts + received {
            #expect(text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && text.hasPrefix("http"), "\(text)")
        }
        #expect(opened.text.contains(HostileText.mark))
    }

    @Test("A hostile query is harmless in the search field and in messages")
    func query() throws {
        let site = try FakeSite { _, _ in .text("{\"batchcomplete\": true}") }
        for text in [HostileText.marked[4] + HostileText.marked[18], HostileText.marked[24] + HostileText.marked[26]] {
            let gallery = try GalleryDriver(
                ["--source", "commons", text], folder: folder, environment: site.environment())
            try gallery.wait(forText: HostileText.mark)
            try gallery.wait(forText: "nothing found")
            // The search field has the keys.
            try gallery.terminal.quit("\u{3}", status: 130)
            #expect(OutputCheck.faults(in: gallery.terminal.output, isScreen: true) == [])
        }
        // Without the URL in the text, which would play.
        let joined = HostileText.joined.replacingOccurrences(of: "http://", with: "")
        let player = try PseudoTerminal(
            ["--source", "commons", "--search", joined], environment: site.environment())
        #expect(try player.finish() == 1)
        #expect(OutputCheck.faults(in: player.output, isScreen: true) == [] && player.text.contains(HostileText.mark))
    }

    @Test("Hostile titles from a service are harmless on the player's status line")
    func player() throws {
        let site = try HostileTextSite.site()
        let player = try PseudoTerminal(
            ["--source", "openverse", "--rating", "r", "teapot"], environment: site.environment())
        try player.read(until: "\(HostileText.mark) 0")
        for number in 1...3 {
            try player.send("n", until: "\(HostileText.mark) \(number)")
        }
        try player.quit()
        #expect(OutputCheck.faults(in: player.output, isScreen: true) == [])
    }

    @Test("Hostile text from Reddit's RSS feed is harmless in the gallery")
    func communities() throws {
        let reddit = try HostileTextReddit()
        let own = ["GIFPLAY_ENDPOINT_REDDIT": "\(reddit.site.base)/reddit", "https_proxy": reddit.site.base]
        let configuration = try folder.configure("--sources samples\n--reddit kettles\n")
        let environment = reddit.site.environment(own.merging(configuration) { $1 })
        let gallery = try GalleryDriver(["--reduced-motion"], folder: folder, environment: environment)
        try gallery.wait(forText: "search GIFs")
        try gallery.send("\t", until: HostileText.mark)
        try gallery.send("\r", until: "r/")
        #expect(try gallery.quit() == 0)
        #expect(OutputCheck.faults(in: gallery.terminal.output, isScreen: true) == [])
    }

    /// Titles that are paths, or that have a special meaning as file names.
    private static let titles = [
        "../../../../tmp/x", "/etc/passwd", "..", "~/x", "a\u{0}b", "a/b\\c", "CON", "-rf x", ".bashrc", "\u{2215}etc",
        "\u{FF0F}etc\u{2044}x", String(repeating: "long ", count: 100), "\u{3164}", "x\u{202E}fig",
    ]

    @Test("Saving uses safe file names, replaces no existing file and follows no symbolic link")
    func saving() throws {
        let site = try FakeSite { request, base in
            guard request.path.hasPrefix("/commons") else { return try .gif("campfire") }
            return FakeSite.Reply(body: Array(try JSONSerialization.data(withJSONObject: Self.listing(base))))
        }
        let target = try folder.write("precious", to: "precious")
        mkdir(folder.path("downloads"), 0o700)
        symlink(target, folder.path("downloads/tmp-x.gif"))
        symlink(folder.path("nowhere"), folder.path("downloads/etc-passwd.gif"))
        try folder.write("precious", to: "downloads/gif-CON.gif")
        let before = try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path))
        let gallery = try GalleryDriver(["--source", "commons", "x"], folder: folder, environment: site.environment())
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: gallery.downloads).sorted()
        }
        try gallery.wait(forText: "14 of 14", pressing: "G")
        gallery.terminal.send("g\r")
        for number in Self.titles.indices {
            gallery.terminal.send("s")
            try gallery.wait(for: "file \(number)") { try names().count { !$0.hasPrefix(".") } == 4 + number }
            gallery.terminal.send("n")
        }
        #expect(try gallery.quit() == 0)
        let made = try names()
        #expect(
            made.contains("tmp-x (2).gif") && made.contains("etc-passwd (2).gif") && made.contains("gif-CON (2).gif"))
        for name in made {
            #expect(name.hasSuffix(".gif") && name.utf8.count <= 255 && !name.hasPrefix("-") && !name.hasPrefix("."))
            #expect(OutputCheck.faults(in: Array(name.utf8)) == [], "\(name)")
        }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
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

/// A fake Reddit on loopback with hostile text in all fields that Reddit users write.
private struct HostileTextReddit {
    let site: FakeSite

    init() throws {
        site = try FakeSite { request, _ in
            guard request.path.hasSuffix(".rss") else { return try .gif("campfire") }
            let file = Binary.package.appendingPathComponent("Tests/Fixtures/reddit/top.rss")
            return .text(Self.withHostileText(try String(contentsOf: file, encoding: .utf8)))
        }
    }

    private static func withHostileText(_ text: String) -> String {
        var number = 0
        var result = ""
        for part in text.components(separatedBy: "ettle") {
            if !result.isEmpty {
                result +=
                    "ettle" + (part.hasPrefix("s/") ? "" : HostileText.marked[number % HostileText.texts.count].inXML)
                number += 1
            }
            result += part
        }
        return result
    }
}

extension String {
    /// The text escaped for XML. Control characters are removed, because XML cannot represent most of them.
    fileprivate var inXML: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 && $0.value & 0xFFFE != 0xFFFE }))
            .replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\"", with: "&quot;")
    }
}
