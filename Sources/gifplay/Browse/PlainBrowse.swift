import Application
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
    func print(_ feed: Feed) throws(CommandError) {
        var page: PageToken?
        var (count, total) = (0, Int?.none)
        for number in 1...Self.pages {
            let found: ResultPage
            do throws(CatalogError) {
                found = try runBlocking { [listings, page] () async throws(CatalogError) in
                    try await listings.page(of: feed, after: page)
                }
            } catch {
                throw CommandError(listing.failure(error).joined(separator: "\n"))
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
        if case .search(let query) = feed { throw CommandError(ErrorMessages.nothingFound(query)) }
        throw CommandError("")
    }

    private func out(_ lines: [String]) { for line in lines { write(line) } }
}
