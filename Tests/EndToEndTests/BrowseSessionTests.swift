import Foundation
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
