import Gallery
import Library
import TestServer
import Testing

/// Cleared data is no longer listed, and its bytes are no longer in the files.
@Suite(.timeLimit(.minutes(15))) struct PrivacyTests {
    private let place: Place

    init() throws { place = try Place() }

    private func fill(_ library: Library) async throws {
        for number in 0..<60 {
            let items = (0..<20).map { gif("\(number)-\($0)", title: "quokka \(number)", tags: ["wombat"]) }
            let feed = Feed.search(words: "xylophone \(number)")
            try await library.keep(page(items), of: feed, isFirst: true, at: 1_000 + number)
            try await library.noteViewed(items[0], at: 2_000 + number)
        }
        try await library.setFavourite(gif("kept", title: "echidna"), true, at: 3_000)
        try await library.noteViewed(gif("kept", title: "echidna"), at: 3_001)
        try await library.setDismissed([gif("gone", title: "bandicoot")], true, at: 3_002)
    }

    @Test func `clearing takes history, searches and listings out of every byte`() async throws {
        let library = try place.open()
        try await fill(library)
        #expect(place.bytes().contains("xylophone 17") && place.bytes().contains("quokka 17"))
        let before = place.bytes().count
        #expect(try await library.clear(all: false) == .done)
        for word in ["xylophone", "quokka", "wombat"] { #expect(!place.bytes().contains(word), "\(word)") }
        #expect(before > 1_000_000)
        #expect(contents(place.path).count < 100_000)
        #expect(try await library.listing(.search(words: "xylophone 17")) == nil)
        #expect(ids(try await library.listing(.history)) == [])
        #expect(ids(try await library.listing(.favourites)) == ["kept"])
        #expect(try await library.all(on: .dismissed).map(\.reference.id) == ["gone"])
        #expect(try place.damages() == [])
    }

    @Test func `clearing all takes favourites and the dismissed too`() async throws {
        let library = try place.open()
        try await fill(library)
        #expect(try await library.clear(all: true) == .done)
        for word in ["xylophone", "quokka", "wombat", "echidna", "bandicoot"] {
            #expect(!place.bytes().contains(word), "\(word)")
        }
        #expect(try place.value("SELECT (SELECT count(*) FROM work) + (SELECT count(*) FROM mark)") == "0")
        try await library.setFavourite(gif("new"), true, at: 4_000)
        #expect(ids(try await place.open().listing(.favourites)) == ["new"])
    }

    @Test func `another library that is open hinders nothing and sees it`() async throws {
        let (library, other) = (try place.open(), try place.open())
        try await fill(library)
        #expect(try await other.listing(.search(words: "xylophone 3")) != nil)
        #expect(try await library.clear(all: false) == .done)
        #expect(!place.bytes().contains("xylophone"))
        #expect(try await other.listing(.search(words: "xylophone 3")) == nil)
    }

    @Test func `a favourite that is taken back leaves no byte after the library is closed`() async throws {
        do {
            let library = try place.open()
            try await library.setFavourite(gif("a", title: "quokka"), true, at: 1_000)
            try await library.setFavourite(gif("a"), false, at: 1_001)
        }
        #expect(!place.bytes().contains("quokka"))
    }
}
