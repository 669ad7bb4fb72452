import Foundation
import TestServer
import Testing

/// Tests the requests of a browsing session in which the gallery shows 24 tiles and the test opens five of them.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct BrowseSessionTests {
    private func driver(_ site: LargeFileCommons) throws -> GalleryDriver {
        let folder = try TemporaryFolder()
        let environment = site.site.environment(try folder.configure("--sources commons\n"))
        return try GalleryDriver(["heavy"], folder: folder, environment: environment, columns: 190, rows: 60)
    }

    @Test("No file is fetched twice; originals are fetched only for opened GIFs and GIFs without an animated thumbnail")
    func requests() throws {
        let site = try LargeFileCommons()
        let gallery = try driver(site)
        // The first GIF is opened while its tile is still loading.
        site.waitForFile(of: 1)
        gallery.terminal.send("\r")
        site.waitForOriginal(of: 1)
        site.gate.open()
        for number in 2...5 {
            gallery.terminal.send("n")
            site.waitForOriginal(of: number)
        }
        // The form of Escape that does not form Alt-q with the 'q' below.
        gallery.terminal.send("\u{1B}[27u")
        for number in 1...LargeFileCommons.count {
            site.waitForFile(of: number)
            if LargeFileCommons.isStill(number) { site.waitForOriginal(of: number) }
        }
        try gallery.terminal.quit()
        let files = site.files
        let twice = Set(files.filter { file in files.count { $0 == file } > 1 }).sorted()
        #expect(twice.isEmpty, "\(files.count) requests, \(site.bytes) bytes, twice: \(twice)")
        // Expects 24 thumbnails, the originals of the 4 GIFs whose thumbnails are not animated, and the originals of
        // the 5 opened GIFs.
        #expect(files.count == 24 + 4 + 5, "\(files.sorted())")
        #expect(site.bytes < 31_000_000, "\(site.bytes) bytes")
    }
}

@Suite(.ownThreads, .timeLimit(.minutes(10))) struct SavingTests {
    private func expectEnd(_ terminal: PseudoTerminal, saves file: String?, in folder: String) throws {
        #expect(try terminal.finish() == (file == nil ? 1 : 0))
        #expect(terminal.text.contains(": not saved before gifplay ended") == (file == nil))
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        #expect(files.filter { $0.hasSuffix(".gif") } == [file].compactMap(\.self))
    }

    @Test("The player finishes a save before it ends, or says that the GIF is not saved", arguments: [true, false])
    func player(arrives: Bool) throws {
        let bytes = try Binary.bytes("campfire")
        let gate = Gate()
        let server = try RawServer(stalling: bytes, until: gate)
        let folder = try TemporaryFolder()
        let terminal = try PseudoTerminal(
            ["\(server.base)/fire.gif"],
            environment: ["GIFPLAY_OFFLINE": "0", "XDG_DOWNLOAD_DIR": folder.url.path], until: "\u{1B}[38;2;")
        try terminal.send("s", until: "saving…")
        terminal.send("q")
        if !arrives { try terminal.read("that it saves") { $0.count(of: "saving…") == 2 } }
        if arrives { gate.open() }
        try expectEnd(terminal, saves: arrives ? "fire.gif" : nil, in: folder.url.path)
        if arrives { #expect(try Data(contentsOf: folder.url.appendingPathComponent("fire.gif")) == Data(bytes)) }
        gate.open()
    }

    @Test("The gallery saves a GIF once, and finishes a save or says that it is not saved", arguments: [true, false])
    func gallery(arrives: Bool) throws {
        let site = try LargeFileCommons()
        let folder = try TemporaryFolder()
        let gallery = try GalleryDriver(
            ["--sources", "commons", "heavy"], folder: folder, environment: site.site.environment())
        site.waitForFile(of: 1)
        for _ in 0..<3 { gallery.terminal.send("s") }
        site.waitForOriginal(of: 1)
        if !arrives { try gallery.terminal.send("t", until: "marked") }
        let count = gallery.terminal.count(of: "saving…")
        gallery.terminal.send("q")
        if !arrives { try gallery.terminal.read("that it saves") { $0.count(of: "saving…") > count } }
        if arrives { site.gate.open() }
        try expectEnd(gallery.terminal, saves: arrives ? "Heavy-1.gif" : nil, in: gallery.downloads)
        site.gate.open()
    }
}
