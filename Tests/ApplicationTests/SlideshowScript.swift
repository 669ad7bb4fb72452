import Base
import Catalog
import Gallery
import LoadingSupport
import Pixels
import Playback
import TestServer
import Testing

@testable import Application

/// A slideshow with the events of a test.
struct SlideshowScript {
    var slideshow: Slideshow
    private var opened: FetchedItem?
    private var candidates: [GIFReference] = []
    /// Nothing has been tried yet.
    private var tried: NextItem { NextItem(candidates: candidates.count, remaining: candidates) }

    init(_ list: Playlist, _ options: [String]) throws {
        slideshow = Slideshow(list, try playbackSettings(options))
    }

    /// - Parameter line: a key, the end of a GIF or of a search, or a question: `?` with a key and the state of the
    ///   prefetch, `??` with a key during a wait.
    mutating func perform(_ line: String) -> String {
        let (event, reason) = split(line, " because ")
        let (name, later) = split(event, " then ")
        let words = name.split(separator: " ").map(String.init)
        switch words[0] {
        case "start": return text(.begun)
        case "late": return text(.late(tried))
        case "broken": return text(.cannotOpen(opened?.item ?? .standardInput, .empty))
        case "found", "nothing":
            let found = words.count > 1 ? FetchedItem(.titled(words[1]), content: []) : nil
            let next = NextItem(
                candidates: candidates.count, fetched: found,
                remaining: later.split(separator: " ").map { .titled(String($0)) },
                failures: reason.isEmpty ? [] : [Failure(reason)])
            return text(.found(next))
        case "wait":
            var tried = tried
            tried.failures = reason.isEmpty ? [] : [Failure(reason)]
            return text(.waitEnded(Self.ends[words[1]] ?? .closed, tried))
        case "gallery": return text(.browsed(.success((Self.galleryEnds[words[1]] ?? .quit, [], []))))
        case "refused": return text(.browsed(.failure(Failure("no gallery"))))
        case "list": return text(.randomList(Playlist(shuffling: [.file("random")])))
        case "?", "??":
            guard case .switchItem(let kind)? = Self.ends[words[1]] else { return "unknown key" }
            let refusal =
                words[0] == "??"
                ? slideshow.refusal(of: kind, awaiting: tried)
                : slideshow.refusal(of: kind, next: Self.states[words.last ?? ""])
            return refusal ?? "-"
        case "time": return slideshow.mayEnd(next: Self.states[words[1]]) ? "ends" : "continues"
        default:
            guard let item = opened, let end = Self.ends[words[0]] else { return "unknown event" }
            if slideshow.shownItem != item.item { _ = slideshow.next(after: .opened(item.item)) }
            return text(.ended(end, of: item, damage: later.isEmpty ? nil : later))
        }
    }

    private static let ends: [String: PlaybackEnd] = [
        "n": .switchItem(.next), "p": .switchItem(.previous), "r": .switchItem(.random),
        "reload": .switchItem(.reload), "q": .quit, "/": .browse, "finished": .finished, "still": .still,
        "failed": .failed(.empty), "signal": .interrupted(signal: 15),
    ]
    private static let galleryEnds: [String: GalleryEnd] = [
        "quit": .quit, "signal": .interrupted(signal: 15), "closed": .closed,
    ]
    private static let states: [String: ItemSearch.State] = [
        "searching": .searching, "empty": .nothingFound, "ready": .ready,
    ]

    private func split(_ text: String, _ separator: String) -> (String, String) {
        let parts = text.components(separatedBy: separator)
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }

    private mutating func text(_ event: Slideshow.Event) -> String {
        switch slideshow.next(after: event) {
        case .find(let request):
            candidates = request.candidates
            let names = request.candidates.map(\.name).joined(separator: " ")
            return (slideshow.awaitsNext ? "find next" : "find") + (names.isEmpty ? "" : " of \(names)")
        case .skip: return "skip"
        case .open(let fetched):
            opened = fetched
            return "open \(fetched.item.isBuiltIn ? "sample" : fetched.item.name)"
        case .play: return "play"
        case .again(let isFinished): return isFinished ? "hold" : "again"
        case .chooseRandomly: return "random"
        case .browse: return "browse"
        case .end(let end): return "end \(end)"
        }
    }
}

/// - Parameters:
///   - lines: an event and the expected action, separated by an arrow; `*` stands for any item.
///   - messages: those at the end.
func checkSlideshow(
    _ list: Playlist, _ lines: String, options: [String] = [], messages: [String] = [],
    status: Application.ExitStatus? = nil, location: SourceLocation = #_sourceLocation
) throws {
    var script = try SlideshowScript(list, options)
    for line in lines.split(separator: "\n") {
        let parts = line.components(separatedBy: " → ")
        let action = script.perform(parts[0])
        let isExpected = parts[1].hasSuffix("*") ? action.hasPrefix(parts[1].dropLast()) : action == parts[1]
        #expect(isExpected, "\(line): \(action)", sourceLocation: location)
    }
    let result = script.slideshow.result(.finished, errors: [], remarks: [])
    #expect(result.1 == messages, sourceLocation: location)
    #expect(result.0 == (status ?? (messages.isEmpty ? .success : .failure)), sourceLocation: location)
}

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
        let terminal = VirtualTerminal(traits: TerminalTraits(size: CellSize(columns: 60, rows: 12)), script: script)
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
