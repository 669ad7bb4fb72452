import Catalog
import Library
import TestServer
import Testing

/// Tests that the library no longer returns cleared data, and that its files no longer contain them.
@Suite(.timeLimit(.minutes(15))) struct PrivacyTests {
    private let location: TemporaryLibrary

    init() throws { location = try TemporaryLibrary() }

    private func fill(_ library: Library) async throws {
        for number in 0..<60 {
            let items = (0..<20).map { gif("\(number)-\($0)", title: "quokka \(number)", tags: ["wombat"]) }
            let feed = Feed.search(query: "xylophone \(number)")
            try await library.storePage(page(items), of: feed, isFirst: true, at: 1_000 + number)
            try await library.markViewed(items[0], at: 2_000 + number)
        }
        try await library.setFavourite(gif("kept", title: "echidna"), true, at: 3_000)
        try await library.markViewed(gif("kept", title: "echidna"), at: 3_001)
        try await library.setDismissed([gif("gone", title: "bandicoot")], true, at: 3_002)
    }

    @Test("After the library is cleared, its files contain no text of the history, searches or listings")
    func clearing() async throws {
        let library = try location.open()
        try await fill(library)
        #expect(location.bytes().contains("xylophone 17") && location.bytes().contains("quokka 17"))
        let before = location.bytes().count
        #expect(try await library.clear(all: false))
        for word in ["xylophone", "quokka", "wombat"] { #expect(!location.bytes().contains(word), "\(word)") }
        #expect(before > 1_000_000)
        #expect(contents(location.path).count < 100_000)
        #expect(try await library.listing(.search(query: "xylophone 17")) == nil)
        #expect(ids(try await library.listing(.history)) == [])
        #expect(ids(try await library.listing(.favourites)) == ["kept"])
        #expect(try await library.all(in: .dismissed).map(\.reference.id) == ["gone"])
        #expect(try location.damages() == [])
    }

    @Test("Clearing everything removes favourites and dismissed GIFs, too")
    func clearingEverything() async throws {
        let library = try location.open()
        try await fill(library)
        #expect(try await library.clear(all: true))
        for word in ["xylophone", "quokka", "wombat", "echidna", "bandicoot"] {
            #expect(!location.bytes().contains(word), "\(word)")
        }
        #expect(try location.value("SELECT (SELECT count(*) FROM work) + (SELECT count(*) FROM mark)") == "0")
        try await library.setFavourite(gif("new"), true, at: 4_000)
        #expect(ids(try await location.open().listing(.favourites)) == ["new"])
    }

    @Test("A file that is open in two libraries can be cleared, and both then read the cleared file")
    func otherLibrary() async throws {
        let (library, other) = (try location.open(), try location.open())
        try await fill(library)
        #expect(try await other.listing(.search(query: "xylophone 3")) != nil)
        #expect(try await library.clear(all: false))
        #expect(!location.bytes().contains("xylophone"))
        #expect(try await other.listing(.search(query: "xylophone 3")) == nil)
    }

    @Test("After a favourite is removed and the library is closed, the files do not contain its title")
    func removedFavourite() async throws {
        do {
            let library = try location.open()
            try await library.setFavourite(gif("a", title: "quokka"), true, at: 1_000)
            try await library.setFavourite(gif("a"), false, at: 1_001)
        }
        #expect(!location.bytes().contains("quokka"))
    }
}
