import Base
import Catalog
import LoadingSupport

@testable import Application

/// A search for a cat, in two services and the built-in samples, with the events of a test.
struct SearchScript {
    static let start = ContinuousClock.now

    static func time(_ seconds: Double) -> Search.Time { start + .milliseconds(Int(seconds * 1_000)) }

    private static func seconds(_ time: Search.Time) -> Double { Double((time - start).wholeMilliseconds) / 1_000 }

    var search: Search

    init(_ sources: [String] = ["giphy", "commons"], query: String = "cat", hasSamples: Bool = true) {
        var steps = sources.map { Search.Step(source: $0) }
        if hasSamples { steps.append(Search.Step(source: "samples", isOnline: false, group: 2)) }
        search = Search(.results, steps, ranking: ResultRanking(query))
    }

    /// A feed of random GIFs or of files.
    static var feed: SearchScript {
        var script = SearchScript([])
        script.search = Search(.feed, [Search.Step(source: "feed", isOnline: false)])
        script.search.begin([], at: Self.start)
        return script
    }

    /// A search for a playable item that has begun at 0 s.
    static func player(
        _ sources: [String] = ["giphy", "commons"], choice: ResultChoice = .first, candidates: [String] = [],
        hasSamples: Bool = true, randomNumber: UInt64 = 0
    ) -> SearchScript {
        var script = SearchScript(sources, hasSamples: hasSamples)
        script.search.begin(
            candidates.map { GIFReference.titled($0, from: "giphy") }, choice, randomNumber: randomNumber,
            at: Self.start)
        return script
    }

    /// Such as `ask giphy`, `download a`, `wait 2.5`.
    mutating func next(_ seconds: Double) -> String {
        switch search.next(at: SearchScript.time(seconds)) {
        case .ask(let step, let page, _): return "ask \(search.steps[step].name)" + (page == nil ? "" : " again")
        case .open(let candidate):
            let files = search.candidates[candidate].item.renditions
            search.handle(.opened(candidate: candidate, .success(files)), at: SearchScript.time(seconds))
            return next(seconds)
        case .download(_, let candidate, _, let replaced):
            let name = search.candidates[candidate].item.name
            return "download \(name)" + (replaced == nil ? "" : " in place of \(replaced ?? 0)")
        case .wait(let time): return time.map { "wait \(SearchScript.seconds($0))" } ?? "wait"
        case .end: return end
        }
    }

    private var end: String {
        switch search.outcome {
        case .plays(let index): "play \(search.candidates[index].item.name)"
        case .page(let page, _): "page of \(page.items.map(\.title).joined(separator: ", "))"
        case .failure(let error): "\(error.message)"
        case .nothing, nil: "end"
        }
    }

    mutating func answer(_ source: String, _ titles: String..., next: Bool = false, at seconds: Double) {
        let items = titles.map { GIFReference.titled($0, from: source) }
        let token = PageToken(source: source, parameters: ["page": "2"])
        answer(source, .success(ResultPage(items: items, next: next ? token : nil)), at: seconds)
    }

    mutating func answer(_ source: String, _ result: Result<ResultPage, Failure>, at seconds: Double) {
        guard let step = search.steps.firstIndex(where: { $0.name == source }) else { return }
        search.handle(.answered(step: step, result), at: SearchScript.time(seconds))
    }

    mutating func fail(_ download: Int, _ error: Failure? = nil, at seconds: Double) {
        search.handle(.failed(download: download, error ?? Failure("failed")), at: SearchScript.time(seconds))
    }

    mutating func progress(_ download: Int, isSilent: Bool, at seconds: Double) {
        search.handle(.progress(download: download, isSilent: isSilent), at: SearchScript.time(seconds))
    }

    mutating func fetched(_ download: Int, at seconds: Double) {
        search.handle(.fetched(download: download), at: SearchScript.time(seconds))
    }
}
