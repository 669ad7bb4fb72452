import Catalog
import Gallery
import Library
import Testing

/// Favourites and dismissed GIFs stay until the user removes the mark. A full history drops its oldest entries.
@Suite struct MarkTests {
    private let place: Place

    init() throws { place = try Place() }

    @Test func `marks are known of those that have any, by both names`() async throws {
        let library = try place.open()
        try await library.setFavourite(gif("a"), true, at: 1_000)
        try await library.noteViewed(gif("a"), at: 1_001)
        try await library.setDismissed([gif("b")], true, at: 1_002)
        try await library.keep(page([gif("c")]), of: .community("x"), isFirst: true, at: 1_003)
        let keys = [gif("a"), gif("b"), gif("c"), gif("a", provider: "klipy")].map(\.key)
        let marks = try await place.open().marks(of: keys)
        #expect(
            marks == [
                gif("a").key: Marks(isFavourite: true, isViewed: true), gif("b").key: Marks(isDismissed: true),
            ])
    }

    @Test func `favourites stand newest first, and one made again keeps its place`() async throws {
        let library = try place.open()
        for (offset, name) in ["a", "b", "c", "a"].enumerated() {
            try await library.setFavourite(gif(name), true, at: 1_000 + offset)
        }
        let listing = try await library.listing(.favourites)
        #expect(ids(listing) == ["c", "b", "a"])
        #expect(listing?.seconds == 1_002 && listing?.next == nil)
        try await library.setFavourite(gif("b"), false, at: 1_010)
        #expect(ids(try await library.listing(.favourites)) == ["c", "a"])
    }

    @Test func `without any the local listings are empty, not missing`() async throws {
        let library = try place.open()
        #expect(try await library.listing(.favourites) == KeptListing(items: [], seconds: 0))
        #expect(try await library.listing(.history) == KeptListing(items: [], seconds: 0))
    }

    @Test func `history stands by the last view and counts them`() async throws {
        let library = try place.open()
        for (offset, name) in ["a", "b", "a"].enumerated() {
            try await library.noteViewed(gif(name), at: 1_000 + offset)
        }
        #expect(ids(try await library.listing(.history)) == ["a", "b"])
        let shelf = try await library.all(on: .history)
        #expect(shelf.map(\.views) == [2, 1] && shelf.map(\.viewed) == [1_002, 1_001])
    }

    @Test func `the oldest of a full history is unread again, a favourite stays one`() async throws {
        var options = Library.Options()
        options.bounds.history = 2
        let library = try place.open(options)
        try await library.setFavourite(gif("a"), true, at: 999)
        for (offset, name) in ["a", "b", "c", "d"].enumerated() {
            try await library.noteViewed(gif(name), at: 1_000 + offset)
        }
        #expect(ids(try await library.listing(.history)) == ["d", "c"])
        #expect(try await library.marks(of: [gif("a").key, gif("b").key]) == [gif("a").key: Marks(isFavourite: true)])
        #expect(try place.value("SELECT group_concat(name, ' ') FROM (SELECT name FROM work ORDER BY name)") == "a c d")
    }

    @Test func `what loses its last mark leaves nothing behind`() async throws {
        let library = try place.open()
        try await library.setFavourite(gif("a"), true, at: 1_000)
        try await library.setDismissed([gif("a"), gif("b")], true, at: 1_000)
        try await library.setFavourite(gif("a"), false, at: 1_001)
        #expect(try place.value("SELECT count(*) FROM work") == "2")
        try await library.setDismissed([gif("a"), gif("b"), gif("never")], false, at: 1_002)
        try await library.setFavourite(gif("never"), false, at: 1_003)
        #expect(try place.value("SELECT (SELECT count(*) FROM work) + (SELECT count(*) FROM mark)") == "0")
    }

    @Test func `without history only what the user asked for is written`() async throws {
        let before = try place.open()
        try await before.keep(page([gif("old")]), of: .community("x"), isFirst: true, at: 900)
        let library = try place.open(.init(keepsHistory: false))
        try await library.noteViewed(gif("viewed"), at: 1_000)
        try await library.keep(page([gif("listed")]), of: .search(words: "secret"), isFirst: true, at: 1_001)
        try await library.keep(page([gif("more")]), of: .community("x"), isFirst: false, at: 1_001)
        try await library.setFavourite(gif("loved"), true, at: 1_002)
        try await library.setDismissed([gif("hated")], true, at: 1_003)
        let names = "SELECT group_concat(name, ' ') FROM (SELECT name FROM work ORDER BY name)"
        #expect(try place.value(names) == "hated loved old")
        #expect(try await library.listing(.search(words: "secret")) == nil)
        #expect(ids(try await library.listing(.community("x"))) == ["old"])
        #expect(!place.bytes().contains("secret") && !place.bytes().contains("GIF viewed"))
    }
}
