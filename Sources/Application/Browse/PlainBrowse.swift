import Base
import Catalog
import Gallery
import Glibc

/// Prints the pages of a feed as lines of text, for screen readers and scripts (`--plain`).
struct PlainBrowse {
    /// A feed can be endless.
    private static let pages = 3

    let listings: ServiceListings
    let listing: PlainListing
    var write: (String) -> Void = printLine

    /// Throws if the feed is empty.
    func print(_ feed: Feed) throws(Failure) {
        var page: PageToken?
        var (count, total) = (0, Int?.none)
        for number in 1...Self.pages {
            let found: ResultPage
            do throws(Failure) {
                found = try runBlocking { [listings, page] () async throws(Failure) in
                    try await listings.page(of: feed, after: page)
                }
            } catch {
                throw Failure(listing.failure(error).joined(separator: "\n"))
            }
            if number == 1 {
                out(listing.heading(of: feed, found))
                total = found.total
            }
            out(listing.lines(of: found.items, from: count + 1, at: time(nil)))
            count += found.items.count
            page = found.next
            if page == nil { break }
        }
        // The heading already contains the total.
        if page != nil || count != total { out(listing.ending(count: count, hasMore: page != nil)) }
        guard count == 0 else { return }
        if case .search(let query) = feed { throw ErrorMessages.nothingFound(query) }
        throw Failure.reported
    }

    private func out(_ lines: [String]) { for line in lines { write(line) } }
}

/// The gallery as plain text: lines that are printed one after the other and never redrawn.
struct PlainListing: Equatable, Sendable {
    var language = Language.english
    /// The display names of the sources. Each key is the `GIFRepository.name` of a source.
    var sourceTitles: [String: String] = [:]

    private func title(ofSource name: String) -> String { sourceTitles[name] ?? name }

    /// Returns the heading: the name of the feed and, if known, the total number of GIFs.
    /// - Parameter page: the first page of the listing.
    func heading(of feed: Feed, _ page: ResultPage) -> [String] {
        let name = language.name(of: feed, title: title)
        return [name + (page.total.map { ": " + listed($0) } ?? "")]
    }

    /// Returns the lines for these GIFs, numbered from `number`. Ages are relative to `seconds`, the current time in
    /// seconds since 1970.
    func lines(of items: [GIFReference], from number: Int, at seconds: Int) -> [String] {
        items.enumerated().flatMap { entry($0.element, number + $0.offset, seconds) }
    }

    /// Returns the last line: the number of listed GIFs and whether there are more.
    func ending(count: Int, hasMore: Bool) -> [String] {
        [listed(count) + (hasMore ? language(en: "; more available", de: "; weitere vorhanden") : "")]
    }

    private func listed(_ count: Int) -> String {
        "\(count) GIF\(count.ending("s"))"
    }

    func failure(_ error: Failure) -> [String] { [language.sentence(error, title: title)] }

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

extension Language {
    /// Returns author, source, community and licence of a GIF and its facts, as far as they are known.
    /// - Parameters:
    ///   - source: the display name of the source.
    ///   - seconds: the current time in seconds since 1970.
    func details(of reference: GIFReference, source: String, at seconds: Int) -> [String] {
        let author = SafeText.line(reference.author ?? "")
        let origin: [String?] = [
            author.isEmpty ? nil : self(en: "by \(author)", de: "von \(author)"), SafeText.line(source),
            reference.community.map { SafeText.line($0) }, reference.licence.map { SafeText.line($0) },
        ]
        return origin.compactMap(\.self).filter { !$0.isEmpty } + facts(of: reference, at: seconds)
    }
}
