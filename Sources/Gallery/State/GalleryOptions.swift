import Base
import Catalog
import Pixels

/// The user's options for the gallery.
public struct GalleryOptions: Equatable, Sendable {
    /// The feeds that Tab switches between, in order.
    public var feeds: [Feed] = [.trending(source: nil), .favourites, .history]
    /// The display names of the sources. Each key is the `GIFRepository.name` of a source.
    public var sourceTitles: [String: String] = [:]
    public var language = Language.english
    /// Whether the user has chosen offline mode, in which a retry cannot succeed.
    public var isOffline = false
    /// The way in which pictures are drawn.
    public var mode = PictureMode.half
    /// Whether only the selected GIF is animated and the screensaver is off.
    public var reducesMotion = false
    /// The time, in seconds since 1970, at which the monotonic clock was 0. The gallery uses it to convert instants to
    /// dates.
    public var secondsAtOrigin = 0
    /// How long typing must pause before the search starts, in nanoseconds.
    public var debounce = 600 * Span.millisecond
    /// How long typing must pause before a query of three to five characters is searched, in nanoseconds. This pause is
    /// longer than ``debounce``, because the user is likely to type more. Shorter queries are searched only when the
    /// user presses Enter.
    public var shortDebounce = 1_000 * Span.millisecond
    /// The time without input, in nanoseconds, after which the screensaver shows random GIFs; nil disables the
    /// screensaver. It starts only in a trending feed and with an empty search field.
    public var screensaverDelay: Int64? = 10 * Span.second
    /// How long the screensaver shows each GIF, in nanoseconds.
    public var switchInterval = 10 * Span.second

    public init() {}
}
