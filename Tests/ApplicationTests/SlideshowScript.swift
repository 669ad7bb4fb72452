import Base
import Catalog
import Gallery
import LoadingSupport
import Playback
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
