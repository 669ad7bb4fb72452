import Base
import Catalog

/// The gallery as plain text: lines that are printed one after the other and never redrawn.
public struct PlainListing: Equatable, Sendable {
    public var language: Language
    /// The display names of the sources. Each key is the `GIFRepository.name` of a source.
    public var sourceTitles: [String: String]

    public init(language: Language = .english, sourceTitles: [String: String] = [:]) {
        self.language = language
        self.sourceTitles = sourceTitles
    }

    private func title(ofSource name: String) -> String { sourceTitles[name] ?? name }

    /// Returns the heading: the name of the feed and, if known, the total number of GIFs.
    /// - Parameter page: the first page of the listing.
    public func heading(of feed: Feed, _ page: ResultPage) -> [String] {
        let name = language.name(of: feed, title: title)
        return [name + (page.total.map { ": " + listed($0) } ?? "")]
    }

    /// Returns the lines for these GIFs, numbered from `number`. Ages are relative to `seconds`, the current time in
    /// seconds since 1970.
    public func lines(of items: [GIFReference], from number: Int, at seconds: Int) -> [String] {
        items.enumerated().flatMap { entry($0.element, number + $0.offset, seconds) }
    }

    /// Returns the last line: the number of listed GIFs and whether there are more.
    public func ending(count: Int, hasMore: Bool) -> [String] {
        [listed(count) + (hasMore ? language(en: "; more available", de: "; weitere vorhanden") : "")]
    }

    private func listed(_ count: Int) -> String {
        "\(count) GIF\(count.ending("s"))"
    }

    public func failure(_ error: Failure) -> [String] { [language.sentence(error, title: title)] }

    private func entry(_ reference: GIFReference, _ number: Int, _ seconds: Int) -> [String] {
        let title = SafeText.line(reference.title)
        let details = language.details(of: reference, source: self.title(ofSource: reference.provider), at: seconds)
        let link = SafeText.line(reference.pageURL ?? "")
        // The details and the link already contain the credit that a licence requires.
        let credit = reference.licence == nil ? SafeText.line(reference.creditLine.credit) : ""
        var lines = ["\(number). \(title.isEmpty ? language.untitled : title)"]
        lines.append("   " + details.joined(separator: ", "))
        if !link.isEmpty { lines.append("   " + link) }
        if !credit.isEmpty { lines.append("   " + credit) }
        return lines
    }
}
