import Application
import Base
import Catalog

/// Supplies the GIF of a URL again each time it has changed. Asks its server at a fixed interval.
final class FollowedAddress: ItemFeed {
    private struct State {
        /// The time of the latest request, in milliseconds; nil before the first one.
        var asked: Int?
        var latest: [UInt8]?
        var problem: String?
    }

    let waitsForItems = true
    private let url: String
    private let milliseconds: Int
    private let loader: GIFLoader
    private let state = Monitor(State())

    /// - Parameter interval: the time between two requests, in nanoseconds.
    /// - Returns: nil if the text is no URL.
    init?(_ text: String, every interval: Int64, loader: GIFLoader) {
        guard let url = Self.url(text) else { return nil }
        (self.url, self.loader) = (url, loader)
        milliseconds = Int(interval / Span.millisecond)
    }

    /// The URL in the argument of `--follow`; nil for a path.
    static func url(_ text: String) -> String? {
        if case .web(let url) = PlaylistResolver.address(of: text) { url } else { nil }
    }

    var problem: String? { state.withLock { $0.problem } }

    func waitingText(in language: Language) -> String { problem ?? language(en: "loading…", de: "lädt …") }

    func next() async throws(CatalogError) -> ResultPage {
        let reference = GIFReference(
            provider: GIFReference.followedProvider, id: url, title: "", attribution: "", renditions: [],
            cachePolicy: .sessionOnly)
        let item = PlayItem(reference)
        while true {
            let due = state.withLock { $0.asked }.map { $0 + milliseconds - loader.clock.milliseconds } ?? 0
            if due > 0 { do { try await loader.clock.wait(milliseconds: due) } catch { throw .cancelled } }
            state.withLock { $0.asked = loader.clock.milliseconds }
            loader.reload(item)
            do throws(CommandError) {
                let fetched = try await loader.fetch(
                    MediaFile(item, url: url), needsAllBytes: true, startRetries: nil, begun: { _ in })
                let reason = fetched.staleness?.reason.map(ErrorMessages.statusText)
                let hasChanged = state.withLock { state in
                    defer { if case .bytes(let bytes) = fetched.content { state.latest = bytes } }
                    state.problem = reason
                    return state.latest != fetched.bytes(limit: .max)
                }
                if hasChanged { return ResultPage(items: [reference]) }
            } catch {
                guard !Task.isCancelled else { throw .cancelled }
                var problem = error.message
                if case .transport(let failure)? = error.mediaFailure {
                    problem = ErrorMessages.statusText(.transport(failure))
                }
                state.withLock { [problem] in $0.problem = problem }
            }
        }
    }
}
