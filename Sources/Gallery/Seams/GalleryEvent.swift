import Base
import Catalog
import Library
import Pixels
import Playback

/// An input of ``GalleryState``.
enum GalleryEvent: Equatable, Sendable {
    /// The gallery has started; always the first event.
    case opened
    case key(Key)
    case pointer(PointerEvent)
    /// The user has pasted this text. It can contain control characters.
    case paste(String)
    /// The terminal has a new size or has reported more of its properties.
    case changed(TerminalTraits)
    /// The current time has reached ``GalleryState/nextDeadline``.
    case deadline
    /// The answer to ``GalleryEffect/load(_:page:ticket:isRetry:)``.
    case loaded(ticket: Int, Result<ResultPage, Failure>)
    /// The query of ``GalleryEffect/load(_:page:ticket:isRetry:)`` was sent to this source. For a link, the state of its
    /// download.
    case asking(ticket: Int, source: String)
    /// The answer to ``GalleryEffect/loadStored(_:ticket:)``, or a part of it; nil if nothing is stored.
    case loadedStored(ticket: Int, StoredListing?, isLast: Bool = true)
    /// Open this GIF, which the screensaver has shown, in the large view.
    case show(GIFReference)
    /// The answer so far to ``GalleryEffect/suggest(prefix:ticket:)``.
    case suggested(ticket: Int, [String])
    /// Stored marks of GIFs. The marks of a new listing arrive before the listing, so that dismissed GIFs do not appear
    /// briefly. If the store opens late, the marks of displayed GIFs arrive later.
    case marked([GIFKey: Marks])
    case tile(GIFKey, TileUpdate)
    /// A message for the status line: the outcome of an effect, or a notice about a service.
    case reported(GalleryMessage)
    /// The files of the GIFs that the user has picked are saved.
    case savedPicks([PickedGIF])
}

/// A report about a GIF that ``GalleryEffect/show(_:)`` requested.
enum TileUpdate: Equatable, Sendable {
    /// The size of the decoded canvas, in pixels. It replaces the size in the service's metadata.
    case size(PixelSize)
    /// Whether a download is running that takes longer than a second.
    case loading(Bool)
    /// The file cannot be fetched.
    case failed(Failure)
    /// No frame of the file can be decoded.
    case broken(GIFError)
    /// A part of the file cannot be decoded, or is missing.
    case damaged
}

/// A message that the status line displays for a few seconds.
public enum GalleryMessage: Hashable, Sendable {
    case saved(path: String)
    /// The file at this path already contains the GIF.
    case alreadySaved(path: String)
    /// The second number includes the GIFs that could not be saved.
    case severalSaved(Int, of: Int)
    case saveFailed(Failure)
    /// The GIF was not saved, because its file could not be fetched.
    case fetchFailed(Failure)
    /// The feed of a community was queried less than a minute ago, and its server allows no further query yet.
    case askedRecently
    /// The GIF is not saved, because the source's terms forbid copies. `source` is the name of the source.
    case savingForbidden(source: String)
    case linkCopied
    case addressCopied
    case pathCopied
    /// The file at this path, or its address, was copied.
    case fileCopied(path: String)
    /// The path was copied, or those of several files, because the clipboard cannot have files.
    case pathCopiedInstead(path: String, isRemote: Bool, count: Int = 1)
    /// Several links, addresses or paths were copied.
    case severalCopied(Int)
    /// The address is longer than a clipboard sequence can be.
    case copyFailed
    /// The text was sent to the terminal, because these programs failed or hung.
    case copiedByTerminal(failed: [String])
    case opening
    /// The program that opens the page or the folder has not ended, perhaps because it is the browser itself.
    case openerRuns
    case opened
    case openFailed(Failure)
    case openingFolder
    /// The link or the path was copied, because no program can open it.
    case copiedInstead(isFolder: Bool)
    /// A file is not saved, because it is already on this machine.
    case alreadyLocal
    /// Files and typed URLs have no marks.
    case notForFiles
    case sorted(FileOrder)
    case storeFailed(Failure)
    /// A service did not accept the API key in this environment variable.
    case keyRefused(variable: String)
    /// Wikimedia answered with status 429 (too many requests), and no contact is configured.
    case contactRequired
    /// A service cannot be reached. Displayed while a query is running.
    case noConnection
    case saving
    /// Reported once the mark is stored, as the next two cases.
    case favourite(Bool, count: Int = 1)
    case dismissed(Int)
    case restored(Int)
    case nothingToUndo
    case noPage
    case noURL
    /// The name of the file has a control character, so no other program can get it as a line.
    case unprintableName
    case first
    case last
    /// The user has pressed a key that has no command. A name for the key is missing if it is no character.
    case unknownKey(Character?)
    /// The name of the drawing that the user has chosen.
    case drawing(String)
    /// The next GIF follows when the next page has arrived.
    case loadingMore
    /// The terminal shows pixels, which the key `m` chooses.
    case sharperPictures
    /// The pane is too narrow for the picture beside the tiles.
    case tooNarrowForSide

    /// A message about a GIF disappears when another GIF is selected.
    var isAboutItem: Bool {
        switch self {
        case .saving, .saved, .alreadySaved, .severalSaved, .unprintableName, .saveFailed, .fetchFailed,
            .savingForbidden, .linkCopied, .addressCopied,
            .opening, .opened, .openFailed, .favourite, .noPage, .noURL, .first, .last, .pathCopied, .severalCopied,
            .copyFailed, .fileCopied, .pathCopiedInstead, .copiedByTerminal, .openerRuns, .openingFolder,
            .copiedInstead, .alreadyLocal, .notForFiles, .loadingMore:
            true
        default: false
        }
    }

    /// A message about a service waits until the message about the user's last action ends.
    var isAboutService: Bool {
        switch self {
        case .keyRefused, .contactRequired, .sharperPictures: true
        default: false
        }
    }
}

/// An operation that ``GalleryState`` requests. The runtime performs it and answers with events.
enum GalleryEffect: Equatable, Sendable {
    /// Query the services. The ticket is a number that identifies the request; it is never reused. If `isRetry` is
    /// true, first end the cool-downs of the services that failed.
    case load(Feed, page: PageToken?, ticket: Int, isRetry: Bool)
    /// Read the listing from the store.
    case loadStored(Feed, ticket: Int)
    /// Cancel the load with this ticket, because its result is no longer needed.
    case cancel(ticket: Int)
    /// Replace all tile requests by these, for GIFs on or near the screen, in descending order of priority.
    case show([TileRequest])
    /// Save, copy or open the GIFs, of which there is at least one. Only the first one is opened.
    case act(ItemAction, [GIFReference])
    /// End the gallery with these GIFs; see ``GalleryOptions/picker``.
    case pick([GIFReference])
    /// Change the order of the files from the next query on.
    case sort(FileOrder)
    case setFavourite([GIFReference], Bool)
    case markViewed(GIFReference)
    case setDismissed([GIFReference], Bool)
    /// Store ``GalleryOptions/showsSide`` for the next start.
    case storeSide(Bool)
    /// Look for queries that begin with this text.
    case suggest(prefix: String, ticket: Int)
    /// Lend the terminal to the player for random GIFs, until the user returns.
    case playRandom
    /// Draw the whole screen again, because another program might have changed the content of the terminal.
    case redraw
    case quit(signal: Int32?)
}

/// A request to prepare the frames of a GIF, or to fetch its file in advance.
struct TileRequest: Equatable, Sendable {
    enum Purpose: Equatable, Sendable {
        /// The GIF is on the screen and animated.
        case animation
        /// The GIF is on the screen beside the selected one. It shows at most ten frames per second, at the same times
        /// as all others, so that one update shows the frames of many tiles.
        case slowAnimation
        /// The GIF is on the screen, but only its first frame is shown.
        case still
        /// The GIF is near the screen. Its file is fetched but not decoded.
        case prefetch
    }

    var reference: GIFReference
    /// The size of the picture in half-block pixels; 0x0 if the file is fetched but not decoded.
    var target: PixelSize
    var purpose: Purpose
    var mode = PictureMode.half
    /// For the picture beside the tiles, the size of the tile in pixels. The file of the tile is displayed first.
    var tileSize: PixelSize?

    /// ``target`` in the pixels of ``mode``.
    var pixels: PixelSize { mode.target(target) }
    var id: TileID { TileID(key: reference.key, isLarge: tileSize != nil) }
}

/// A GIF can have two pictures on the screen: its tile, and a large one beside the tiles.
struct TileID: Hashable, Sendable {
    var key: GIFKey
    var isLarge = false
}

/// The messages of the status line.
typealias StatusNotices = TimedNotes<GalleryMessage>

extension TimedNotes<GalleryMessage> {
    static var duration: Int64 { 3 * Span.second }

    init() { self.init(for: Self.duration) }

    /// A message about a service does not replace another one.
    mutating func display(_ message: GalleryMessage, at now: Instant) {
        if message.isAboutService, note != nil { add(message) } else { show(message, at: now) }
    }

    /// Removes a message that no longer applies.
    mutating func remove(at now: Instant, where isOutdated: (GalleryMessage) -> Bool) {
        if let note, isOutdated(note) { skip(at: now) }
    }
}
