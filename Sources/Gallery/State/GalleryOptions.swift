import Base

/// How the user wants the gallery.
public struct GalleryOptions: Equatable, Sendable {
    /// What Tab goes through, in order.
    public var feeds: [Feed] = [.trending(source: nil), .favourites, .history]
    /// Sources as they write themselves, by `GIFRepository.name`.
    public var sourceTitles: [String: String] = [:]
    public var language = Language.english
    /// Nothing moves but the selected GIF, and nothing comes by itself.
    public var reducesMotion = false
    /// Seconds since 1970 when the monotonic clock stood at 0: makes ages of instants.
    public var secondsAtOrigin = 0
    /// How long typing pauses before the words are searched, in nanoseconds.
    public var debounce = 600 * Span.millisecond
    /// The same for words of fewer than six characters, which are likely to go on.
    public var shortDebounce = 1_000 * Span.millisecond
    /// Without a key for this long, with no words, GIFs come at random; nil for never.
    public var idle: Int64? = 10 * Span.second
    /// How long each of those stays.
    public var turn = 10 * Span.second

    public init() {}
}
