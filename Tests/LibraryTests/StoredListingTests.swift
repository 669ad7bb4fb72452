import Catalog
import Library
import Testing

/// Tests that the library returns each listing as it was stored.
@Suite struct StoredListingTests {
    private let location: TemporaryLibrary
    private let cats = Feed.search(query: "dancing cat")

    init() throws { location = try TemporaryLibrary() }

    @Test("A stored page is read with all metadata of each GIF")
    func storedPage() async throws {
        let items = [gif("a", tags: ["cat", "dance"]), gif("b")]
        try await location.open().storePage(page(items, next: "2", total: 70), of: cats, isFirst: true, at: 1_000)
        let listing = try await location.open().listing(cats)
        #expect(
            listing
                == StoredListing(
                    items: items, next: PageToken(source: "commons", parameters: ["offset": "2"]), total: 70,
                    seconds: 1_000))
    }

    @Test("A listing that was never stored is nil, but a stored listing without GIFs is empty")
    func missingListing() async throws {
        let library = try location.open()
        #expect(try await library.listing(cats) == nil)
        try await library.storePage(page([]), of: cats, isFirst: true, at: 1_000)
        #expect(try await library.listing(cats) == StoredListing(items: [], seconds: 1_000))
    }

    @Test("Further pages are appended to the first page, and a repeated GIF keeps its position")
    func furtherPages() async throws {
        let library = try location.open()
        try await library.storePage(
            page([gif("a"), gif("b")], next: "2", total: 9), of: cats, isFirst: true, at: 1_000)
        try await library.storePage(page([gif("b"), gif("c")], next: "4"), of: cats, isFirst: false, at: 1_010)
        try await library.storePage(page([gif("d")]), of: cats, isFirst: false, at: 1_020)
        let listing = try await library.listing(cats)
        #expect(ids(listing) == ["a", "b", "c", "d"])
        #expect(listing?.next == nil && listing?.total == 9 && listing?.seconds == 1_000)
    }

    @Test("A new first page replaces all stored pages")
    func newFirstPage() async throws {
        let library = try location.open()
        try await library.storePage(page([gif("a"), gif("b")]), of: cats, isFirst: true, at: 1_000)
        try await library.storePage(page([gif("c"), gif("d")]), of: cats, isFirst: false, at: 1_010)
        try await library.storePage(page([gif("d"), gif("e"), gif("a"), gif("e")]), of: cats, isFirst: true, at: 2_000)
        let listing = try await library.listing(cats)
        #expect(ids(listing) == ["d", "e", "a"])
        #expect(listing?.seconds == 2_000)
        #expect(
            try location.value("SELECT group_concat(name, ' ') FROM (SELECT name FROM work ORDER BY name)") == "a d e")
    }

    @Test("Recent queries begin with the prefix; the latest is first, and variants count once; without history, none")
    func recentQueries() async throws {
        let library = try location.open()
        let queries = ["cat", "Cats 100%", "dog", "category", "cat_nap", "CAT"]
        for (index, query) in queries.enumerated() {
            try await library.storePage(page([gif("a")]), of: .search(query: query), isFirst: true, at: 1_000 + index)
        }
        try await library.storePage(page([gif("a")]), of: .community("cat"), isFirst: true, at: 2_000)
        #expect(
            try await library.recentQueries(matching: "Cat", limit: 9) == ["cat", "cat_nap", "category", "cats 100%"])
        #expect(try await library.recentQueries(matching: "cat", limit: 2) == ["cat", "cat_nap"])
        #expect(try await library.recentQueries(matching: "cat_", limit: 9) == ["cat_nap"])
        #expect(try await library.recentQueries(matching: "%", limit: 9).isEmpty)
        let other = try location.open(Library.Options(variant: "r de"))
        try await other.storePage(page([gif("a")]), of: .search(query: "cats 100%"), isFirst: true, at: 3_000)
        #expect(try await other.recentQueries(matching: "cats", limit: 9) == ["cats 100%"])
        let discreet = try location.open(Library.Options(keepsHistory: false))
        #expect(try await discreet.recentQueries(matching: "cat", limit: 9).isEmpty)
    }

    @Test("A further page is not stored if the first page is missing")
    func missingFirstPage() async throws {
        let library = try location.open()
        try await library.storePage(page([gif("c")]), of: cats, isFirst: false, at: 1_010)
        #expect(try await library.listing(cats) == nil)
        #expect(try location.value("SELECT count(*) FROM work") == "0")
    }

    @Test("Every feed has its own listing")
    func separateFeeds() async throws {
        let library = try location.open()
        let feeds: [Feed] = [
            .trending(source: nil), .trending(source: "giphy"), .search(query: "giphy"), .community("giphy"),
        ]
        for (number, feed) in feeds.enumerated() {
            try await library.storePage(page([gif("\(number)")]), of: feed, isFirst: true, at: 1_000 + number)
        }
        for (number, feed) in feeds.enumerated() {
            #expect(ids(try await library.listing(feed)) == ["\(number)"])
        }
        #expect(ids(try await library.listing(.community("GIPHY"))) == ["3"])
        #expect(ids(try await library.listing(.search(query: "Giphy"))) == ["2"])
    }

    @Test("A listing that was stored with another rating is not returned")
    func otherRating() async throws {
        try await location.open(.init(variant: "r en")).storePage(page([gif("a")]), of: cats, isFirst: true, at: 1_000)
        #expect(try await location.open(.init(variant: "g en")).listing(cats) == nil)
        #expect(ids(try await location.open(.init(variant: "r en")).listing(cats)) == ["a"])
    }

    @Test("The metadata of a later response replaces the earlier metadata in every listing")
    func laterMetadata() async throws {
        let library = try location.open()
        try await library.setFavourite(gif("a", title: "old"), true, at: 900)
        try await library.storePage(page([gif("a", title: "new")]), of: cats, isFirst: true, at: 1_000)
        #expect(try await library.listing(.favourites)?.items.map(\.title) == ["new"])
    }

    @Test("Dismissed GIFs are left out of every listing of a source until the dismissal is undone")
    func dismissedGIFs() async throws {
        let library = try location.open()
        let all = [gif("a"), gif("b"), gif("c")]
        try await library.storePage(page(all), of: cats, isFirst: true, at: 1_000)
        try await library.setFavourite(gif("b"), true, at: 1_001)
        try await library.setDismissed([gif("a"), gif("b")], true, at: 1_002)
        #expect(ids(try await library.listing(cats)) == ["c"])
        #expect(ids(try await library.listing(.favourites)) == ["b"])
        try await library.storePage(page(all), of: .trending(source: nil), isFirst: true, at: 1_003)
        #expect(ids(try await library.listing(.trending(source: nil))) == ["c"])
        try await library.setDismissed([gif("b"), gif("a")], false, at: 1_004)
        #expect(ids(try await library.listing(cats)) == ["a", "b", "c"])
        #expect(ids(try await library.listing(.favourites)) == ["b"])
    }

    @Test("The file URLs of session-only GIFs are kept in memory and never written to disk")
    func sessionURLs()
        async throws
    {
        let library = try location.open()
        try await library.storePage(page([sessionOnlyGIF("a")]), of: cats, isFirst: true, at: 1_000)
        try await library.setFavourite(sessionOnlyGIF("b"), true, at: 1_001)
        #expect(try await library.listing(cats)?.items == [sessionOnlyGIF("a")])
        #expect(try await library.listing(.favourites)?.items == [sessionOnlyGIF("b")])
        var bare = sessionOnlyGIF("a")
        bare.renditions = []
        #expect(try await location.open().listing(cats)?.items == [bare])
        #expect(!location.bytes().contains("a.gif"))
        #expect(!location.bytes().contains("b.gif"))
        #expect(location.bytes().contains("https://example.org/b"))
    }

    @Test("If there are too many listings, the oldest are removed with their GIFs, except GIFs that have a mark")
    func oldestListings() async throws {
        var options = Library.Options()
        options.bounds.listings = 2
        let library = try location.open(options)
        for (number, name) in ["a", "b", "c", "d"].enumerated() {
            let items = [gif(name + "1"), gif(name + "2")]
            try await library.storePage(page(items), of: .search(query: name), isFirst: true, at: 1_000 + number)
            if name == "a" { try await library.setFavourite(gif("a1"), true, at: 1_000) }
        }
        #expect(try await library.listing(.search(query: "a")) == nil)
        #expect(try await library.listing(.search(query: "b")) == nil)
        #expect(ids(try await library.listing(.search(query: "c"))) == ["c1", "c2"])
        let works = "SELECT group_concat(name, ' ') FROM (SELECT name FROM work ORDER BY name)"
        #expect(try location.value(works) == "a1 c1 c2 d1 d2")
        #expect(try location.damages() == [])
    }

    @Test("The number of entries in one listing and in all listings is limited")
    func entryLimits() async throws {
        var options = Library.Options()
        options.bounds.entries = 5
        options.bounds.entriesPerListing = 3
        let library = try location.open(options)
        try await library.storePage(page([gif("a"), gif("b")], next: "2"), of: cats, isFirst: true, at: 1_000)
        try await library.storePage(page([gif("c")], next: "3"), of: cats, isFirst: false, at: 1_001)
        try await library.storePage(page([gif("d")], next: "4"), of: cats, isFirst: false, at: 1_002)
        let listing = try await library.listing(cats)
        #expect(ids(listing) == ["a", "b", "c"])
        #expect(listing?.next?.parameters == ["offset": "3"])
        try await library.storePage(page([gif("e"), gif("f")]), of: .community("x"), isFirst: true, at: 1_003)
        #expect(ids(try await library.listing(cats)) == ["a", "b", "c"])
        try await library.storePage(page([gif("g")]), of: .community("y"), isFirst: true, at: 1_004)
        #expect(try await library.listing(cats) == nil)
        #expect(ids(try await library.listing(.community("x"))) == ["e", "f"])
    }

    @Test("Stored texts contain no control characters, and stored URLs are web URLs")
    func safeTexts() async throws {
        var odd = gif("odd", title: "a\u{1B}[31mred\u{202E}\n\u{7}cat")
        odd.pageURL = "javascript:alert(1)"
        odd.author = "\u{1B}]0;title\u{7}Eve"
        odd.tags = ["ok", "\u{1B}c"]
        odd.renditions.append(Rendition(url: "file:///etc/passwd"))
        let library = try location.open()
        try await library.storePage(page([odd, gif(""), gif("x\u{1B}[0m")]), of: cats, isFirst: true, at: 1_000)
        let items = try #require(try await library.listing(cats)?.items)
        #expect(items.map(\.id) == ["odd"])
        #expect(items.first?.title == "ared cat" && items.first?.pageURL == nil && items.first?.author == "Eve")
        #expect(items.first?.tags == ["ok"])
        #expect(items.first?.renditions == gif("odd").renditions)
    }

    @Test("The finished steps of a chain that version 1.0 stored as a parameter of the next page are read")
    func formerToken() async throws {
        let steps = ["giphy", "any:commons"]
        let token = PageToken(source: "commons", parameters: ["offset": "3"], finishedSteps: steps)
        var page = page([gif("a")], next: "3")
        page.next?.parameters["gifplay-done"] = "giphy,any:commons"
        let library = try location.open()
        try await library.storePage(page, of: cats, isFirst: true, at: 1_000)
        #expect(try await library.listing(cats)?.next == token)
        page.next = token
        try await library.storePage(page, of: cats, isFirst: true, at: 1_001)
        #expect(try await library.listing(cats)?.next == token)
    }
}
