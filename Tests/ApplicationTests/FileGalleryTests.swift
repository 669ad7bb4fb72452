import Base
import Catalog
import Gallery
import Glibc
import Pixels
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Gallery of files", .timeLimit(.minutes(5))) struct FileGalleryTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func titles(_ gallery: FileGallery, _ query: String = "") async throws -> [String] {
        try await gallery.page(of: .files(matching: query), after: nil).items.map(\.title)
    }

    private func failure(_ gallery: FileGallery, of path: String) async -> Failure? {
        let (file, size) = (GIFReference.file(path), PixelSize(width: 1, height: 1))
        return await thrown(Failure.self) {
            try await gallery.bytes(of: file, filling: size, isOriginal: false, arrived: { _ in })
        }
    }

    @Test("All files are listed page by page, and the first page reports their number")
    func pages() async throws {
        for number in 1_000..<2_150 { try folder.write([], to: "\(number).gif") }
        let gallery = try FileGallery([folder.path])
        let first = try await gallery.page(of: .files(matching: ""), after: nil)
        #expect(first.items.count == 100 && first.total == 1_150)
        let second = try await gallery.page(of: .files(matching: ""), after: first.next)
        let third = try await gallery.page(of: .files(matching: ""), after: second.next)
        #expect((first.items + second.items + third.items).map(\.title) == (1_000..<2_150).map { "\($0).gif" })
        #expect(third.next == nil)
    }

    @Test("A filter matches the names that contain all of its terms, and ignores case and folders")
    func filter() throws {
        let paths = ["/cat/dog.gif", "/a/Black CAT.gif", "/a/cat-black.gif", "/a/catfish.gif", "/a/Ärger.gif"]
        #expect(FileGallery.filter(paths, "cat black") == ["/a/Black CAT.gif", "/a/cat-black.gif"])
        #expect(FileGallery.filter(paths, "FISH") == ["/a/catfish.gif"])
        #expect(FileGallery.filter(paths, "ärg") == ["/a/Ärger.gif"] && FileGallery.filter(paths, "") == paths)
    }

    @Test("Files are listed by name, time or size, in the order that was chosen last, and new files too")
    func order() async throws {
        for (name, size, age) in [("a.gif", 2, 30), ("b.gif", 3, 10), ("c.gif", 1, 20)] {
            try folder.write(Array(repeating: 0, count: size), to: name)
            var times = Array(repeating: timeval(tv_sec: 1_700_000_000 - age, tv_usec: 0), count: 2)
            #expect(utimes(folder.path + "/" + name, &times) == 0)
        }
        let gallery = try FileGallery([folder.path])
        let expected: [(FileOrder, [String])] = [
            (.time, ["b.gif", "c.gif", "a.gif"]), (.size, ["b.gif", "a.gif", "c.gif"]),
            (.name, ["a.gif", "b.gif", "c.gif"]),
        ]
        for (order, names) in expected {
            gallery.sort(by: order)
            #expect(try await titles(gallery) == names)
        }
        try folder.write(Array(repeating: 0, count: 9), to: "d.gif")
        gallery.sort(by: .size)
        #expect(try await titles(gallery).first == "d.gif")
    }

    @Test("New and deleted files are noticed after a refresh, and not by a filter")
    func refresh() async throws {
        for name in ["a.gif", "b.gif"] { try folder.write([], to: name) }
        let gallery = try FileGallery([folder.path])
        try folder.write([], to: "c.gif")
        unlink(folder.path + "/a.gif")
        #expect(try await titles(gallery) == ["a.gif", "b.gif"])
        #expect(try await titles(gallery, "c").isEmpty)
        await gallery.endCooldowns()
        #expect(try await titles(gallery) == ["b.gif", "c.gif"])
        unlink(folder.path + "/b.gif")
        unlink(folder.path + "/c.gif")
        await gallery.endCooldowns()
        #expect(try await titles(gallery).isEmpty)
    }

    @Test("A refresh lists as many files as before, and says why a folder can no longer be read")
    func refreshOfPages() async throws {
        for number in 1_000..<1_300 { try folder.write([], to: "\(number).gif") }
        let gallery = try FileGallery([folder.path])
        let first = try await gallery.page(of: .files(matching: ""), after: nil)
        _ = try await gallery.page(of: .files(matching: ""), after: first.next)
        await gallery.endCooldowns()
        #expect(try await titles(gallery).count == 300)
        #expect(try await titles(gallery, "1").count == 100)
        gallery.sort(by: .name)
        #expect(try await titles(gallery).count == 100)
        #expect(rename(folder.path, folder.path + "-gone") == 0)
        await gallery.endCooldowns()
        await #expect(throws: Failure("\(folder.path): No such file or directory")) {
            _ = try await titles(gallery)
        }
        #expect(rename(folder.path + "-gone", folder.path) == 0)
        await gallery.endCooldowns()
        #expect(try await titles(gallery).count == 100)
    }

    @Test("A path that the user enters or drops opens, whatever the filter is; a name is a filter")
    func links() async throws {
        try folder.write([], to: "a.gif")
        try FileSystem.makeDirectory(folder.path + "/other")
        try folder.write(Array("GIF89a".utf8), to: "other/b.gif")
        let gallery = try FileGallery([folder.path])
        let settings = try Settings(isOffline: true, size: (80, 48), environment: [:])
        let (session, path) = (ServiceSession(settings), folder.path + "/other/b.gif")
        let loader = GIFLoader(session)
        gallery.links.withLock {
            $0 = (ServiceListings(session, SampleRepository(), loader: loader), ServiceMedia(loader: loader))
        }
        for query in [path, "file://" + path, "'\(path)'", folder.path + "/other"] {
            #expect(try await titles(gallery, query) == ["b.gif"], "\(query)")
        }
        #expect(try await titles(gallery, "b.gif").isEmpty)
        let refusal = await thrown(Failure.self) { try await titles(gallery, "https://example.org/a.gif") }
        #expect(refusal?.kind == .other)
        #expect(await failure(gallery, of: path) == nil)
    }

    @Test("A file has an absolute path, its own name if it is a link, and a title without control characters")
    func reference() async throws {
        try folder.write([], to: "\u{1B}[31mred.gif")
        #expect(symlink("\u{1B}[31mred.gif", folder.path + "/link.gif") == 0)
        #expect(symlink(".", folder.path + "/here") == 0)
        let gallery = try FileGallery([folder.path + "/here/./", folder.path + "/link.gif"])
        let items = try await gallery.page(of: .files(matching: ""), after: nil).items
        #expect(items.map(\.path) == ["/\u{1B}[31mred.gif", "/link.gif", "/link.gif"].map { folder.path + $0 })
        #expect(items.map(\.title) == ["\u{FFFD}[31mred.gif", "link.gif", "link.gif"])
        #expect(items.allSatisfy { !$0.attribution.contains("\u{1B}") && $0.renditions.isEmpty })
        #expect(gallery.title == (folder.path.split(separator: "/").last ?? "") + " +1")
    }

    @Test("The title of the current folder is its name")
    func currentFolder() throws {
        try folder.write([], to: "a.gif")
        #expect(try FileGallery([folder.path + "/."]).title == (folder.path.split(separator: "/").last ?? ""))
    }

    @Test("Files that cannot be shown are reported, and the others are shown")
    func errors() throws {
        try folder.write([], to: "a.gif")
        let gallery = try FileGallery(["/nonexistent", folder.path])
        #expect(gallery.errors.map(\.message) == ["/nonexistent: No such file or directory"])
        #expect(gallery.paths == [folder.path + "/a.gif"])
    }

    @Test("Only a file that begins like a GIF is decoded; a pipe, a folder and a missing file are reported")
    func bytes() async throws {
        try folder.write(Array("GIF89a".utf8), to: "a.gif")
        try folder.write([0x89, 0x50, 0x4E, 0x47], to: "b.gif")
        #expect(mkfifo(folder.path + "/pipe.gif", 0o600) == 0)
        let gallery = try FileGallery([folder.path])
        #expect(await failure(gallery, of: folder.path + "/a.gif") == nil)
        #expect(await failure(gallery, of: folder.path + "/b.gif") == .notGIF(.png, host: ""))
        #expect(await failure(gallery, of: folder.path + "/pipe.gif") == .notGIF(.unknown, host: ""))
        #expect(await failure(gallery, of: folder.path) == .unreadable(.system("read", EISDIR)))
        #expect(await failure(gallery, of: folder.path + "/gone.gif") == .unreadable(.system("open", ENOENT)))
    }
}
