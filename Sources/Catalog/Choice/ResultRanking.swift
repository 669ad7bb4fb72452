/// Orders the hits of one search, best first.
///
/// What counts: how many terms are in the title, whether it is a drawing for an encyclopaedia, whether
/// it is animated for certain, a shape that fits a terminal, few bytes, and last the source's own order.
public struct ResultRanking: Sendable {
    private let terms: [String]

    /// - Parameter words: as they were typed.
    public init(_ words: String) {
        terms = SampleSearch.words(of: words).map(Self.stem)
    }

    /// Whether a query has several terms, so that any of them alone is a wider search.
    public var hasSeveralTerms: Bool { Set(terms).count > 1 }

    /// The hits, best first.
    public func sorted(_ items: [GIFReference]) -> [GIFReference] {
        items.enumerated().map { (rank: rank($0.element), offset: $0.offset, item: $0.element) }
            .sorted { ($0.rank, $0.offset) < ($1.rank, $1.offset) }.map(\.item)
    }

    /// How well the best hit fits: 0 where its title has no term, so that other sources should be asked first.
    public func fit(_ items: [GIFReference]) -> Int {
        guard !terms.isEmpty else { return 1 }
        return max(0, items.map(points).max() ?? 0)
    }

    // MARK: - One hit

    private struct Rank: Comparable {
        var points: Int
        var isPerhapsStill: Bool
        var weight: Int

        static func < (one: Rank, other: Rank) -> Bool {
            if one.points != other.points { return one.points > other.points }
            if one.isPerhapsStill != other.isPerhapsStill { return !one.isPerhapsStill }
            return one.weight < other.weight
        }
    }

    private func rank(_ item: GIFReference) -> Rank {
        Rank(
            points: points(item), isPerhapsStill: item.renditions.allSatisfy(\.mayBeStill),
            weight: Self.weight(item))
    }

    /// Two for a term in the title, less what speaks against playing it.
    private func points(_ item: GIFReference) -> Int {
        let words = Self.words(of: item.title.isEmpty ? item.tags.joined(separator: " ") : item.title)
        let title = Set(words)
        var points =
            2
            * terms.count { term in
                title.contains(term) || (Self.isUnspaced(term) && item.title.lowercased().contains(term))
            }
        if !title.isDisjoint(with: Self.encyclopaedic.subtracting(terms)) { points -= 2 }
        if Self.hasOddShape(item) { points -= 1 }
        if Self.weight(item) == Self.heavy { points -= 1 }
        if item.renditions.allSatisfy({ $0.frames == 1 }) { points = -10 }
        return points
    }

    /// What a title says of a file that is looked up rather than watched.
    private static let encyclopaedic: Set<String> = [
        "map", "diagram", "logo", "chart", "graph", "plot", "icon", "flag", "distribution", "range", "location",
        "locator", "schema", "scheme", "structure", "table", "seal", "emblem", "signature", "stub", "button",
        "banner", "bullet", "divider", "spacer", "population", "statistic", "timeline", "phylogeny", "anatomy",
    ]

    private static let heavy = 4

    /// Classes of file sizes; what is not known is taken for middling.
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

    /// Too small, too long or too large to be worth a terminal's cells; what is not known is sound.
    private static func hasOddShape(_ item: GIFReference) -> Bool {
        guard let largest = item.renditions.max(by: { ($0.width ?? 0) < ($1.width ?? 0) }),
            let width = largest.width, let height = largest.height
        else { return false }
        let (short, long) = (min(width, height), max(width, height))
        return short < 32 || long > 3 * short || long > 2_000
    }

    // MARK: - Words

    /// The stems of a text's words; letters and digits are words apart, as in `cat01`.
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

    /// Without the ending of an English plural.
    private static func stem(_ word: String) -> String {
        guard word.count > 3, word.hasSuffix("s"), !word.hasSuffix("ss"), !word.hasSuffix("us") else { return word }
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for ending in ["ches", "shes", "sses", "xes", "zes"] where word.hasSuffix(ending) {
            return String(word.dropLast(2))
        }
        return String(word.dropLast())
    }

    /// Of a script that puts no spaces between words.
    private static func isUnspaced(_ word: String) -> Bool {
        word.unicodeScalars.contains { (0x0E00...0x0EFF).contains($0.value) || $0.value >= 0x2E80 }
    }
}
