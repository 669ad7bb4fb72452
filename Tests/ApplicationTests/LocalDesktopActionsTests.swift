import Base
import Catalog
import FoundationEssentials
import Gallery
import Library
import LoadingSupport
import Pixels
import Playback
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Local desktop actions", .timeLimit(.minutes(5)))
struct LocalDesktopActionsTests {
    private let folder: TemporaryDirectory
    private let cat = GIFReference.titled("cat")

    init() throws { folder = try TemporaryDirectory() }

    @Test("A saved GIF never replaces a file, and a missing download directory is created")
    func save() async throws {
        let directory = folder.path + "/a/b"
        let actions = LocalDesktopActions(environment: ["XDG_DOWNLOAD_DIR": directory])
        let first = try await actions.save([1, 2], of: cat).path
        let second = try await actions.save([3], of: cat).path
        #expect(first != second && folder.names(in: "a/b").count == 2)
        for path in [first, second] { #expect(path.hasPrefix(directory + "/") && path.hasSuffix(".gif")) }
    }

    @Test(
        "Keys in quick succession save a GIF once",
        arguments: [[.save], [.copyFile], [.save, .copyLink]] as [[ItemAction]])
    func impatience(actions: [ItemAction]) async throws {
        let directory = try TemporaryDirectory()
        let samples = Sample.all.prefix(3).map { GIFReference.sample($0) }
        let running = RunningActions()
        let tasks = ItemTasks(
            media: NamedMedia(), desktop: LocalDesktopActions(environment: ["XDG_DOWNLOAD_DIR": directory.path]),
            running: running, seconds: { 0 }, report: { _ in }, send: { _ in })
        for _ in 0..<8 { for action in actions { tasks.start(action, on: samples) } }
        await running.end()?.value
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 3)
        #expect(running.unsaved.isEmpty)
    }

    @Test("Without a download directory, nothing is saved")
    func noDirectory() async {
        await #expect(throws: Failure.noDownloadDirectory) {
            try await LocalDesktopActions(environment: [:]).save([1], of: cat)
        }
    }

    @Test("A download directory that cannot be created is reported with its path")
    func unusableDirectory() async throws {
        try folder.write([1], to: "file")
        let actions = LocalDesktopActions(environment: ["XDG_DOWNLOAD_DIR": folder.path + "/file"])
        let error = await thrown(Failure.self) { try await actions.save([1], of: cat).path }
        #expect(error?.systemCode != nil && error?.message.contains(" (\(folder.path)") == true)
    }

    @Test("A page is not opened if there is no display or if its address is not a web address")
    func open() async {
        let link = "https://a.example/b"
        let cases: [(String, Failure)] = [
            (link, .noDisplay(link: link)), ("file:///etc/passwd", .notWebAddress), ("--help", .notWebAddress),
        ]
        for (address, error) in cases {
            await #expect(throws: error) {
                try await LocalDesktopActions(environment: [:]).open(address, isFolder: false)
            }
        }
    }

    @Test("Without a display server, text is copied through the terminal, unless the text is too long")
    func copy() async {
        let actions = LocalDesktopActions(environment: [:])
        #expect(await actions.copy("abc")?.sequence == "\u{1B}]52;c;YWJj\u{07}")
        #expect(await actions.copy(String(repeating: "a", count: 80_000)) == nil)
    }
}

/// A media source with other bytes for each GIF.
private struct NamedMedia: MediaSource {
    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable (PartialFile) -> Void
    ) async throws(Failure) -> [UInt8] { Array("GIF89a \(reference.id)".utf8) }
}
