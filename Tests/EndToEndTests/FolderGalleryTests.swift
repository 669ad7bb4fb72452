import Foundation
import Library
import Testing

/// Tests the gallery of a folder in a real tmux. No service is configured, and no request is sent.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct FolderGalleryTests {
    private let folder: TemporaryFolder
    private let pictures: URL

    /// Creates 300 GIFs, which are links to one file.
    init() throws {
        folder = try TemporaryFolder()
        pictures = folder.url.appendingPathComponent("pictures")
        try folder.makeFolder("pictures/below")
        try FileManager.default.copyItem(atPath: Binary.sample("dancing-cat"), toPath: path("100.gif"))
        for number in 101..<400 { try link("\(number).gif") }
        try link("below/deep.gif")
    }

    private func path(_ name: String) -> String { pictures.appendingPathComponent(name).path }

    private func link(_ name: String) throws {
        try FileManager.default.linkItem(atPath: path("100.gif"), toPath: path(name))
    }

    /// Starts the gallery with a fake xdg-open, which writes its arguments to the file `opened`.
    private func browse(_ arguments: String, columns: Int = 110) throws -> Tmux {
        try folder.writeProgram("#!/bin/sh\necho \"$@\" > '\(opened)'\n", to: "xdg-open")
        let root = folder.url.path
        let tmux = try Tmux(columns: columns, rows: 30)
        try tmux.shell(
            "env XDG_CONFIG_HOME='\(root)' XDG_DATA_HOME='\(root)/data' XDG_CACHE_HOME='\(root)/cache' DISPLAY=:0 "
                + "LC_ALL=C.UTF-8 PATH='\(root)':\"$PATH\" '\(Binary.path)' browse \(arguments); echo status=$?")
        return tmux
    }

    private var opened: String { folder.path("opened") }

    @Test("A folder is shown, filtered, opened and refreshed; the path of a file is copied; nothing is stored")
    func session() throws {
        let tmux = try browse(pictures.path)
        try tmux.wait(forText: "1 of 300")
        try tmux.wait(forText: "▀")
        try tmux.type("/399", until: "Enter filter  1 of 1")
        try tmux.press("Enter", until: "/ filter")
        try tmux.press("Enter", until: "399.gif · 1 of 1")
        try tmux.press("y", until: "path copied")
        #expect(try tmux.tmux("show-buffer") == path("399.gif"))
        try tmux.press("o")
        try tmux.wait(for: "xdg-open") {
            (try? String(contentsOfFile: opened, encoding: .utf8)) == pictures.path + "\n"
        }
        try tmux.press("s", until: "already on this machine")
        try link("3999.gif")
        try FileManager.default.removeItem(atPath: path("399.gif"))
        try tmux.press("r", until: "3999.gif")
        try tmux.press("q", until: "/ filter")
        try tmux.quit()
        #expect(!FileManager.default.fileExists(atPath: folder.path("data")))
    }

    @Test("The picture beside the list is there again at the next start, until 'v' removes it")
    func side() throws {
        for (isShown, isShownAfterKey) in [(false, true), (true, false), (false, true)] {
            let tmux = try browse(pictures.path, columns: 150)
            // Titles of the tile and on the status line, and that beside the list.
            func wait(_ isShown: Bool) throws {
                try tmux.wait(for: "the picture beside the list: \(isShown)") {
                    let text = try tmux.text()
                    let count = text.components(separatedBy: "100.gif").count - 1
                    return text.contains("1 of 300") && count == (isShown ? 3 : 2)
                }
            }
            try wait(isShown)
            try tmux.press("v")
            try wait(isShownAfterKey)
            try tmux.quit()
        }
        let library = try Connection(path: folder.path("data/gifplay/library.sqlite"))
        #expect(try library.value("SELECT value FROM setting WHERE name = 'side'") == 1)
    }

    @Test("Subfolders are shown with '-r'; a file that cannot be shown is reported at the end with status 1")
    func recursive() throws {
        let tmux = try browse("-r '\(pictures.path)' '\(path("missing.gif"))'")
        try tmux.wait(forText: "1 of 301")
        try tmux.press("q")
        // The path can contain line breaks of the terminal.
        try tmux.wait(for: "the error") {
            try tmux.text().replacing("\n", with: "").contains("missing.gif: No such file")
        }
        try tmux.wait(forText: "status=1")
    }

    @Test("The paths are printed in plain output, also those of a list of files")
    func plain() throws {
        let plain = try runGifplay(["browse", "--plain", "-r", pictures.path])
        #expect(plain.status == 0 && plain.text.split(separator: "\n").count == 301)
        #expect(plain.text.hasSuffix(path("below/deep.gif") + "\n"))
        let list = Array("\(path("101.gif"))\0\(path("below"))\0".utf8)
        let listed = try runGifplay(["browse", "--plain", "--files0", "-"], input: list)
        #expect(listed.text == "\(path("101.gif"))\n\(path("below/deep.gif"))\n")
    }

    @Test("The search of an existing name needs '--search'")
    func search() throws {
        let names = ["browse", "--plain", "--offline"]
        try folder.write([], to: "cat")
        let shown = try runGifplay(names + ["cat"], folder: folder.url)
        let searched = try runGifplay(names + ["--search", "cat"], folder: folder.url)
        #expect(shown.text == "cat\n" && searched.text.contains("Dancing cat"))
    }
}
