import Catalog
import Pixels
import Playback

/// An input of ``GalleryState``.
public enum GalleryEvent: Equatable, Sendable {
    /// The gallery has started; always the first event.
    case opened
    case key(Key)
    case pointer(PointerEvent)
    /// The terminal has a new size or has reported more of its properties.
    case changed(TerminalTraits)
    /// The time ``GalleryState/nextDeadline`` has been reached.
    case deadline
    /// The answer to ``GalleryEffect/load(_:page:ticket:isRetry:)``.
    case loaded(ticket: Int, Result<ResultPage, CatalogError>)
    /// The answer to ``GalleryEffect/recall(_:ticket:)``; nil if nothing is stored.
    case recalled(ticket: Int, KeptListing?)
    /// The answer to ``GalleryEffect/randomTurn(ticket:)``.
    case turned(ticket: Int, Result<GIFReference, CatalogError>)
    /// The stored marks of GIFs in a listing. Sent before the listing itself, so that dismissed GIFs are never shown.
    case marked([GIFKey: Marks])
    case tile(GIFKey, TileNews)
    /// The outcome of an effect, or a notice about a service, for the status line.
    case told(Message)
}

/// A report about a GIF that ``GalleryEffect/show(_:)`` requested.
public enum TileNews: Equatable, Sendable {
    /// The size of the decoded canvas, in pixels. The aspect ratio is taken from it, not from the service's metadata.
    case size(PixelSize)
    /// The full view now shows the original in place of the small file.
    case original
    /// The original cannot be fetched or decoded; the full view keeps the small file.
    case noOriginal
    /// The file cannot be fetched; the value is the reason, as a sentence.
    case failed(String)
    /// No frame of the file can be decoded.
    case broken
}

/// A message that the status line displays for a few seconds.
public enum Message: Hashable, Sendable {
    case saved(path: String)
    case saveFailed(reason: String)
    /// The GIF is not saved, because the source's terms forbid copies. `source` is the name of the source.
    case keepingForbidden(source: String)
    case linkCopied
    case addressCopied
    case opening
    case opened
    case openFailed(reason: String)
    case storeFailed(reason: String)
    /// A service did not accept the API key in this environment variable.
    case keyRefused(variable: String)
    /// Wikimedia answered 429, and no contact is configured.
    case contactWanted
}

/// An operation that ``GalleryState`` requests. The runtime performs it and answers with events.
public enum GalleryEffect: Equatable, Sendable {
    /// Query the services. Ticket numbers are never reused. A retry ends the cool-downs of the services that failed.
    case load(Feed, page: PageToken?, ticket: Int, isRetry: Bool)
    /// Read the listing from the store.
    case recall(Feed, ticket: Int)
    /// Cancel the load with this ticket; its result is no longer needed.
    case cancel(ticket: Int)
    /// Replace the requested tiles by these, which are on the screen or near it, in descending order of priority.
    case show([TileRequest])
    case save(GIFReference)
    /// Copy the link to the GIF's web page.
    case copyLink(GIFReference)
    /// Copy the URL of the GIF file.
    case copyAddress(GIFReference)
    case openPage(GIFReference)
    case setFavourite(GIFReference, Bool)
    case noteViewed(GIFReference)
    case setDismissed([GIFReference], Bool)
    /// Fetch a random GIF for the screensaver.
    case randomTurn(ticket: Int)
    /// Draw the whole screen again, because its content is unknown.
    case redraw
    case quit(signal: Int32?)
}

/// A request to prepare the frames of a GIF, or to fetch its file in advance.
public struct TileRequest: Equatable, Sendable {
    public enum Wish: Equatable, Sendable {
        /// On the screen and animated.
        case moving
        /// On the screen, showing only the first frame.
        case still
        /// Near the screen: the file is fetched but not decoded.
        case near
    }

    public var reference: GIFReference
    /// The size of the picture in half-block pixels; 0x0 if the file is only fetched.
    public var target: PixelSize
    public var wish: Wish
    /// Whether the best available file is fetched too, for the full view. Otherwise only a small one is fetched.
    public var wantsOriginal: Bool

    public init(reference: GIFReference, target: PixelSize, wish: Wish, wantsOriginal: Bool = false) {
        self.reference = reference
        self.target = target
        self.wish = wish
        self.wantsOriginal = wantsOriginal
    }
}
