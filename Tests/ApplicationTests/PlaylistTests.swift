import Catalog
import LoadingSupport
import Testing

@testable import Application

@Suite struct PlaylistTests {
    private func names(_ list: inout Playlist, _ count: Int) -> [String] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).compactMap { _ in list.next(&generator)?.name }
    }

    private let files: [GIFReference] = ["a", "b", "c", "d"].map { .file($0) }

    @Test(
        "A list plays in order and ends; the user can go back, and a random file of one or two is known",
        arguments: [("abcd", "nnnnnpnn", "abcd-cd-"), ("a", "nrp", "aaa"), ("ab", "nrnp", "ab-a"), ("", "npr", "---")])
    func listed(files: String, keys: String, shown: String) {
        var list = Playlist(listed: files.map { .file(String($0)) })
        var generator = SystemRandomNumberGenerator()
        for (key, name) in zip(keys, shown) {
            let item =
                switch key {
                case "n": list.next(&generator)
                case "p": list.previous()
                default: list.random(&generator)
                }
            #expect(item?.name ?? "-" == String(name))
        }
    }

    @Test("A shuffled list plays every file before it repeats one, and no file twice in a row", arguments: 1...50)
    func shuffled(run: Int) {
        var list = Playlist(shuffling: files)
        let shown = names(&list, 12)
        #expect(shown.count == 12)
        for round in 0..<3 { #expect(Set(shown[round * 4..<round * 4 + 4]).count == 4) }
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("Going back and forward again repeats the same files")
    func history() {
        var list = Playlist(shuffling: files)
        let shown = names(&list, 6)
        #expect(list.previous()?.name == shown[4])
        #expect(list.previous()?.name == shown[3])
        #expect(names(&list, 2) == Array(shown[4...5]))
    }

    @Test("An empty shuffled list has neither a next nor a previous nor a random item")
    func empty() {
        var list = Playlist(shuffling: [])
        var generator = SystemRandomNumberGenerator()
        #expect(list.next(&generator) == nil && list.previous() == nil && list.random(&generator) == nil)
    }

    @Test("A random choice from several files never repeats the current file", arguments: 1...20)
    func random(run: Int) {
        var list = Playlist(listed: files)
        var generator = SystemRandomNumberGenerator()
        let first = list.next(&generator)?.name
        #expect(list.random(&generator)?.name != first)
    }

    @Test("The random file of a shuffled list was not shown in this round, even after going back", arguments: 1...20)
    func unshown(run: Int) {
        var list = Playlist(listed: [.file("z")])
        var generator = SystemRandomNumberGenerator()
        _ = list.next(&generator)
        list.continue(with: Playlist(shuffling: files))
        var shown: [String] = []
        for _ in files {
            shown.append(list.random(&generator)?.name ?? "")
            for _ in 0..<2 { _ = list.previous() }
        }
        #expect(Set(shown) == ["a", "b", "c", "d"])
    }

    // MARK: - Searches for the next item

    /// Returns the result of a search that started with this number of candidates.
    private func result(
        _ fetched: String?, of candidates: Int, skipped: [String] = [], remaining: [String] = []
    ) -> NextItem {
        var next = NextItem()
        next.candidates = candidates
        next.skipped = skipped.map { .file($0) }
        next.fetched = fetched.map { FetchedItem(.file($0)) }
        next.remaining = remaining.map { .file($0) }
        return next
    }

    @Test("The item that a search found becomes the current one; unplayable items leave the list")
    func advance() {
        var list = Playlist(results: files)
        list.advance(to: result("b", of: 4, remaining: ["c", "d"]))
        #expect(list.count == 3 && list.upcoming.map(\.name) == ["c", "d"])
        #expect(list.previous()?.name == "b")
        list.advance(to: result("d", of: 2, remaining: ["c"]))
        #expect(list.upcoming.map(\.name) == ["c"])
        #expect(list.previous()?.name == "b")
        #expect(list.upcoming.map(\.name) == ["d", "c"])
    }

    @Test("After a result is chosen, the user can go back to the results before it")
    func skipped() {
        var list = Playlist(search: .silent, choice: .number(2))
        list.advance(to: result("b", of: 0, skipped: ["a"], remaining: ["c"]))
        #expect(list.upcoming.map(\.name) == ["c"])
        #expect(list.previous()?.name == "a")
        #expect(list.upcoming.map(\.name) == ["b", "c"])
    }

    @Test("A search without a playable item removes the candidates and keeps the current item")
    func nothingFound() {
        var list = Playlist(results: files)
        list.advance(to: result("a", of: 4, remaining: ["b"]))
        list.advance(to: result(nil, of: 1))
        #expect(list.upcoming.isEmpty && list.count == 1)
        #expect(list.previous()?.name == "a")
    }

    @Test("The history of an endless feed is limited; its oldest items are forgotten")
    func feed() {
        var list = Playlist(feed: FeedDouble(), health: SourceHealth())
        for number in 0..<1_100 { list.advance(to: result("\(number)", of: 0)) }
        #expect(list.count == 1_000 && list.upcoming.isEmpty)
        #expect(list.previous()?.name == "1098")
        for _ in 0..<997 { _ = list.previous() }
        #expect(list.previous()?.name == "100" && list.previous()?.name == "100")
    }

    @Test("Each kind of list has the expected properties")
    func kinds() {
        let listed = Playlist(listed: files)
        #expect(listed.needsNoDownload && !listed.isEndless && !listed.isOfResults && listed.upcoming.count == 4)
        let shuffled = Playlist(shuffling: files)
        #expect(shuffled.needsNoDownload && shuffled.isEndless && !shuffled.isFeed && shuffled.upcoming.isEmpty)
        let results = Playlist(search: .silent)
        #expect(!results.needsNoDownload && results.isOfResults && !results.isEndless && results.choice == .first)
        let feed = Playlist(feed: FeedDouble(), health: SourceHealth())
        #expect(feed.isFeed && feed.isEndless && !feed.needsNoDownload && feed.count == 0)
        #expect(Playlist(results: files).needsNoDownload && !Playlist(listed: [.address("https://a")]).needsNoDownload)
    }
}
