import Application
import Base
import Fetching
import GIFDecode
import Playback

/// An open item whose frames are being decoded: the displayed one, or the prefetched next one.
final class Showing {
    let fetched: Fetched
    let source: DecodeAhead

    var item: PlayItem { fetched.item }

    /// - Parameter wake: wakes the terminal; called on another thread.
    init(
        _ fetched: Fetched, limits: DecodeLimits, rule: LoopRule, wake: @escaping @Sendable () -> Void
    ) throws(GIFError) {
        self.fetched = fetched
        source = DecodeAhead(
            try fetched.reader(limits: limits), goesOn: { passes, summary in rule.goesOn(after: passes, summary) },
            wake: wake)
    }

    deinit { fetched.download?.cancel() }
}

/// Prefetches the next item: finds one that can be played and starts to decode it.
final class Ahead {
    private let pending: Pending<Found>
    private let urgency = Urgency()
    private let open: (Fetched) throws(GIFError) -> Showing
    private(set) var showing: Result<Showing, GIFError>?

    /// - Parameter after: the download of the current item; the search starts at its end or by ``hurry()``.
    init(
        _ hunt: Hunt, after present: Download?, online: Online, wake: @escaping @Sendable () -> Void,
        open: @escaping (Fetched) throws(GIFError) -> Showing
    ) {
        self.open = open
        pending = Pending(wake: wake) { [urgency] in
            // On a slow connection the displayed item downloads first, unless the user already waits for the next one.
            if let present { await urgency.wait(for: present) }
            return await hunt.run(online)
        }
    }

    /// Starts the search at once, as the user now waits for the item.
    func hurry() { urgency.begin() }

    var found: Found? { pending.value }

    /// Starts to decode as soon as an item has been found.
    func prepare() {
        guard showing == nil, let fetched = pending.value?.fetched else { return }
        do throws(GIFError) { showing = .success(try open(fetched)) } catch { showing = .failure(error) }
    }

    /// Whether the next item can be displayed without waiting, or has failed to open.
    var isReady: Bool {
        prepare()
        return showing != nil
    }
}

/// Signals that the next item is needed immediately.
private final class Urgency: Sendable {
    private let isOver = AsyncStream<Void>.makeStream()

    func begin() { isOver.continuation.finish() }

    /// Returns when the download has ended or ``begin()`` was called.
    func wait(for download: Download) async {
        let end = Task { [continuation = isOver.continuation] in
            for await _ in download.changes() {}
            continuation.finish()
        }
        for await _ in isOver.stream {}
        end.cancel()
    }
}
