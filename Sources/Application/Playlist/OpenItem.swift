import Base
import Catalog
import Pixels
import Playback

/// An open item whose frames are being decoded: the displayed item, or the prefetched next item.
final class OpenItem {
    let fetched: FetchedItem
    let source: any FrameSource
    /// Whether the history has the item.
    var isViewed = false

    var item: PlayItem { fetched.item }

    init(_ fetched: FetchedItem, _ source: any FrameSource) {
        self.fetched = fetched
        self.source = source
    }

    deinit { fetched.download?.cancel() }
}

/// Prefetches the next item: finds one that can be played and starts to decode it.
final class Prefetch {
    private let search: BackgroundValue<NextItem>
    private let trigger = PrefetchTrigger()
    private let open: (FetchedItem) throws(GIFError) -> OpenItem
    private(set) var openItem: Result<OpenItem, GIFError>?

    /// - Parameter after: the download of the current item. The search starts when this download ends or when
    ///   ``startNow()`` is called. If `after` is nil, the search starts immediately.
    init(
        _ request: ItemRequest, after present: Download?, loader: any ItemLoading, work: BackgroundWork,
        wake: @escaping @Sendable () -> Void, open: @escaping (FetchedItem) throws(GIFError) -> OpenItem
    ) {
        self.open = open
        search = work.search(wake) { [trigger] in
            // On a slow connection, two downloads would compete. The displayed item is downloaded first, unless the
            // user is already waiting for the next item.
            if let present { await trigger.wait(for: present) }
            return await request.run(loader)
        }
    }

    /// Starts the search immediately, because the user is now waiting for the item.
    func startNow() { trigger.fire() }

    var nextItem: NextItem? { search.value }

    /// Does nothing if the search has found no item, or if the item is already open or has failed to open.
    func prepare() {
        guard openItem == nil, let fetched = search.value?.fetched else { return }
        do throws(GIFError) { openItem = .success(try open(fetched)) } catch { openItem = .failure(error) }
    }

    /// Whether the next item can be displayed without waiting, or has failed to open.
    var isReady: Bool {
        prepare()
        return openItem != nil
    }
}

private final class PrefetchTrigger: Sendable {
    private let signal = AsyncStream<Void>.makeStream()

    func fire() { signal.continuation.finish() }

    /// Returns when the download has ended or ``fire()`` was called.
    func wait(for download: Download) async {
        let end = Task { [continuation = signal.continuation] in
            for await _ in download.changes() {}
            continuation.finish()
        }
        for await _ in signal.stream {}
        end.cancel()
    }
}

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

    /// Begins to decode the first item while the terminal is set up. The first call of ``decode`` for it returns it.
    mutating func decodeNow(_ item: PlayItem, _ limits: DecodeLimits, _ rule: LoopRule, _ wake: @escaping Wake) {
        var first: Result<any FrameSource, GIFError>?
        do throws(GIFError) {
            first = .success(try decode(FetchedItem(item: item, content: .local), limits, rule, wake))
        } catch { first = .failure(error) }
        decode = { [decode] fetched, limits, rule, wake throws(GIFError) in
            guard fetched.item == item, let source = first else { return try decode(fetched, limits, rule, wake) }
            first = nil
            return try source.get()
        }
    }

    private static func decodeAhead(
        _ fetched: FetchedItem, _ limits: DecodeLimits, _ rule: LoopRule, _ wake: @escaping Wake
    ) throws(GIFError) -> any FrameSource {
        DecodeAhead(
            try fetched.reader(limits: limits),
            shouldContinue: { iterations, summary in rule.continues(after: iterations, summary) }, wake: wake)
    }
}
