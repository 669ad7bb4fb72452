import Base
import Catalog
import Pixels
import Playback

/// Finds and opens the items of a slideshow. Tests do it on the calling thread, because the clock of a
/// ``VirtualTerminal`` does not wait for other threads.
protocol SlideshowWork {
    /// Begins a search, and wakes the terminal once it has ended.
    func search(_ body: @escaping @Sendable () async -> NextItem) -> BackgroundValue<NextItem>

    /// Begins to decode the frames of an item. Wakes the terminal when a frame is ready that the player waits for.
    func decode(_ fetched: FetchedItem, _ rule: LoopRule) throws(GIFError) -> any FrameSource
}

extension SlideshowWork {
    func open(_ fetched: FetchedItem, _ rule: LoopRule) -> Result<OpenItem, GIFError> {
        Result { () throws(GIFError) in OpenItem(fetched, try decode(fetched, rule)) }
    }
}

/// Works on other threads.
final class BackgroundWork: SlideshowWork {
    private let limits: DecodeLimits
    private let wake: @Sendable () -> Void
    /// Decoded while the terminal is set up.
    private var first: (item: GIFReference, source: Result<any FrameSource, GIFError>)?

    /// - Parameter wake: wakes the terminal; called on another thread.
    init(_ limits: DecodeLimits, wake: @escaping @Sendable () -> Void) { (self.limits, self.wake) = (limits, wake) }

    /// Begins to decode the first item. The first call of ``decode(_:_:)`` for it returns its frames.
    func decodeNow(_ item: GIFReference, _ rule: LoopRule) {
        first = (item, Result { () throws(GIFError) in try decode(FetchedItem(item), rule) })
    }

    func search(_ body: @escaping @Sendable () async -> NextItem) -> BackgroundValue<NextItem> {
        BackgroundValue(wake: wake, body)
    }

    func decode(_ fetched: FetchedItem, _ rule: LoopRule) throws(GIFError) -> any FrameSource {
        if let first, first.item == fetched.item {
            self.first = nil
            return try first.source.get()
        }
        return DecodeAhead(
            try fetched.reader(limits: limits),
            shouldContinue: { iterations, summary in rule.continues(after: iterations, summary) }, wake: wake)
    }
}
