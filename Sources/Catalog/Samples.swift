import Base
import CSamples

public struct Sample {
    /// The file name without extension, such as `dancing-cat`.
    public let name: String
    public let title: String
    /// Search terms in lower case. A tag of several words has hyphens between them.
    public let tags: [String]
    /// The number of tags at the start that fit also with other words behind them, such as `thanks`.
    let openingCount: Int
    /// The number of tags at the start that fit also in inflected forms, such as `hug`. At least ``openingCount``.
    let subjectCount: Int
    /// Valid for the lifetime of the process.
    public let bytes: UnsafeRawBufferPointer
    /// In pixels, from the header of the file.
    var width: Int { Int(bytes[6]) | Int(bytes[7]) << 8 }
    var height: Int { Int(bytes[8]) | Int(bytes[9]) << 8 }

    init(_ sample: gifplay_sample) {
        name = String(cString: sample.name)
        title = String(cString: sample.title)
        let sections = String(cString: sample.tags).split(separator: " ").map(String.init).split(separator: "|")
        tags = Array(sections.joined())
        openingCount = sections.count > 2 ? sections[0].count : 0
        subjectCount = tags.count - (sections.count > 1 ? sections.last?.count ?? 0 : 0)
        bytes = UnsafeRawBufferPointer(start: sample.bytes, count: sample.count)
    }

    /// The dancing cat is the first.
    public static let all: [Sample] = (0..<gifplay_sample_count).map { Sample(gifplay_sample_at($0).pointee) }
}

extension Sample: Hashable {
    public static func == (one: Sample, other: Sample) -> Bool { one.name == other.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// `bytes` points to constants of the binary.
extension Sample: @unchecked Sendable {}

/// The source of the built-in samples, which needs no network. By default it is the last source of a chain.
public struct SampleRepository: GIFRepository {
    public static let name = "samples"
    public var name: String { Self.name }
    /// The built-in samples in their own order.
    public static let allReferences = Sample.all.map(GIFReference.sample)

    private let cached: @Sendable () -> [GIFReference]

    /// - Parameter cached: the GIFs that random ones include, besides the samples.
    public init(cached: @escaping @Sendable () -> [GIFReference] = { [] }) { self.cached = cached }

    public func search(_ query: SearchQuery, page: PageToken?) throws(Failure) -> ResultPage {
        Self.page(of: SampleSearch().search(query.text))
    }

    public func trending(_ preferences: ListingPreferences, page: PageToken?) throws(Failure) -> ResultPage {
        Self.page(of: Sample.all)
    }

    public func random(_ preferences: ListingPreferences) throws(Failure) -> ResultPage {
        ResultPage(items: cached() + Self.page(of: Sample.all.shuffled()).items)
    }

    private static func page(of samples: [Sample]) -> ResultPage {
        ResultPage(items: samples.map(GIFReference.sample), total: samples.count)
    }
}

public struct SampleSearch: Sendable {
    public init() {}

    /// The samples that fit the query, the best first.
    ///
    /// A sample fits if its terms cover all words of the query except fillers, because no result is better than a wrong
    /// one. Behind an opening such as "thanks", other words are allowed: "thanks for the review". Emoji and emoticons
    /// count only if the words alone find nothing.
    public func search(_ query: String) -> [Sample] {
        // For "yesss", "hmmmm", "hahahaha" and "noo", also search for "yes", "hmm", "haha" and "no".
        let single = query.replacing(Self.run) { $0.1 }.replacing(Self.double) { $0.1 }
        let texts = [query, query.replacing(Self.run) { "\($0.1)\($0.1)" }, single]
        let words = texts.map { QueryWords.words(of: $0, symbols: Self.symbols) }
        let plain = words.map { $0.filter { !Self.symbols.contains($0) && $0.first?.emojiText == nil } }
        return (plain + words).lazy.map { Self.samples(for: Array($0.prefix(Self.maximumWords))) }
            .first { !$0.isEmpty } ?? []
    }

    // Immutable; `Regex` is only not declared as Sendable.
    private nonisolated(unsafe) static let run = /(\p{Letter}{1,2}?)\1{2,}/
    private nonisolated(unsafe) static let double = /(\p{Letter})\1\b/

    private static func samples(for words: [String]) -> [Sample] {
        // In "nope, sorry", the other word carries the meaning.
        let content = Set(
            words.indices.filter { index in
                let isFiller = fillers.contains(words[index]) || index > 0 && openings.contains(words[index])
                return !isFiller && words[index].first?.emojiText == nil
            })
        let windows = (1...maximumTermWords).reversed().flatMap { length in
            words.indices.dropLast(length - 1).map { start in
                let (end, word) = (start + length, words[start..<start + length].joined())
                let forms = QueryWords.forms(of: word, isBeforeNoun: end < words.count)
                return (start..<end, forms.indices.filter { $0 < 2 || subjects.contains(forms[$0]) }.map { forms[$0] })
            }
        }
        let ranks = entries.enumerated().compactMap { index, entry -> (Int, Int, Int)? in
            var (covered, points, object) = (Set<Int>(), 0, words[words.endIndex...])
            for (range, forms) in windows where covered.isDisjoint(with: range) {
                guard let form = forms.first(where: { entry[$0] != nil }), let value = entry[form] else { continue }
                covered.formUnion(range)
                points += value * range.count / (form == forms[0] ? 1 : 2)
                let isFirst = content.allSatisfy { $0 >= range.lowerBound }
                if isFirst, openings.contains(form) { object = words[range.upperBound...] }
            }
            let missing = content.subtracting(covered)
            let isName = missing.count <= covered.count && missing.allSatisfy { !subjects.contains(words[$0]) }
            let isAllowed = object.first.map { isName || links.contains($0) } ?? false
            guard missing.isEmpty || isAllowed && QueryWords.negations.isDisjoint(with: object) else { return nil }
            return covered.isEmpty ? nil : (missing.count, -points, index)
        }
        return ranks.sorted(by: <).map { Sample.all[$0.2] }
    }

    /// Returns titles and tags that are similar to a misspelt term or, if they have several words, to the query. The
    /// most similar one is the first.
    ///
    /// The maximum edit distance is 1 for terms of 4 to 6 letters and 2 for longer ones. The first letter is the same.
    public func similarTerms(to query: String, limit: Int = 5) -> [String] {
        // Ignore terms of fewer than four letters, because too many words differ from them by only one edit.
        // No known term is longer than the limit.
        let words = QueryWords.words(of: query).prefix(Self.maximumWords)
        let known = Set(Sample.all.flatMap { $0.tags + [$0.name] })
        let terms = words.filter { !Self.fillers.contains($0) && !QueryWords.negations.contains($0) }
        let similar = known.flatMap { candidate in
            let joined = candidate.replacing("-", with: "")
            return (candidate == joined ? terms : words.count > 1 ? [words.joined()] : [])
                .filter { 4...30 ~= $0.count && $0.first == joined.first && ($0 == joined || !known.contains($0)) }
                .map { (EditDistance.between($0, joined), limit: $0.count < 7 ? 1 : 2) }
                .filter { $0.0 <= $0.limit }.map { ($0.0, candidate.replacing("-", with: " ")) }.prefix(1)
        }
        return similar.sorted(by: <).prefix(limit).map(\.1)
    }

    /// The samples for a query that is being typed: those whose title begins with it, those that fit it, and those that fit
    /// it if the last word is only the beginning of a word. A single letter is that of a word in a title.
    public func typed(_ query: String) -> [Sample] {
        let (words, hits) = (QueryWords.words(of: query), search(query))
        guard let part = words.last else { return hits }
        let (others, typed) = (words.dropLast(), words.joined(separator: " "))
        let found = Set(search(others.joined(separator: " ")))
        let possible = zip(Sample.all, Self.words).filter { sample, own in
            found.contains(sample) || others.allSatisfy((own.title + own.tags).contains)
        }
        let usesTags = hits.isEmpty && typed.count > 1
        let ranks: [[Sample]] = [
            possible.filter { words.count > 1 && $0.1.title.joined(separator: " ").hasPrefix(typed) }.map(\.0), hits,
            possible.filter { $0.1.title.contains { $0.hasPrefix(part) } }.map(\.0),
            possible.filter { usesTags && $0.1.tags.contains { $0 != part && $0.hasPrefix(part) } }.map(\.0),
        ]
        var seen: Set<Sample> = []
        return ranks.joined().filter { seen.insert($0).inserted }
    }

    /// The words of each sample, because every letter of a query looks for them.
    private static let words = Sample.all.map { sample in
        (title: QueryWords.words(of: sample.title), tags: sample.tags.flatMap { QueryWords.words(of: $0) })
    }

    // MARK: - Terms

    /// The points of the terms of each sample, without spaces and hyphens. Their forms have half the points.
    private static let entries = Sample.all.map { sample in
        var terms: [String: Int] = [:]
        for (index, text) in (sample.tags + [sample.title, sample.name]).enumerated() {
            let words = QueryWords.words(of: text, symbols: symbols)
            let isSubject = index < sample.subjectCount || words.count > 1
            let points = (index < sample.tags.count ? 4 : 8) + (isSubject ? 2 : 0)
            for (number, form) in QueryWords.forms(of: words.joined()).enumerated() where isSubject || number < 2 {
                terms[form] = max(terms[form] ?? 0, number == 0 ? points : points / 2)
            }
        }
        return terms
    }

    /// More words cannot make a result better, and each one is compared with every term.
    private static let maximumWords = 30
    private static let maximumTermWords = 6
    /// The tags that stay whole in a query, such as `+1`, `:)` and `o/`.
    private static let symbols = Set(Sample.all.flatMap(\.tags)).filter { tag in
        "+:;<>^-?".contains(tag.first ?? " ") || tag.contains { "_./".contains($0) }
    }
    private static let openings = Set(
        Sample.all.flatMap { $0.tags.prefix($0.openingCount) }.map { $0.replacing("-", with: "") })
    private static let subjects = Set(Sample.all.flatMap { $0.tags.prefix($0.subjectCount) })
    /// Words that need not be covered: stop words, intensifiers, words for a GIF or a face, and politeness.
    private static let fillers = QueryWords.stopWords.union(
        QueryWords.set(
            """
            really quite too such totally extremely completely super mega total echt ganz wirklich voll richtig much
            now oh ah ach aber but well leider already cute funny little sweet lovely adorable lustig suess niedlich
            he she they them us or has have had do be am been den dem des einen einer wir du es er sie zu im am jetzt
            schon mal doch please pls plz bitte emoji emojis emote emoticon smiley meme memes sticker stickers
            reaction reactions reaktion animation animated animiert video picture image bild face gesicht day more
            hard feeling feel guys folks everyone leute zusammen lets need vibes lol haha omg wow ok yeah
            """))
    /// Words between an opening and its object, which can be anything.
    private static let links = QueryWords.set("for on to with from about fuer fuers zu zum zur an beim von vom")
}
