import Base
import Testing

@testable import Gallery

@Suite("Search input")
struct SearchInputTests {
    private let start = Instant(nanoseconds: 0)
    private let options = GalleryOptions()

    @Test("An edit reports whether it changed the query")
    func edits() {
        var search = SearchInput("cat")
        let moved = search.edit(.left)
        let ignored = search.edit(.enter)
        #expect(!moved && !ignored && search.query == "cat")
        let changed = search.edit(.backspace)
        #expect(changed && search.query == "ct")
        let spaced = search.edit(.character(" "))
        #expect(spaced && search.query == "c t")
    }

    @Test("A space at the end of the text does not change the query")
    func space() {
        var search = SearchInput("cat")
        let changed = search.edit(.character(" "))
        #expect(!changed && search.query == "cat" && search.field.text.count == 4)
    }

    @Test("A query of 3 to 5 characters is sent after a longer pause; of 1 or 2 characters, or pasted, only by a key")
    func pauses() {
        let pauses: [(text: String, pause: Int64?)] = [
            ("", options.debounce), ("ca", nil), ("cat", options.shortDebounce), ("cats!", options.shortDebounce),
            ("kitten", options.debounce),
        ]
        for (text, pause) in pauses {
            #expect(SearchInput(text).requestTime(at: start, options) == pause.map { start + $0 }, "\(text)")
        }
        var pasted = SearchInput("")
        _ = pasted.paste("kitten")
        #expect(pasted.requestTime(at: start, options) == nil)
    }

    @Test("An empty search field leads from search results to the first feed of a service, and keeps any other feed")
    func target() {
        var options = options
        options.feeds = [.favourites, .trending(source: "giphy")]
        #expect(SearchInput("cats").target(from: .history, options) == .search(query: "cats"))
        #expect(SearchInput(" ").target(from: .history, options) == .history)
        #expect(SearchInput("").target(from: .search(query: "dogs"), options) == .trending(source: "giphy"))
        options.feeds = [.favourites]
        #expect(SearchInput("").target(from: .search(query: "dogs"), options) == .random)
    }

    @Test("Tab switches between the latest query, the configured feeds and the displayed feed")
    func feeds() {
        var options = options
        options.feeds = [.favourites, .history]
        #expect(SearchInput("").feeds(with: .history, options) == [.favourites, .history])
        var search = SearchInput("dogs")
        search.note(.search(query: "cats"), isTyping: true)
        #expect(
            search.feeds(with: .community("gifs"), options)
                == [.search(query: "cats"), .favourites, .history, .community("gifs")])
    }
}
