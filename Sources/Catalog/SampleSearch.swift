public struct SampleSearch: Sendable {
    public init() {}

    /// The samples that fit the query, the best first.
    ///
    /// A sample fits if its terms cover all content words of the query. If no sample does, it is enough that one covers
    /// half of them with a subject and the other words are neither negations nor subjects, because no result is better
    /// than a wrong one. Stop words count only inside a term of several words, such as `this-is-fine`. Emoji and
    /// emoticons count only if the words alone find nothing.
    public func search(_ query: String) -> [Sample] {
        // For "yesss", "hmmmm" and "hahahaha", also search for "yes", "hmm" and "haha".
        let run = /(\p{Letter}{1,2}?)\1{2,}/
        let texts = [query, query.replacing(run) { "\($0.1)\($0.1)" }, query.replacing(run) { $0.1 }]
        let words = texts.map { QueryWords.words(of: $0, symbols: Self.symbols) }
        let plain = words.map { $0.filter { !Self.symbols.contains($0) && $0.first?.emojiScalar == nil } }
        return (plain + words).lazy.map { Self.samples(for: Array($0.prefix(Self.maximumWords))) }
            .first { !$0.isEmpty } ?? []
    }

    private static func samples(for words: [String]) -> [Sample] {
        let content = Set(words.indices.filter { !QueryWords.stopWords.contains(words[$0]) })
        let decisive = content.filter { decisiveWords.contains(words[$0]) }
        let windows = (1...maximumTermWords).reversed().flatMap { length in
            words.indices.dropLast(length - 1).map { start in
                (start..<start + length, QueryWords.forms(of: words[start..<start + length].joined()))
            }
        }
        let hits = entries.enumerated().compactMap { index, entry -> (rank: (Int, Int, Int), isCertain: Bool)? in
            var (covered, points, hasSubject) = (Set<Int>(), 0, false)
            for (range, forms) in windows where covered.isDisjoint(with: range) {
                guard let form = forms.first(where: { entry[$0] != nil }), let term = entry[form] else { continue }
                covered.formUnion(range)
                points += term.points * range.count / (form == forms[0] ? 1 : 2)
                hasSubject = hasSubject || term.isSubject
            }
            let missing = content.subtracting(covered)
            let isNear = hasSubject && missing.count * 2 <= content.count
            guard missing.isEmpty ? !covered.isEmpty : isNear else { return nil }
            return ((missing.count, -points, index), missing.isDisjoint(with: decisive))
        }.sorted { $0.rank < $1.rank }
        return hits.filter { $0.isCertain || hits[0].rank.0 == 0 }.map { Sample.all[$0.rank.2] }
    }

    /// Returns words from titles and tags that are similar to a misspelt term, the most similar one first.
    ///
    /// The maximum edit distance is 1 for terms of 4 to 6 letters and 2 for longer ones.
    public func similarTerms(to query: String, limit: Int = 5) -> [String] {
        // Ignore terms of fewer than four letters, because too many words differ from them by only one edit.
        // No known word is longer than the limit.
        let terms = QueryWords.terms(of: query).prefix(Self.maximumWords).filter { 4...30 ~= $0.count }
        let known = Set(Sample.all.flatMap(\.tags).filter { !$0.contains("-") })
        let similar = known.compactMap { candidate -> (distance: Int, word: String)? in
            let distances = terms.map { (EditDistance.between($0, candidate), limit: $0.count < 7 ? 1 : 2) }
            return distances.filter { $0.0 <= $0.limit }.map(\.0).min().map { ($0, candidate) }
        }
        return similar.sorted { $0 < $1 }.prefix(limit).map(\.word)
    }

    // MARK: - Terms

    /// The terms of each sample without spaces and hyphens, and their forms, which have half the points.
    private static let entries = Sample.all.map { sample in
        var terms: [String: (points: Int, isSubject: Bool)] = [:]
        for (index, text) in (sample.tags + [sample.title, sample.name]).enumerated() {
            let words = QueryWords.words(of: text, symbols: symbols)
            let isSubject = index < sample.subjectCount || words.count > 1 || text.first?.emojiScalar != nil
            let points = (index < sample.tags.count ? 4 : 8) + (isSubject ? 2 : 0)
            for (number, form) in QueryWords.forms(of: words.joined()).enumerated() {
                let other = terms[form] ?? (0, false)
                terms[form] = (max(other.points, number == 0 ? points : points / 2), other.isSubject || isSubject)
            }
        }
        return terms
    }

    /// More words cannot make a result better, and each one is compared with every term.
    private static let maximumWords = 30
    private static let maximumTermWords = 6
    /// The tags that stay whole in a query, such as `+1` and `:)`.
    private static let symbols = Set(
        Sample.all.flatMap(\.tags).filter { "+:;<>^-".contains($0.first ?? " ") || $0.contains("_") })
    /// The words that change the meaning of a query: negations, and subjects of samples except emoji.
    private static let decisiveWords = QueryWords.negations.union(
        Sample.all.flatMap { $0.tags.prefix($0.subjectCount) }.filter { $0.first?.emojiScalar == nil })
}
