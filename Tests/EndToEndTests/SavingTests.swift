import Foundation
import TestServer
import Testing

/// Tests what becomes of a running save when the user is impatient.
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
        gallery.terminal.send("q")
        if arrives { site.gate.open() }
        try expectEnd(gallery.terminal, saves: arrives ? "Heavy-1.gif" : nil, in: gallery.downloads)
        site.gate.open()
    }
}
