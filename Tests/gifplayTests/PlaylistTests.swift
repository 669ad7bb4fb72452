import Application
import Testing

@testable import gifplay

@Suite struct PlaylistTests {
    private func names(_ list: inout Playlist, _ count: Int, _ generator: inout some RandomNumberGenerator) -> [String]
    {
        (0..<count).compactMap { _ in list.next(&generator)?.name }
    }

    private let files: [PlayItem] = ["a", "b", "c", "d"].map { .file($0) }

    @Test("A list plays in order and ends")
    func listed() {
        var list = Playlist(listed: files)
        var generator = SystemRandomNumberGenerator()
        #expect(names(&list, 9, &generator) == ["a", "b", "c", "d"])
        #expect(list.previous()?.name == "c")
        #expect(list.next(&generator)?.name == "d")
        #expect(list.next(&generator) == nil)
    }

    @Test("A shuffled list plays every file before it repeats one, and no file twice in a row", arguments: 1...50)
    func shuffled(run: Int) {
        var list = Playlist(shuffling: files)
        var generator = SystemRandomNumberGenerator()
        let shown = names(&list, 12, &generator)
        #expect(shown.count == 12)
        for round in 0..<3 { #expect(Set(shown[round * 4..<round * 4 + 4]).count == 4) }
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("Going back and forward again repeats the same files")
    func history() {
        var list = Playlist(shuffling: files)
        var generator = SystemRandomNumberGenerator()
        let shown = names(&list, 6, &generator)
        #expect(list.previous()?.name == shown[4])
        #expect(list.previous()?.name == shown[3])
        #expect(names(&list, 2, &generator) == Array(shown[4...5]))
    }

    @Test("A random file of a list differs from the current one", arguments: 1...20)
    func random(run: Int) {
        var list = Playlist(listed: files)
        var generator = SystemRandomNumberGenerator()
        let first = list.next(&generator)?.name
        #expect(list.random(&generator)?.name != first)
    }

    @Test("The only file of a list is also its previous and random file")
    func single() {
        var list = Playlist(listed: [.file("a")])
        var generator = SystemRandomNumberGenerator()
        #expect(list.next(&generator)?.name == "a")
        #expect(list.random(&generator)?.name == "a")
        #expect(list.previous()?.name == "a")
    }
}
