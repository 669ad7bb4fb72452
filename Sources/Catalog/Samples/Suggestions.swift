extension GIFSources {
    /// Returns other search terms for a search without hits, best first; empty if no word is similar.
    ///
    /// They come from the built-in samples. GIPHY has a request for this, but each would count against its 100 an hour.
    public static func suggestions(for words: String) -> [String] {
        let typed = Set(SampleSearch.words(of: words))
        return SampleSearch().near(words).filter { !typed.contains($0) }
    }
}
