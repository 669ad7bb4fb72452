import Gallery
import Library
import TestServer
import Testing

/// Tests that cleared data is no longer listed, and that its bytes are no longer in the files.
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

    @Test("Clearing leaves no byte of the history, searches and listings in the files")
    func clearing() async throws {
        let library = try location.open()
        try await fill(library)
        #expect(location.bytes().contains("xylophone 17") && location.bytes().contains("quokka 17"))
        let before = location.bytes().count
        #expect(try await library.clear(all: false) == .done)
        for word in ["xylophone", "quokka", "wombat"] { #expect(!location.bytes().contains(word), "\(word)") }
        #expect(before > 1_000_000)
        #expect(contents(location.path).count < 100_000)
        #expect(try await library.listing(.search(query: "xylophone 17")) == nil)
        #expect(ids(try await library.listing(.history)) == [])
        #expect(ids(try await library.listing(.favourites)) == ["kept"])
        #expect(try await library.all(in: .dismissed).map(\.reference.id) == ["gone"])
        #expect(try location.damages() == [])
    }

    @Test("Clearing everything also removes favourites and dismissed GIFs")
    func clearingEverything() async throws {
        let library = try location.open()
        try await fill(library)
        #expect(try await library.clear(all: true) == .done)
        for word in ["xylophone", "quokka", "wombat", "echidna", "bandicoot"] {
            #expect(!location.bytes().contains(word), "\(word)")
        }
        #expect(try location.value("SELECT (SELECT count(*) FROM work) + (SELECT count(*) FROM mark)") == "0")
        try await library.setFavourite(gif("new"), true, at: 4_000)
        #expect(ids(try await location.open().listing(.favourites)) == ["new"])
    }

    @Test("A second open library does not prevent clearing and no longer returns cleared listings")
    func otherLibrary() async throws {
        let (library, other) = (try location.open(), try location.open())
        try await fill(library)
        #expect(try await other.listing(.search(query: "xylophone 3")) != nil)
        #expect(try await library.clear(all: false) == .done)
        #expect(!location.bytes().contains("xylophone"))
        #expect(try await other.listing(.search(query: "xylophone 3")) == nil)
    }

    @Test("After the library is closed, no byte of a removed favourite remains")
    func removedFavourite() async throws {
        do {
            let library = try location.open()
            try await library.setFavourite(gif("a", title: "quokka"), true, at: 1_000)
            try await library.setFavourite(gif("a"), false, at: 1_001)
        }
        #expect(!location.bytes().contains("quokka"))
    }
}
