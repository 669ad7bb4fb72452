import Base
import Catalog
import Pixels

/// Supplies the GIF of a URL again each time it has changed. Asks its server at a fixed interval.
final class FollowedAddress: ItemFeed {
    private struct State {
        /// The time of the next request, in milliseconds.
        var due = 0
        /// Waits until then.
        var timer: Task<Void, any Error>?
        /// The bytes of the latest answer.
        var latest: [UInt8]?
        /// The bytes of the GIF that was supplied last.
        var supplied: [UInt8]?
        var problem: Failure?
    }

    let waitsForItems = true
    private let url: String
    private let milliseconds: Int
    private let loader: GIFLoader
    private let state = Monitor(State())

    /// - Parameter interval: the time between two requests, in nanoseconds.
    init(_ url: String, every interval: Int64, loader: GIFLoader) {
        (self.url, self.loader) = (url, loader)
        milliseconds = Int(interval / Span.millisecond)
    }

    /// The URL in the argument of `--follow`; nil for a path.
    static func url(_ text: String) -> String? {
        if case .web(let url) = Argument(text).address { url } else { nil }
    }

    var problem: Failure? { state.withLock { $0.problem } }

    func waitingText(in language: Language) -> String {
        problem.map(language.line) ?? language(en: "loading…", de: "lädt …")
    }

    /// Also before the next wait begins, and during a request: another one then follows.
    func retryNow() {
        let timer = state.withLock { [now = loader.clock.milliseconds] state in
            state.due = min(state.due, now)
            return state.timer
        }
        timer?.cancel()
    }

    func next() async throws(Failure) -> ResultPage {
        let item = GIFReference.address(url)
        while true {
            await waitUntilDue()
            guard !Task.isCancelled else { throw .cancelled }
            state.withLock { $0.due = loader.clock.milliseconds + milliseconds }
            loader.reload(item)
            let request = Monitor<Download?>(nil)
            do throws(Failure) {
                let fetched = try await loader.fetch(
                    Rendition(url: url), of: item, needsAllBytes: true, startRetries: nil,
                    begun: { download in request.withLock { $0 = download } })
                if takes(fetched) { return ResultPage(items: [item]) }
            } catch {
                guard !Task.isCancelled else { throw .cancelled }
                var failure: Failure?
                if case .failed(let error)? = request.withLock({ $0 })?.progress.state { failure = error }
                note(error, waitSeconds: failure?.waitSeconds)
            }
        }
    }

    private func waitUntilDue() async {
        let timer = state.withLock { [clock = loader.clock] state in
            let timer = Task { [due = state.due] in
                if due > clock.milliseconds { try await clock.wait(milliseconds: due - clock.milliseconds) }
            }
            state.timer = timer
            return timer
        }
        await withTaskCancellationHandler {
            _ = await timer.result
        } onCancel: {
            timer.cancel()
        }
    }

    /// Notes why there is no new GIF, and the wait that the server asks for.
    private func note(_ problem: Failure?, waitSeconds: Int?) {
        state.withLock { state in
            state.problem = problem
            // The status line has no room for the URL.
            state.problem?.subject = nil
            guard let seconds = waitSeconds else { return }
            state.due = max(state.due, loader.clock.milliseconds + seconds * 1_000)
        }
    }

    /// Whether an answer replaces the picture: it is another GIF, and complete. A file that the server is still writing
    /// has no trailer; one that never gets its trailer is the same in the next answer. Without a picture, any GIF is taken.
    private func takes(_ fetched: FetchedItem) -> Bool {
        let (bytes, failure) = (fetched.bytes(limit: .max) ?? [], fetched.staleness?.reason)
        let isRepeated = failure == nil && state.withLock { $0.latest } == bytes
        let isComplete = isRepeated || BlockWalk(bytes).length != nil
        let incomplete = Failure(
            .nothingFound, "incomplete; waiting for the rest", de: "unvollständig; wartet auf den Rest")
        note(failure ?? (isComplete ? nil : incomplete), waitSeconds: failure?.waitSeconds)
        return state.withLock { state in
            state.latest = bytes
            guard state.supplied != bytes, isComplete || state.supplied == nil else { return false }
            state.supplied = bytes
            return true
        }
    }
}
