import Application
import GIFDecode
import Playback

/// The work that a slideshow does on other threads. Tests do it on the calling thread, because the clock of a
/// ``VirtualTerminal`` does not wait for other threads.
struct BackgroundWork {
    /// Wakes the terminal; called on another thread.
    typealias Wake = @Sendable () -> Void

    /// Begins a search, and calls `Wake` once the search has ended.
    var search: (@escaping Wake, @escaping @Sendable () async -> NextItem) -> BackgroundValue<NextItem> = {
        BackgroundValue(wake: $0, $1)
    }
    /// Opens an item and begins to decode its frames. Calls `Wake` when a frame is ready that the player waits for.
    var decode: (FetchedItem, DecodeLimits, LoopRule, @escaping Wake) throws(GIFError) -> any FrameSource =
        BackgroundWork.decodeAhead

    private static func decodeAhead(
        _ fetched: FetchedItem, _ limits: DecodeLimits, _ rule: LoopRule, _ wake: @escaping Wake
    ) throws(GIFError) -> any FrameSource {
        DecodeAhead(
            try fetched.reader(limits: limits),
            shouldContinue: { iterations, summary in rule.continues(after: iterations, summary) }, wake: wake)
    }
}
