import Base
import Gallery
import LoadingSupport
import Pixels
import Playback
import TestServer

@testable import Application

/// Plays a list on a virtual terminal, on a separate thread that also decodes the frames and waits for searches.
struct SlideshowSession {
    /// The playback options of the command line.
    var options: [String] = []
    var loader = LoaderDouble()
    var script: [VirtualTerminal.ScriptedEvent] = []
    var environment: [String: String] = [:]
    /// The end of the gallery; nil if it cannot be opened.
    var galleryEnd: GalleryEnd? = .quit
    /// The marks that the gallery could not store.
    var losses: [Failure] = []
    /// Whether each search ends before the clock advances.
    var waitsForSearches = true

    struct Run {
        var status: Application.ExitStatus
        /// The number of times that the gallery was opened.
        var galleries: Int
        var messages: [String]
        /// The titles in the order in which the status line showed them.
        var titles: [String]
        /// All bytes that were sent to the terminal, as text.
        var text: String
        /// The time at which the slideshow ended.
        var milliseconds: Int64
    }

    /// - Parameter titles: the titles to look for on the status line.
    func play(_ list: Playlist, titles: [String]) async throws -> Run {
        // Use a separate thread, because the session blocks its thread while it waits for tasks.
        try await onOwnThread { try playHere(list, titles: titles) }
    }

    private func playHere(_ list: Playlist, titles: [String]) throws -> Run {
        let terminal = VirtualTerminal(
            traits: TerminalTraits(size: CellSize(columns: 60, rows: 12)), script: script)
        var settings = try Settings(Invocation(options), environment: environment)
        (settings.isOffline, settings.keepsHistory) = (true, false)
        settings.setPictureSize(width: 60, height: 24)
        let session = ServiceSession(settings)
        let actions = PlayerActions(
            session, media: ServiceMedia(loader: GIFLoader(session)), environment: environment, wake: terminal.waker)
        let gallery = GalleryDouble(end: galleryEnd, losses: losses)
        let slideshow = SlideshowLoop(
            list, session: session, loader: loader, terminal: terminal, actions: actions,
            work: ImmediateWork(waits: waitsForSearches, wake: terminal.waker), gallery: gallery)
        let (status, messages) = slideshow.play()
        let updates = terminal.presented.map { String(decoding: $0.bytes, as: UTF8.self) }
        var shown: [String] = []
        for update in updates {
            for title in titles where update.contains(title) && title != shown.last { shown.append(title) }
        }
        return Run(
            status: status, galleries: gallery.count, messages: messages, titles: shown, text: updates.joined(),
            milliseconds: terminal.now.nanoseconds / Span.millisecond)
    }
}

private final class GalleryDouble: GalleryOpening {
    private let end: GalleryEnd?
    private let losses: [Failure]
    private(set) var count = 0

    init(end: GalleryEnd?, losses: [Failure]) { (self.end, self.losses) = (end, losses) }

    func openGallery(showing list: Playlist) throws(Failure) -> GallerySession.Outcome {
        count += 1
        guard let end else { throw Failure("no gallery") }
        return (end, losses, ["message of the gallery"])
    }
}

/// Decodes on the calling thread, and waits for searches if `waits` is true.
struct ImmediateWork: SlideshowWork {
    var waits = false
    var failure: GIFError?
    let wake: @Sendable () -> Void

    func search(_ body: @escaping @Sendable () async -> NextItem) -> BackgroundValue<NextItem> {
        let search = BackgroundValue(wake: wake, body)
        if waits { _ = search.wait() }
        return search
    }

    func decode(_ fetched: FetchedItem, _ rule: LoopRule) throws(GIFError) -> any FrameSource {
        if let failure { throw failure }
        return DirectFrameSource(try fetched.reader(limits: DecodeLimits()))
    }
}

extension VirtualTerminal.ScriptedEvent {
    static func at(_ milliseconds: Int64, _ event: TerminalEvent) -> Self {
        Self(at: Instant(nanoseconds: milliseconds * Span.millisecond), event)
    }

    static func key(_ key: Character, at milliseconds: Int64) -> Self { .at(milliseconds, .key(.character(key))) }
}
