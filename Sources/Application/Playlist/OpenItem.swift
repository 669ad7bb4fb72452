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

    var item: GIFReference { fetched.item }

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
    private let work: any SlideshowWork
    private let rule: LoopRule
    private(set) var openItem: Result<OpenItem, GIFError>?

    /// - Parameter after: the download of the current item. The search starts when this download ends or when
    ///   ``startNow()`` is called. If `after` is nil, the search starts immediately.
    init(
        _ request: ItemRequest, after present: Download?, loader: any ItemLoading, work: any SlideshowWork,
        _ rule: LoopRule
    ) {
        (self.work, self.rule) = (work, rule)
        search = work.search { [trigger] in
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
        openItem = work.open(fetched, rule)
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
