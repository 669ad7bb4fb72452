import Catalog
import Pixels
import Playback

/// All that the browser knows: events change it, and a screen follows from it.
public struct GalleryState: Equatable, Sendable {
    public var options: GalleryOptions
    var traits: TerminalTraits
    var feed: Feed

    /// - Parameter feed: what is shown first; a search fills the search field with its words.
    public init(feed: Feed, traits: TerminalTraits, options: GalleryOptions = GalleryOptions()) {
        self.options = options
        self.traits = traits
        self.feed = feed
    }

    /// When ``GalleryEvent/deadline`` is due; nil for not at all.
    public var nextDeadline: Instant? { nil }
}
