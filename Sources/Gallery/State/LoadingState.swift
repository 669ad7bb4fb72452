import Base
import Catalog

/// The state of a listing's queries to the services.
enum LoadingState: Equatable, Sendable {
    /// The first page is neither loaded nor requested: the listing is new, or the user switched to another feed or
    /// query before the first page arrived.
    case abandoned
    /// The query to the services starts at this time, unless the user switches to another feed or query earlier.
    case due(at: Instant)
    case first(ticket: Int, trigger: Trigger)
    /// Nothing is loading. `Listing.next` is nil if there are no more pages.
    case idle
    /// The next page is loading. The `emptyPages` pages directly before it contained no new items.
    case more(ticket: Int, emptyPages: Int)
    /// The query for `page` failed at the time `since`. If `page` is nil, the query for the first page failed.
    case failed(CatalogError, page: PageToken?, since: Instant)

    /// The reason why the first page is loaded determines how it is shown.
    enum Trigger: Equatable, Sendable {
        /// gifplay loads the page by itself, and holds it back if it would move the items on the screen.
        case background
        /// The user requested the page. The page is shown as soon as it arrives, and the gallery scrolls to the top.
        case userRequest
    }

    var deadline: Instant? {
        if case .due(let moment) = self { moment } else { nil }
    }

    /// Nil if nothing is loading.
    var ticket: Int? {
        switch self {
        case .first(let ticket, _), .more(let ticket, _): ticket
        default: nil
        }
    }
}
