import Base
import Catalog

/// The gallery without a screen: lines that are printed one after the other and never taken back.
public struct PlainListing: Equatable, Sendable {
    public var language: Language
    /// Sources as they write themselves, by `GIFRepository.name`.
    public var sourceTitles: [String: String]

    public init(language: Language = .english, sourceTitles: [String: String] = [:]) {
        self.language = language
        self.sourceTitles = sourceTitles
    }

    private var words: Words { .of(language) }

    private func title(ofSource name: String) -> String { sourceTitles[name] ?? name }

    /// What is listed, and how many there are where that is known.
    /// - Parameter page: the first one of the listing.
    public func heading(of feed: Feed, _ page: ResultPage) -> [String] {
        let name = words.name(of: feed, listing: page.items, title: title)
        return [name + (page.total.map { ": " + words.listed($0) } ?? "")]
    }

    /// One GIF after the other, counted on from `number`; ages are told as of `seconds` since 1970.
    public func lines(of items: [GIFReference], from number: Int, at seconds: Int) -> [String] {
        items.enumerated().flatMap { entry($0.element, number + $0.offset, seconds) }
    }

    /// The last line: whether there is more, and how many there were.
    public func ending(count: Int, total: Int? = nil, hasMore: Bool) -> [String] {
        let listed = total.map { $0 > count ? words.listedOf(count, $0) : words.listed(count) } ?? words.listed(count)
        return [listed + (hasMore ? "; " + words.thereIsMore : "")]
    }

    /// Why nothing was listed.
    public func failure(_ error: CatalogError) -> [String] {
        [words.sentence(error, title: title)]
    }

    /// That nothing fits, and what would.
    public func nothing(for feed: Feed) -> [String] {
        guard case .search(let text) = feed else { return [words.nothingHere] }
        return [words.nothingFound(SafeText.line(text))] + GalleryState.suggestions(for: text)
    }

    private func entry(_ reference: GIFReference, _ number: Int, _ seconds: Int) -> [String] {
        let title = SafeText.line(reference.title)
        let details = Details(
            reference, words: words, sourceTitle: self.title(ofSource: reference.provider), seconds: seconds)
        let link = SafeText.line(reference.pageURL ?? "")
        let credit = SafeText.line(reference.attribution)
        var lines = ["\(number). \(title.isEmpty ? words.untitled : title)"]
        lines.append("   " + details.inOrder.joined(separator: ", "))
        if !link.isEmpty { lines.append("   " + link) }
        if !credit.isEmpty { lines.append("   " + credit) }
        return lines
    }
}
