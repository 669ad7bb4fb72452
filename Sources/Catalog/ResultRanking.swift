/// Sorts the hits of one search, best first.
///
/// The first criterion is a score. Search terms in the title add points. Reference material, a shape that does not suit
/// a terminal, and a very large file subtract points. Among hits with equal scores, GIFs that are certainly animated
/// come first, and then smaller files. If these criteria are equal too, the hits keep the source's order.
public struct ResultRanking: Equatable, Sendable {
    private let terms: [String]

    public init(_ query: String) { terms = QueryWords.terms(of: query).map(Self.stem) }

    /// If so, a search for any of the terms can find more hits than a search for all of them.
    public var hasSeveralTerms: Bool { Set(terms).count > 1 }

    public func sorted(_ items: [GIFReference]) -> [GIFReference] {
        items.map { (rank: rank($0), item: $0) }.sorted { $0.rank < $1.rank }.map(\.item)
    }

    /// At least 0, and 1 for a query without terms. At 0, the chain queries other sources before it uses these hits.
    public func bestScore(of items: [GIFReference]) -> Int {
        guard !terms.isEmpty else { return 1 }
        return max(0, items.map(points).max() ?? 0)
    }

    // MARK: - One hit

    private struct Rank: Comparable {
        var points: Int
        var mayBeStill: Bool
        var weight: Int

        static func < (one: Rank, other: Rank) -> Bool {
            if one.points != other.points { return one.points > other.points }
            if one.mayBeStill != other.mayBeStill { return !one.mayBeStill }
            return one.weight < other.weight
        }
    }

    private func rank(_ item: GIFReference) -> Rank {
        Rank(points: points(item), mayBeStill: item.renditions.allSatisfy(\.mayBeStill), weight: Self.weight(item))
    }

    /// The tags are used only if there is no title. If every file is known to have a single frame, the score is -10.
    private func points(_ item: GIFReference) -> Int {
        let words = Self.words(of: item.title.isEmpty ? item.tags.joined(separator: " ") : item.title)
        let title = Set(words)
        var points =
            2
            * terms.count { term in
                title.contains(term) || (Self.isUnspaced(term) && item.title.lowercased().contains(term))
            }
        if !title.isDisjoint(with: Self.referenceWords.subtracting(terms)) { points -= 2 }
        if Self.hasOddShape(item) { points -= 1 }
        if Self.weight(item) == Self.heavy { points -= 1 }
        if item.renditions.allSatisfy({ $0.frames == 1 }) { points = -10 }
        return points
    }

    /// Words in the titles of reference material such as maps and diagrams, which people look up rather than watch.
    private static let referenceWords: Set<String> = [
        "map", "diagram", "logo", "chart", "graph", "plot", "icon", "flag", "distribution", "range", "location",
        "locator", "schema", "scheme", "structure", "table", "seal", "emblem", "signature", "stub", "button",
        "banner", "bullet", "divider", "spacer", "population", "statistic", "timeline", "phylogeny", "anatomy",
    ]

    private static let heavy = 4

    /// Returns the size class of the smallest file, from 0 to ``heavy``. An unknown size counts as medium.
    private static func weight(_ item: GIFReference) -> Int {
        guard let bytes = item.renditions.compactMap(\.bytes).min() else { return 2 }
        switch bytes {
        case ..<(512 << 10): return 0
        case ..<(1 << 20): return 1
        case ..<(4 << 20): return 2
        case ..<(8 << 20): return 3
        default: return heavy
        }
    }

    /// Whether the picture is too small, too elongated or too large for a terminal. Unknown dimensions count as normal.
    private static func hasOddShape(_ item: GIFReference) -> Bool {
        guard let largest = item.renditions.max(by: { ($0.width ?? 0) < ($1.width ?? 0) }),
            let width = largest.width, let height = largest.height
        else { return false }
        let (short, long) = (min(width, height), max(width, height))
        return short < 32 || long > 3 * short || long > 2_000
    }

    // MARK: - Words

    /// Returns stems. Letters and digits form separate words: `cat01` becomes `cat` and `01`.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isNumber = false
        for character in text.lowercased() {
            let joins = character.isLetter ? !isNumber : character.isNumber && isNumber
            if !joins, !word.isEmpty {
                words.append(stem(word))
                word = ""
            }
            guard character.isLetter || character.isNumber else { continue }
            isNumber = character.isNumber
            word.append(character)
        }
        return word.isEmpty ? words : words + [stem(word)]
    }

    /// Returns the word without an English plural ending.
    static func stem(_ word: String) -> String {
        guard word.count > 3, word.hasSuffix("s"), !word.hasSuffix("ss"), !word.hasSuffix("us") else { return word }
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for ending in ["ches", "shes", "sses", "xes", "zes"] where word.hasSuffix(ending) {
            return String(word.dropLast(2))
        }
        return String(word.dropLast())
    }

    /// Whether the word contains a character of a script without spaces between words: Thai or Lao (U+0E00...U+0EFF),
    /// or U+2E80 and above, where the CJK blocks begin.
    private static func isUnspaced(_ word: String) -> Bool {
        word.unicodeScalars.contains { (0x0E00...0x0EFF).contains($0.value) || $0.value >= 0x2E80 }
    }
}
