import Catalog
import Gallery
import Library
import Testing

/// The library returns each listing as it was stored, without a network connection.
@Suite struct ListingTests {
    private let place: Place
    private let cats = Feed.search(words: "dancing cat")

    init() throws { place = try Place() }

    @Test func `a kept page is read again with all that was told of each GIF`() async throws {
        let items = [gif("a", tags: ["cat", "dance"]), gif("b")]
        try await place.open().keep(page(items, next: "2", total: 70), of: cats, isFirst: true, at: 1_000)
        let listing = try await place.open().listing(cats)
        #expect(
            listing
                == KeptListing(
                    items: items, next: PageToken(source: "commons", parameters: ["offset": "2"]), total: 70,
                    seconds: 1_000))
    }

    @Test func `a listing that was never kept is none`() async throws {
        let library = try place.open()
        #expect(try await library.listing(cats) == nil)
        try await library.keep(page([]), of: cats, isFirst: true, at: 1_000)
        #expect(try await library.listing(cats) == KeptListing(items: [], seconds: 1_000))
    }

    @Test func `further pages stand behind the first, and a GIF that comes again stays where it was`() async throws {
        let library = try place.open()
        try await library.keep(page([gif("a"), gif("b")], next: "2", total: 9), of: cats, isFirst: true, at: 1_000)
        try await library.keep(page([gif("b"), gif("c")], next: "4"), of: cats, isFirst: false, at: 1_010)
        try await library.keep(page([gif("d")]), of: cats, isFirst: false, at: 1_020)
        let listing = try await library.listing(cats)
        #expect(ids(listing) == ["a", "b", "c", "d"])
        #expect(listing?.next == nil && listing?.total == 9 && listing?.seconds == 1_000)
    }

    @Test func `a new first page takes the place of all that was kept`() async throws {
        let library = try place.open()
        try await library.keep(page([gif("a"), gif("b")]), of: cats, isFirst: true, at: 1_000)
        try await library.keep(page([gif("c"), gif("d")]), of: cats, isFirst: false, at: 1_010)
        try await library.keep(page([gif("d"), gif("e"), gif("a"), gif("e")]), of: cats, isFirst: true, at: 2_000)
        let listing = try await library.listing(cats)
        #expect(ids(listing) == ["d", "e", "a"])
        #expect(listing?.seconds == 2_000)
        #expect(try place.value("SELECT group_concat(name, ' ') FROM (SELECT name FROM work ORDER BY name)") == "a d e")
    }

    @Test func `a further page without a first one is not kept`() async throws {
        let library = try place.open()
        try await library.keep(page([gif("c")]), of: cats, isFirst: false, at: 1_010)
        #expect(try await library.listing(cats) == nil)
        #expect(try place.value("SELECT count(*) FROM work") == "0")
    }

    @Test func `every feed is a listing of its own`() async throws {
        let library = try place.open()
        let feeds: [Feed] = [
            .trending(source: nil), .trending(source: "giphy"), .search(words: "giphy"), .community("giphy"),
        ]
        for (number, feed) in feeds.enumerated() {
            try await library.keep(page([gif("\(number)")]), of: feed, isFirst: true, at: 1_000 + number)
        }
        for (number, feed) in feeds.enumerated() {
            #expect(ids(try await library.listing(feed)) == ["\(number)"])
        }
        #expect(ids(try await library.listing(.community("GIPHY"))) == ["3"])
        #expect(ids(try await library.listing(.search(words: "Giphy"))) == ["2"])
    }

    @Test func `what was asked with another rating stays away`() async throws {
        try await place.open(.init(variant: "r en")).keep(page([gif("a")]), of: cats, isFirst: true, at: 1_000)
        #expect(try await place.open(.init(variant: "g en")).listing(cats) == nil)
        #expect(ids(try await place.open(.init(variant: "r en")).listing(cats)) == ["a"])
    }

    @Test func `a later answer is what is told of a GIF everywhere`() async throws {
        let library = try place.open()
        try await library.setFavourite(gif("a", title: "old"), true, at: 900)
        try await library.keep(page([gif("a", title: "new")]), of: cats, isFirst: true, at: 1_000)
        #expect(try await library.listing(.favourites)?.items.map(\.title) == ["new"])
    }

    @Test func `dismissed GIFs are left out of every listing until that is taken back`() async throws {
        let library = try place.open()
        let all = [gif("a"), gif("b"), gif("c")]
        try await library.keep(page(all), of: cats, isFirst: true, at: 1_000)
        try await library.setFavourite(gif("b"), true, at: 1_001)
        try await library.setDismissed([gif("a"), gif("b")], true, at: 1_002)
        #expect(ids(try await library.listing(cats)) == ["c"])
        #expect(ids(try await library.listing(.favourites)) == [])
        try await library.keep(page(all), of: .trending(source: nil), isFirst: true, at: 1_003)
        #expect(ids(try await library.listing(.trending(source: nil))) == ["c"])
        try await library.setDismissed([gif("b"), gif("a")], false, at: 1_004)
        #expect(ids(try await library.listing(cats)) == ["a", "b", "c"])
        #expect(ids(try await library.listing(.favourites)) == ["b"])
    }

    @Test func `addresses of files that may not be kept live as long as the run, and are never in the file`()
        async throws
    {
        let library = try place.open()
        try await library.keep(page([lentGIF("a")]), of: cats, isFirst: true, at: 1_000)
        try await library.setFavourite(lentGIF("b"), true, at: 1_001)
        #expect(try await library.listing(cats)?.items == [lentGIF("a")])
        #expect(try await library.listing(.favourites)?.items == [lentGIF("b")])
        var bare = lentGIF("a")
        bare.renditions = []
        #expect(try await place.open().listing(cats)?.items == [bare])
        #expect(!place.bytes().contains("a.gif"))
        #expect(!place.bytes().contains("b.gif"))
        #expect(place.bytes().contains("https://example.org/b"))
    }

    @Test func `the oldest listings go first, with their GIFs, but not what is marked`() async throws {
        var options = Library.Options()
        options.bounds.listings = 2
        let library = try place.open(options)
        for (number, name) in ["a", "b", "c", "d"].enumerated() {
            let items = [gif(name + "1"), gif(name + "2")]
            try await library.keep(page(items), of: .search(words: name), isFirst: true, at: 1_000 + number)
            if name == "a" { try await library.setFavourite(gif("a1"), true, at: 1_000) }
        }
        #expect(try await library.listing(.search(words: "a")) == nil)
        #expect(try await library.listing(.search(words: "b")) == nil)
        #expect(ids(try await library.listing(.search(words: "c"))) == ["c1", "c2"])
        let works = "SELECT group_concat(name, ' ') FROM (SELECT name FROM work ORDER BY name)"
        #expect(try place.value(works) == "a1 c1 c2 d1 d2")
        #expect(try place.damages() == [])
    }

    @Test func `entries of all listings have a bound, and one listing has`() async throws {
        var options = Library.Options()
        options.bounds.entries = 5
        options.bounds.entriesPerListing = 3
        let library = try place.open(options)
        try await library.keep(page([gif("a"), gif("b")], next: "2"), of: cats, isFirst: true, at: 1_000)
        try await library.keep(page([gif("c")], next: "3"), of: cats, isFirst: false, at: 1_001)
        try await library.keep(page([gif("d")], next: "4"), of: cats, isFirst: false, at: 1_002)
        let listing = try await library.listing(cats)
        #expect(ids(listing) == ["a", "b", "c"])
        #expect(listing?.next?.parameters == ["offset": "3"])
        try await library.keep(page([gif("e"), gif("f")]), of: .community("x"), isFirst: true, at: 1_003)
        #expect(ids(try await library.listing(cats)) == ["a", "b", "c"])
        try await library.keep(page([gif("g")]), of: .community("y"), isFirst: true, at: 1_004)
        #expect(try await library.listing(cats) == nil)
        #expect(ids(try await library.listing(.community("x"))) == ["e", "f"])
    }

    @Test func `texts are harmless and addresses of the web, however they came`() async throws {
        var odd = gif("odd", title: "a\u{1B}[31mred\u{202E}\n\u{7}cat")
        odd.pageURL = "javascript:alert(1)"
        odd.author = "\u{1B}]0;title\u{7}Eve"
        odd.tags = ["ok", "\u{1B}c"]
        odd.renditions.append(Rendition(url: "file:///etc/passwd"))
        let library = try place.open()
        try await library.keep(page([odd, gif(""), gif("x\u{1B}[0m")]), of: cats, isFirst: true, at: 1_000)
        let items = try #require(try await library.listing(cats)?.items)
        #expect(items.map(\.id) == ["odd"])
        #expect(items.first?.title == "ared cat" && items.first?.pageURL == nil && items.first?.author == "Eve")
        #expect(items.first?.tags == ["ok"])
        #expect(items.first?.renditions == gif("odd").renditions)
    }
}
