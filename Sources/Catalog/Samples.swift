import CSamples

public struct Sample {
    /// The file name without extension, such as `dancing-cat`.
    public let name: String
    public let title: String
    /// In lower case.
    public let tags: [String]
    /// Valid for the lifetime of the process.
    public let bytes: UnsafeRawBufferPointer

    init(_ sample: gifplay_sample) {
        name = String(cString: sample.name)
        title = String(cString: sample.title)
        tags = String(cString: sample.tags).split(separator: " ").map(String.init)
        bytes = UnsafeRawBufferPointer(start: sample.bytes, count: sample.count)
    }

    /// The dancing cat is the first.
    public static let all: [Sample] = (0..<gifplay_sample_count).map { Sample(gifplay_sample_at($0).pointee) }
}

extension Sample: Equatable {
    public static func == (one: Sample, other: Sample) -> Bool { one.name == other.name }
}

// `bytes` points to constants of the binary.
extension Sample: @unchecked Sendable {}

/// The source of the built-in samples, which needs no network. By default it is the last source of a chain.
public struct SampleRepository: GIFRepository {
    public static let name = "samples"
    public var name: String { Self.name }
    /// The built-in samples in their own order.
    public static let allReferences = Sample.all.map(reference)
    private let samples: [Sample]

    public init(_ samples: [Sample] = Sample.all) { self.samples = samples }

    public func search(_ query: SearchQuery, page: PageToken?) throws(CatalogError) -> ResultPage {
        Self.page(of: SampleSearch(samples).search(query.text))
    }

    public func trending(_ preferences: ListingPreferences, page: PageToken?) throws(CatalogError) -> ResultPage {
        Self.page(of: samples)
    }

    public func random(_ preferences: ListingPreferences) throws(CatalogError) -> ResultPage {
        Self.page(of: samples.shuffled())
    }

    private static func page(of samples: [Sample]) -> ResultPage {
        ResultPage(items: samples.map(Self.reference), total: samples.count)
    }

    static func reference(_ sample: Sample) -> GIFReference {
        GIFReference(
            provider: name, id: sample.name, title: sample.title, licence: "MIT",
            attribution: "built-in",
            renditions: [Rendition(url: "sample:" + sample.name, bytes: sample.bytes.count)],
            cachePolicy: .embedded, tags: sample.tags)
    }
}

public struct SampleSearch: Sendable {
    private let samples: [Sample]

    public init(_ samples: [Sample] = Sample.all) { self.samples = samples }

    /// The samples that match any term, sorted by the number of matched terms, then by the quality of the matches
    /// (title before tag, whole word before stem or prefix), then in the order of the built-in samples.
    public func search(_ query: String) -> [Sample] {
        let terms = Self.terms(of: query).prefix(Self.maximumTerms)
        let scored = samples.enumerated().compactMap { index, sample -> (rank: (Int, Int, Int), sample: Sample)? in
            let (title, tags) = (Self.terms(of: sample.title), Self.tags(of: sample))
            let scores = terms.map { Self.score($0, title: title, tags: tags) }
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
        // No known word is longer than the limit.
        let terms = Self.terms(of: query).prefix(Self.maximumTerms).filter { 4...30 ~= $0.count }
        let known = Set(samples.flatMap { Self.tags(of: $0) + Self.terms(of: $0.title) })
        let similar = known.compactMap { candidate -> (distance: Int, word: String)? in
            let distances = terms.map { term in
                (distance: EditDistance.between(term, candidate), limit: term.count < 7 ? 1 : 2)
            }
            return distances.filter { $0.distance <= $0.limit }.map { ($0.distance, candidate) }.min { $0 < $1 }
        }
        return similar.sorted { $0 < $1 }.prefix(limit).map(\.word)
    }

    private static let stopWords: Set<String> = [
        "a", "an", "and", "gif", "gifs", "i", "in", "is", "it", "me", "my", "of", "on", "the", "to", "with",
    ]
    /// More terms cannot make a result better, and each one is compared with every word.
    private static let maximumTerms = 30

    static func terms(of text: String) -> [String] {
        let spaced = text.lowercased().map { character in
            if let scalar = character.emojiScalar { return " \(scalar) " }
            return character.isLetter || character.isNumber ? String(character) : " "
        }
        let words = spaced.joined().split(separator: " ").map(String.init)
        let terms = words.filter { !stopWords.contains($0) }
        return terms.isEmpty ? words : terms
    }

    /// The words of the tags, such as "sci" and "fi" of "sci-fi".
    private static func tags(of sample: Sample) -> [String] { terms(of: sample.tags.joined(separator: " ")) }

    private static func score(_ word: String, title: [String], tags: [String]) -> Int {
        if title.contains(word) { return 8 }
        if tags.contains(word) { return 4 }
        let stem = stem(of: word)
        // A prefix needs at least three letters, because "danc" clearly means dancing, but "da" could mean anything.
        let isSimilar = { other in Self.stem(of: other) == stem || word.count >= 3 && other.hasPrefix(word) }
        if title.contains(where: isSimilar) { return 3 }
        return tags.contains(where: isSimilar) ? 2 : 0
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

extension Character {
    /// The first scalar of an emoji, without its skin tone and variation; nil for other characters.
    var emojiScalar: Unicode.Scalar? {
        unicodeScalars.first.flatMap { $0.properties.isEmoji && $0.value > 0xFF ? $0 : nil }
    }
}
