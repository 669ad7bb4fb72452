import Application

/// Fetches the items of a playlist one by one, and waits for each of them. Used for output that is not a terminal.
struct ItemFetch {
    enum Step {
        case fetched(FetchedItem)
        /// The item could not be fetched, for the reason in this message.
        case failure(String)
        case end
    }

    private let loader: GIFLoader

    init(_ loader: GIFLoader) { self.loader = loader }

    /// Returns the list's next item once enough of its bytes have arrived to decode it.
    func next(in list: inout Playlist) -> Step {
        if list.isLocal {
            var generator = SystemRandomNumberGenerator()
            return list.next(&generator).map { .fetched(FetchedItem(item: $0, content: .local)) } ?? .end
        }
        guard list.stream != nil || !list.upcoming.isEmpty else { return .end }
        // Listed items are tried one by one, because all failures are reported. Search results replace failed ones.
        let isFound = list.isOfResults || list.isEndless
        let candidates = isFound ? list.upcoming : Array(list.upcoming.prefix(1))
        let finder = NextItemFinder(
            candidates: candidates, stream: list.stream, choice: list.choice, needsAllBytes: isFound)
        let next = BackgroundValue { [loader] in await finder.run(loader) }.wait()
        list.advance(to: next)
        guard let fetched = next.fetched else { return next.failures.last.map { .failure($0) } ?? .end }
        return .fetched(fetched)
    }
}
