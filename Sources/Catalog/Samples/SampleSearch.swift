public struct SampleSearch: Sendable {
    private let samples: [Sample]

    public init(_ samples: [Sample] = Sample.all) { self.samples = samples }

    /// The samples that match any term, sorted by the number of matched terms, then by the quality of the matches
    /// (title before tag, whole word before stem or prefix), then in the order of the built-in samples.
    public func search(_ query: String) -> [Sample] {
        let terms = Self.terms(of: query)
        let scored = samples.enumerated().compactMap { index, sample -> (rank: (Int, Int, Int), sample: Sample)? in
            let scores = terms.map { Self.score($0, sample) }
            let matched = scores.count { $0 > 0 }
            return matched > 0 ? ((-matched, -scores.reduce(0, +), index), sample) : nil
        }
        return scored.sorted { $0.rank < $1.rank }.map(\.sample)
    }

    /// Returns words from titles and tags that are similar to a misspelt term, the most similar one first.
    ///
    /// The maximum edit distance is 1 for terms of 4 to 6 letters and 2 for longer ones.
    public func similarTerms(to query: String, limit: Int = 5) -> [String] {
        // Ignore terms of fewer than four letters, because too many words differ from them by only one edit.
        let terms = Self.terms(of: query).filter { $0.count >= 4 }
        let known = Set(samples.flatMap { $0.tags + Self.terms(of: $0.title) })
        let similar = known.compactMap { candidate -> (distance: Int, word: String)? in
            let distances = terms.map { term in
                (distance: EditDistance.between(term, candidate), limit: term.count < 7 ? 1 : 2)
            }
            return distances.filter { $0.distance <= $0.limit }.map { ($0.distance, candidate) }.min { $0 < $1 }
        }
        return similar.sorted { $0 < $1 }.prefix(limit).map(\.word)
    }

    private static let stopWords: Set<String> = ["a", "an", "and", "gif", "gifs", "in", "of", "on", "the", "with"]

    static func terms(of text: String) -> [String] {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let terms = words.filter { !stopWords.contains($0) }
        return terms.isEmpty ? words : terms
    }

    private static func score(_ word: String, _ sample: Sample) -> Int {
        let title = terms(of: sample.title)
        if title.contains(word) { return 8 }
        if sample.tags.contains(word) { return 4 }
        let stem = stem(of: word)
        // A prefix needs at least three letters, because "danc" clearly means dancing, but "da" could mean anything.
        let isSimilar = { other in Self.stem(of: other) == stem || word.count >= 3 && other.hasPrefix(word) }
        if title.contains(where: isSimilar) { return 3 }
        return sample.tags.contains(where: isSimilar) ? 2 : 0
    }

    /// Returns the word without common English endings, such as "danc" for "dance", "dances" and "dancing". The
    /// stem has at least three letters and a vowel, so that "ring" and "sky" stay whole.
    private static func stem(of word: String) -> String {
        var stem = ResultRanking.stem(word)
        for ending in ["ing", "ed", "er", "y", "e"] where stem.hasSuffix(ending) {
            let start = stem.dropLast(ending.count)
            guard start.count >= 3, start.contains(where: { "aeiou".contains($0) }) else { continue }
            stem = String(start)
            break
        }
        // The last letter of "hop" is doubled in "hopping".
        return stem.count > 3 && stem.suffix(2).first == stem.last ? String(stem.dropLast()) : stem
    }
}
