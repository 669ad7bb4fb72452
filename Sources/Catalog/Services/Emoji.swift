import Base

/// Animated Noto Emoji: about 880 animations with tags. The index is loaded at most once a week and searched on this
/// machine, so that no query leaves it.
///
/// Facts: APIS.md, section 9. Some files of the index do not exist; the next result is then used.
struct Emoji: Service {
    let profile = ServiceProfile(
        name: "emoji", title: "Animated Noto Emoji",
        terms: "No key; emoji by Google, CC BY 4.0; an index is loaded once a week and searched on this machine.",
        base: "https://googlefonts.github.io/noto-emoji-animation",
        otherBases: ["https://fonts.gstatic.com/s/e/notoemoji/latest"], cachePolicy: .persistent,
        timeoutMilliseconds: 8_000, keepsIndex: true)

    func target(for request: ListingRequest) -> RequestTarget? {
        guard case .search = request.listing else { return nil }
        return RequestTarget("/data/api.json", [:])
    }

    /// First for a query that is an emoji or its tag. For other queries, only if the index is on this machine already.
    func interest(in query: String?, index: [UInt8]?) -> SourceInterest {
        guard let query else { return .none }
        let key = Self.key(query)
        if Self.synonyms[key] != nil || Self.codepoint(query) != nil { return .first }
        guard let index else { return .none }
        return !key.isEmpty && index.firstRange(of: Array("\":\(key):\"".utf8)) != nil ? .first : .usual
    }

    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(Failure) -> DecodedListing {
        guard case .search(let query) = request.listing else { throw .notOffered }
        let key = Self.key(query)
        let (tag, wanted) = (Self.synonyms[key] ?? key, Self.codepoint(query))
        let terms = Set(QueryWords.words(of: query)).subtracting(QueryWords.stopWords)
        let found = try icons(in: response).compactMap { icon -> (rank: (Int, Int), item: GIFReference)? in
            guard request.preferences.rating == .r || icon.code != "1f595" else { return nil }
            let isExact = icon.tags.contains(tag) || wanted != nil && Self.plain(icon.code) == wanted
            guard isExact || wanted == nil && icon.tags.contains(where: { Self.fits($0, terms) }) else { return nil }
            return ((isExact ? 0 : 1, -icon.popularity), item(icon.code, icon.tags, query, request))
        }
        return DecodedListing(items: found.sorted { $0.rank < $1.rank }.prefix(50).map(\.item), total: found.count)
    }

    private struct Icon {
        var code: String
        var tags: [String]
        var popularity: Int
    }

    private struct Decoded {
        var index: [UInt8]
        var icons: [Icon]
    }

    /// The gallery searches the same index after each letter.
    private let decoded = Monitor<Decoded?>(nil)

    private func icons(in response: ServiceResponse) throws(Failure) -> [Icon] {
        try decoded.withLock { decoded throws(Failure) in
            if let decoded, decoded.index == response.http.body { return decoded.icons }
            guard let icons = try response.json(LenientObject.self).listing("icons") else {
                throw response.unexpectedJSON
            }
            let found = icons.compactMap { icon -> Icon? in
                guard let code = icon.text("codepoint"), Self.isCodepoint(code) else { return nil }
                let tags = icon.texts("tags").map { $0.filter { $0 != ":" } }
                return Icon(code: code, tags: tags, popularity: icon.integer("popularity") ?? 0)
            }
            decoded = Decoded(index: response.http.body, icons: found)
            return found
        }
    }

    private func item(_ code: String, _ tags: [String], _ query: String, _ request: ListingRequest) -> GIFReference {
        let name = (tags.first ?? code).replacing("-", with: " ")
        // The ranking looks for the words of the query in the title.
        let title = name == query.lowercased() ? name : "\(name) (\(SafeText.line(query)))"
        let file = (request.otherBases.first ?? profile.otherBases[0]) + "/\(code)/512.gif"
        let width = [64, 128, 256].first { $0 >= request.preferences.targetWidth ?? 128 }
        return GIFReference(
            provider: profile.name, id: code, title: title, pageURL: profile.base, author: "Google",
            licence: "CC BY 4.0", licenceURL: "https://creativecommons.org/licenses/by/4.0/",
            attribution: GIFReference.attributionLine(
                title, "Animated Noto Emoji by Google", "CC BY 4.0", profile.base),
            renditions: [
                Rendition(
                    url: file + (width.map { "=w\($0)" } ?? ""), alternatives: width == nil ? [] : [file],
                    width: width ?? 512, height: width ?? 512)
            ],
            cachePolicy: profile.cachePolicy, tags: tags)
    }

    // MARK: - Words

    /// The query in the form of a tag, such as `mind-blown`.
    private static func key(_ query: String) -> String {
        QueryWords.words(of: query, symbols: ["+1", "-1"]).joined(separator: "-")
    }

    /// Whether a tag contains all terms, and no other word that changes their meaning, as in `no-mouth`.
    private static func fits(_ tag: String, _ terms: Set<String>) -> Bool {
        let others = Set(tag.split(separator: "-").map(String.init)).symmetricDifference(terms)
        return others.isDisjoint(with: terms.union(QueryWords.negations)) && !terms.isSubset(of: QueryWords.negations)
    }

    /// The codepoints of a query that is a single emoji, such as `1f44f`; nil for other queries.
    private static func codepoint(_ query: String) -> String? {
        let text = query.filter { !$0.isWhitespace }
        guard text.count == 1, text.first?.emojiText != nil else { return nil }
        return plain(text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: "_"))
    }

    /// Without variation selectors and skin tones.
    private static func plain(_ code: String) -> String {
        code.split(separator: "_").filter { $0 != "fe0f" && !(0x1F3FB...0x1F3FF).contains(Int($0, radix: 16) ?? 0) }
            .joined(separator: "_")
    }

    private static func isCodepoint(_ text: String) -> Bool {
        text.utf8.count < 80
            && text.utf8.allSatisfy { $0 == UInt8(ascii: "_") || Character(UnicodeScalar($0)).isHexDigit }
    }

    /// Everyday words, and the tags that mean the same.
    private static let synonyms = [
        "applause": "clap", "clapping": "clap", "bravo": "clap", "coffee": "hot-beverage", "tea": "hot-beverage",
        "crying-laughing": "joy", "laughing-crying": "joy", "lol": "joy", "haha": "joy", "rofl": "rofl",
        "mind-blown": "mind-blown", "mindblown": "mind-blown", "omg": "mind-blown", "thumbs-up": "thumbs-up",
        "thumbs-down": "thumbs-down", "+1": "thumbs-up", "-1": "thumbs-down", "crying": "loudly-crying",
        "sobbing": "loudly-crying", "wave": "wave",
        "waving": "wave", "party": "party-popper", "celebrate": "party-popper", "fire": "fire", "lit": "fire",
        "thinking": "thinking", "hmm": "thinking", "eye-roll": "rolling-eyes", "eyeroll": "rolling-eyes",
        "thank-you": "folded-hands", "please": "folded-hands", "pray": "folded-hands", "sleepy": "sleep",
        "heart-eyes": "heart-eyes", "in-love": "heart-eyes", "wink": "wink", "cool": "sunglasses-face",
    ]
}
