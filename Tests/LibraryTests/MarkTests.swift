import Base
import Catalog
import Glibc
import Library
import Testing

/// Tests the marks of GIFs: favourite, dismissed and viewed. Only the number of viewed GIFs (the history) is limited.
@Suite struct MarkTests {
    private let location: TemporaryLibrary

    init() throws { location = try TemporaryLibrary() }

    @Test("A GIF and its marks are identified by provider and identifier")
    func markKeys() async throws {
        let library = try location.open()
        try await library.setFavourite(gif("a"), true, at: 1_000)
        try await library.markViewed(gif("a"), at: 1_001)
        try await library.setDismissed([gif("b")], true, at: 1_002)
        try await library.storePage(page([gif("c")]), of: .community("x"), isFirst: true, at: 1_003)
        let keys = [gif("a"), gif("b"), gif("c"), gif("a", provider: "klipy")].map(\.key)
        let marks = try await location.open().marks(of: keys)
        #expect(
            marks == [
                gif("a").key: Marks(isFavourite: true, isViewed: true), gif("b").key: Marks(isDismissed: true),
            ])
    }

    @Test("After the folder of an open library was deleted or moved, each change fails and says why")
    func deletedFolder() async throws {
        for isMoved in [false, true] {
            let location = try TemporaryLibrary()
            let library = try location.open()
            try await library.setFavourite(gif("a"), true, at: 1_000)
            let folder = location.directory.path + "/gifplay"
            if isMoved {
                #expect(rename(folder, folder + "-old") == 0)
            } else {
                for end in ["", "-wal", "-shm"] { #expect(unlink(location.path + end) == 0) }
                #expect(rmdir(folder) == 0)
            }
            let lost = Failure.cannotOpen(
                path: location.path, reason: "the file was deleted or moved while it was in use")
            await #expect(throws: lost) { try await library.setFavourite(gif("b"), true, at: 1_001) }
            await #expect(throws: lost) { try await library.setDismissed([gif("b")], true, at: 1_002) }
        }
    }

    @Test(
        "A dismissed favourite stays in the favourites, and the dismissed GIFs are listed, newest first, until restored"
    )
    func dismissedListing() async throws {
        let library = try location.open()
        try await library.setFavourite(gif("a"), true, at: 1_000)
        try await library.markViewed(gif("a"), at: 1_001)
        for (offset, name) in ["a", "b"].enumerated() {
            try await library.setDismissed([gif(name)], true, at: 1_010 + offset)
        }
        let other = try location.open()
        #expect(ids(try await other.listing(.favourites)) == ["a"])
        #expect(ids(try await other.listing(.dismissed)) == ["b", "a"])
        #expect(ids(try await other.listing(.history)) == [])
        try await other.setDismissed([gif("a")], false, at: 1_020)
        #expect(ids(try await library.listing(.dismissed)) == ["b"])
        #expect(ids(try await library.listing(.history)) == ["a"])
    }

    @Test("Favourites are listed newest first, and marking a favourite again does not move it")
    func favouriteOrder() async throws {
        let library = try location.open()
        for (offset, name) in ["a", "b", "c", "a"].enumerated() {
            try await library.setFavourite(gif(name), true, at: 1_000 + offset)
        }
        let listing = try await library.listing(.favourites)
        #expect(ids(listing) == ["c", "b", "a"])
        #expect(listing?.seconds == 1_002 && listing?.next == nil)
        try await library.setFavourite(gif("b"), false, at: 1_010)
        #expect(ids(try await library.listing(.favourites)) == ["c", "a"])
    }

    @Test("Without entries, the favourites and the history are empty listings, not nil")
    func emptyListings() async throws {
        let library = try location.open()
        #expect(try await library.listing(.favourites) == StoredListing(items: [], seconds: 0))
        #expect(try await library.listing(.history) == StoredListing(items: [], seconds: 0))
    }

    @Test("The history is ordered by the time of the last view, and counts the views of each GIF")
    func historyOrder() async throws {
        let library = try location.open()
        for (offset, name) in ["a", "b", "a"].enumerated() {
            try await library.markViewed(gif(name), at: 1_000 + offset)
        }
        #expect(ids(try await library.listing(.history)) == ["a", "b"])
        let history = try await library.all(in: .history)
        #expect(history.map(\.views) == [2, 1] && history.map(\.viewed) == [1_002, 1_001])
    }

    @Test("If the history is full, its oldest entries are removed, but favourites among them remain favourites")
    func fullHistory() async throws {
        var options = Library.Options()
        options.bounds.history = 2
        let library = try location.open(options)
        try await library.setFavourite(gif("a"), true, at: 999)
        for (offset, name) in ["a", "b", "c", "d"].enumerated() {
            try await library.markViewed(gif(name), at: 1_000 + offset)
        }
        #expect(ids(try await library.listing(.history)) == ["d", "c"])
        #expect(try await library.marks(of: [gif("a").key, gif("b").key]) == [gif("a").key: Marks(isFavourite: true)])
        #expect(
            try location.value("SELECT group_concat(name, ' ') FROM (SELECT name FROM work ORDER BY name)") == "a c d")
    }

    @Test("A GIF is deleted when its last mark is removed")
    func lastMark() async throws {
        let library = try location.open()
        try await library.setFavourite(gif("a"), true, at: 1_000)
        try await library.setDismissed([gif("a"), gif("b")], true, at: 1_000)
        try await library.setFavourite(gif("a"), false, at: 1_001)
        #expect(try location.value("SELECT count(*) FROM work") == "2")
        try await library.setDismissed([gif("a"), gif("b"), gif("never")], false, at: 1_002)
        try await library.setFavourite(gif("never"), false, at: 1_003)
        #expect(try location.value("SELECT (SELECT count(*) FROM work) + (SELECT count(*) FROM mark)") == "0")
    }

    @Test("If the history is disabled, only favourites and dismissals are stored")
    func disabledHistory() async throws {
        let before = try location.open()
        try await before.storePage(page([gif("old")]), of: .community("x"), isFirst: true, at: 900)
        let library = try location.open(.init(keepsHistory: false))
        try await library.markViewed(gif("viewed"), at: 1_000)
        try await library.storePage(page([gif("listed")]), of: .search(query: "secret"), isFirst: true, at: 1_001)
        try await library.storePage(page([gif("more")]), of: .community("x"), isFirst: false, at: 1_001)
        try await library.setFavourite(gif("loved"), true, at: 1_002)
        try await library.setDismissed([gif("hated")], true, at: 1_003)
        let names = "SELECT group_concat(name, ' ') FROM (SELECT name FROM work ORDER BY name)"
        #expect(try location.value(names) == "hated loved old")
        #expect(try await library.listing(.search(query: "secret")) == nil)
        #expect(ids(try await library.listing(.community("x"))) == ["old"])
        #expect(!location.bytes().contains("secret") && !location.bytes().contains("GIF viewed"))
    }
}
