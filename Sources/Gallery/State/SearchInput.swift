import Base
import Catalog
import Playback

/// The search field, with a debounce timer that starts the search when typing pauses.
struct SearchInput: Equatable, Sendable {
    private(set) var field: SearchField
    /// The time at which the search starts, unless the user changes the query earlier; nil if no search is scheduled.
    private(set) var deadline: Instant?

    /// The minimum length of a query that is searched without Enter.
    private static let minQueryLength = 3

    init(_ text: String) {
        field = SearchField(text)
    }

    var query: String { field.query }

    /// Edits the text if the key is an editing key.
    /// - Returns: whether the query changed.
    mutating func edit(_ key: Key) -> Bool {
        let before = query
        return field.handle(key) && query != before
    }

    /// Inserts pasted text.
    /// - Returns: whether the query changed.
    mutating func insert(_ text: String) -> Bool {
        let before = query
        field.insert(contentsOf: text)
        return query != before
    }

    mutating func replaceText(by text: String) { field = SearchField(text) }

    /// Schedules the search, and replaces an earlier schedule. A query of one or two characters is searched only when
    /// the user presses Enter.
    mutating func schedule(at now: Instant, _ options: GalleryOptions) {
        switch query.count {
        case 1..<Self.minQueryLength: deadline = nil
        case Self.minQueryLength..<(2 * Self.minQueryLength): deadline = now + options.shortDebounce
        default: deadline = now + options.debounce
        }
    }

    mutating func unschedule() { deadline = nil }

    /// Returns the feed for the content of the search field. For a query, this is the search for the query. For an
    /// empty field, this is `current`, or the first trending feed if `current` is a search.
    func target(from current: Feed, _ options: GalleryOptions) -> Feed {
        guard query.isEmpty else { return .search(query: query) }
        guard case .search = current else { return current }
        return options.feeds.first(where: \.isTrending) ?? .trending(source: nil)
    }

    /// The feeds that Tab switches between: the typed query, the feeds of the options and the current feed.
    func feeds(with current: Feed, _ options: GalleryOptions) -> [Feed] {
        var feeds = options.feeds
        if !query.isEmpty { feeds.insert(.search(query: query), at: 0) }
        if !feeds.contains(current) { feeds.append(current) }
        return feeds
    }
}
