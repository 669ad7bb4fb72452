import Base

/// The user's options for the gallery.
public struct GalleryOptions: Equatable, Sendable {
    /// The feeds that Tab switches between, in order.
    public var feeds: [Feed] = [.trending(source: nil), .favourites, .history]
    /// The display names of the sources, by `GIFRepository.name`.
    public var sourceTitles: [String: String] = [:]
    public var language = Language.english
    /// Whether only the selected GIF is animated and the screensaver is off.
    public var reducesMotion = false
    /// The time, in seconds since 1970, at which the monotonic clock was 0. Converts instants to dates.
    public var secondsAtOrigin = 0
    /// How long typing must pause before a query is searched, in nanoseconds.
    public var debounce = 600 * Span.millisecond
    /// The same for queries of three to five characters, because the user is likely to type more. Shorter queries are
    /// searched only with Enter.
    public var shortDebounce = 1_000 * Span.millisecond
    /// How long there is no input before the screensaver shows random GIFs, in nanoseconds; nil for never. It starts
    /// only in a trending feed and with an empty search field.
    public var screensaverDelay: Int64? = 10 * Span.second
    /// How long the screensaver shows each GIF, in nanoseconds.
    public var switchInterval = 10 * Span.second

    public init() {}
}
