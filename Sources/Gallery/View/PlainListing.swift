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

    /// What is listed, and how many there are where that is known.
    public func heading(of feed: Feed, total: Int?) -> [String] { [] }

    /// One GIF after the other, counted on from `number`; ages are told as of `seconds` since 1970.
    public func lines(of items: [GIFReference], from number: Int, at seconds: Int) -> [String] { [] }

    /// The last line: whether there is more, and how many there were.
    public func ending(count: Int, hasMore: Bool) -> [String] { [] }

    /// Why nothing was listed.
    public func failure(_ error: CatalogError) -> [String] { [] }
}
