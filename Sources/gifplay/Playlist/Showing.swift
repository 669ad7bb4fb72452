import Application
import Base
import Fetching
import GIFDecode
import Playback

/// An item with its frames being decoded: on the screen, or ready for its turn.
final class Showing {
    let fetched: Fetched
    let source: DecodeAhead

    var item: PlayItem { fetched.item }

    /// - Parameter wake: of the terminal.
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

/// The hunt for what comes after the present item, and its frames once they can be decoded.
final class Ahead {
    private let pending: Pending<Found>
    private let urgency = Urgency()
    private let open: (Fetched) throws(GIFError) -> Showing
    private(set) var showing: Result<Showing, GIFError>?

    /// - Parameter after: the hunt begins when this has all its bytes.
    init(
        _ hunt: Hunt, after present: Download?, online: Online, wake: @escaping @Sendable () -> Void,
        open: @escaping (Fetched) throws(GIFError) -> Showing
    ) {
        self.open = open
        pending = Pending(wake: wake) { [urgency] in
            // What is on the screen goes first on a narrow line, unless nobody wants it any more.
            if let present { await urgency.wait(for: present) }
            return await hunt.run(online)
        }
    }

    /// Somebody waits for it now.
    func hurry() { urgency.begin() }

    var found: Found? { pending.value }

    /// Begins to decode as soon as there is something.
    func prepare() {
        guard showing == nil, let fetched = pending.value?.fetched else { return }
        do throws(GIFError) { showing = .success(try open(fetched)) } catch { showing = .failure(error) }
    }

    /// Whether the turn would show a picture at once.
    var isReady: Bool {
        prepare()
        return showing != nil
    }
}

/// Whether the next item is wanted at once.
private final class Urgency: Sendable {
    private let isOver = AsyncStream<Void>.makeStream()

    func begin() { isOver.continuation.finish() }

    /// Returns when the download has ended or it has become urgent.
    func wait(for download: Download) async {
        let end = Task { [continuation = isOver.continuation] in
            for await _ in download.changes() {}
            continuation.finish()
        }
        for await _ in isOver.stream {}
        end.cancel()
    }
}
