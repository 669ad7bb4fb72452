import Catalog
import Pixels
import Playback

/// What happens to the gallery.
public enum GalleryEvent: Equatable, Sendable {
    /// The screen is taken: the first event of all.
    case opened
    case key(Key)
    case pointer(PointerEvent)
    /// A new size, or the terminal told more of itself.
    case changed(TerminalTraits)
    /// The moment that ``GalleryState/nextDeadline`` named has come.
    case deadline
    /// The answer to ``GalleryEffect/load(_:page:ticket:isRetry:)``.
    case loaded(ticket: Int, Result<ResultPage, CatalogError>)
    /// The answer to ``GalleryEffect/recall(_:ticket:)``; nil where nothing is kept.
    case recalled(ticket: Int, KeptListing?)
    /// The answer to ``GalleryEffect/randomTurn(ticket:)``.
    case turned(ticket: Int, Result<GIFReference, CatalogError>)
    /// What the store knows of GIFs that a listing brought; sent before that listing, so that no
    /// dismissed one is seen.
    case marked([GIFKey: Marks])
    case tile(GIFKey, TileNews)
    /// What an effect came to, in a sentence for the status line.
    case told(Message)
}

/// What became of a GIF that was asked for with ``GalleryEffect/show(_:)``.
public enum TileNews: Equatable, Sendable {
    /// Its canvas is known: aspect comes from here, not from the service's word.
    case size(PixelSize)
    /// The original is being shown in the full view, no longer the small one.
    case original
    /// The original cannot be had: the small one stays.
    case noOriginal
    /// Its bytes cannot be had; in a sentence.
    case failed(String)
    /// There is no picture in its bytes.
    case broken
}

/// A sentence for the status line, which stands a few seconds.
public enum Message: Hashable, Sendable {
    case saved(path: String)
    case saveFailed(reason: String)
    /// With the source's name: its terms allow no copies.
    case keepingForbidden(source: String)
    case linkCopied
    case addressCopied
    case opening
    case opened
    case openFailed(reason: String)
    case storeFailed(reason: String)
    /// A service did not accept the key in this variable.
    case keyRefused(variable: String)
    /// Wikimedia answered 429, and no contact is configured.
    case contactWanted
}

/// What the gallery wants done; the runtime does it and answers with events.
public enum GalleryEffect: Equatable, Sendable {
    /// Ask the services. Numbers of tickets are never used twice. A retry ends the cool-downs of services that failed.
    case load(Feed, page: PageToken?, ticket: Int, isRetry: Bool)
    /// Ask the store.
    case recall(Feed, ticket: Int)
    /// Nobody waits for this load any more; what it fetches is given up.
    case cancel(ticket: Int)
    /// The tiles that are on the screen or near it, most wanted first, in place of those before.
    case show([TileRequest])
    case save(GIFReference)
    /// The page's link.
    case copyLink(GIFReference)
    /// The address of the GIF's own file.
    case copyAddress(GIFReference)
    case openPage(GIFReference)
    case setFavourite(GIFReference, Bool)
    case noteViewed(GIFReference)
    case setDismissed([GIFReference], Bool)
    /// Play this one at random, as the screensaver does, when nothing was typed for a while.
    case randomTurn(ticket: Int)
    /// Take the screen anew: nothing on it is known.
    case redraw
    case quit(signal: Int32?)
}

/// A GIF that should have frames ready.
public struct TileRequest: Equatable, Sendable {
    public enum Wish: Equatable, Sendable {
        /// On the screen, and moving.
        case moving
        /// On the screen, its first frame only.
        case still
        /// Near the screen: its bytes are fetched, nothing is decoded.
        case near
    }

    public var reference: GIFReference
    /// In half-block pixels; nothing while only its bytes are wanted.
    public var target: PixelSize
    public var wish: Wish
    /// The best file there is, for the full view; else a small one.
    public var wantsOriginal: Bool

    public init(reference: GIFReference, target: PixelSize, wish: Wish, wantsOriginal: Bool = false) {
        self.reference = reference
        self.target = target
        self.wish = wish
        self.wantsOriginal = wantsOriginal
    }
}
