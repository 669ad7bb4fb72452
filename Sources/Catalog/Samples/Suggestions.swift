extension GIFSources {
    /// Other words for a search that found nothing, best first; empty where none look like these.
    ///
    /// From what the binary carries: GIPHY has a call for this, but each costs one of a hundred an hour.
    public static func suggestions(for words: String) -> [String] {
        let typed = Set(SampleSearch.words(of: words))
        return SampleSearch().near(words).filter { !typed.contains($0) }
    }
}
