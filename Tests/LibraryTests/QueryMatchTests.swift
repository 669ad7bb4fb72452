import Catalog
import Library
import Testing

/// Tests which GIFs of the library a query finds besides the results that are stored for it.
@Suite struct QueryMatchTests {
    private let location: TemporaryLibrary

    init() throws { location = try TemporaryLibrary() }

    private func titled(_ title: String, tags: [String] = []) -> GIFReference {
        var item = gif(title, tags: tags)
        item.title = title
        return item
    }

    @Test("Favourites come first, then viewed GIFs, the newest first, then stored results and those of other queries")
    func order() async throws {
        let library = try location.open()
        let seen = page([titled("Cat seen elsewhere"), titled("Dog")])
        try await library.storePage(seen, of: .search(query: "pets"), isFirst: true, at: 1)
        let own = page([titled("No such word"), titled("Cat viewed")])
        try await library.storePage(own, of: .search(query: "cat"), isFirst: true, at: 2)
        for (seconds, title) in ["Old cat", "Cat viewed", "A dog"].enumerated() {
            try await library.markViewed(titled(title), at: 10 + seconds)
        }
        try await library.setFavourite(titled("Favourite: cat"), true, at: 5)
        try await library.setDismissed([titled("Dismissed cat")], true, at: 6)
        #expect(
            ids(try await library.listing(.search(query: "Cat")))
                == ["Favourite: cat", "Cat viewed", "Old cat", "No such word", "Cat seen elsewhere"])
        #expect(try await library.listing(.search(query: "xyzzy")) == nil)
    }

    @Test(
        "Words and their inflected forms match; parts of words do not",
        arguments: [
            ("rain", "Train in the rain", true), ("rain", "Train", false), ("cat", "Scatter", false),
            ("cat", "Vacation", false), ("cat", "Category", false), ("fish", "Selfish", false),
            ("cats", "One cat", true), ("cat", "Two cats", true), ("dance", "Dancing robot", true),
            ("dancing", "A dance", true), ("party ti", "Party all the time", true),
            ("birthday c", "Birthday cake", true), ("rain c", "Rain", false), ("birthd", "Birthday cake", false),
            ("party time", "Party all the time", true), ("party time", "Party", false), ("the cat", "Cat", true),
            ("cat", "black-cat", true), ("cat", "(cat)", true), ("KÄTZCHEN", "Kätzchen tanzt", true),
            ("猫", "踊る 猫", false), ("100%", "100 percent", true), ("%", "100%", false), ("", "Cat", false),
        ])
    func words(query: String, title: String, isFound: Bool) async throws {
        let library = try location.open()
        try await library.markViewed(titled(title), at: 1)
        #expect((try await library.listing(.search(query: query))?.items.count == 1) == isFound)
        // Tags count like titles.
        let tagged = titled("GIF", tags: title.lowercased().split(separator: " ").map(String.init))
        try await library.setFavourite(tagged, true, at: 1)
        #expect((try await library.listing(.search(query: query))?.items.first?.title == "GIF") == isFound)
    }

    @Test("The newest match among 3,000 titles that only contain the letters is found, and at most 60 are listed")
    func many() async throws {
        let library = try location.open()
        try await library.markViewed(titled("The first cat"), at: 1)
        let others = (0..<3_000).map { titled("Vacation \($0)") }
        try await library.storePage(page(Array(others.prefix(2_000))), of: .search(query: "x"), isFirst: true, at: 2)
        try await library.storePage(page(Array(others.suffix(1_000))), of: .search(query: "y"), isFirst: true, at: 3)
        #expect(ids(try await library.listing(.search(query: "cat"))) == ["The first cat"])
        #expect(try await library.listing(.search(query: "vacation"))?.items.count == 60)
    }

    @Test("A chosen source restricts the matches, and GIFs whose address is not stored are left out")
    func sources() async throws {
        var options = Library.Options()
        options.source = "giphy"
        try await location.open().markViewed(titled("Cat"), at: 1)
        #expect(try await Library(path: location.path, options: options).listing(.search(query: "cat")) == nil)
        var secret = titled("Lent cat")
        secret.cachePolicy = .sessionOnly
        try await location.open().markViewed(secret, at: 2)
        #expect(ids(try await location.open().listing(.search(query: "cat"))) == ["Cat"])
    }
}
