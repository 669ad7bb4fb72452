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
    private let open: (Fetched) throws(GIFError) -> Showing
    private(set) var showing: Result<Showing, GIFError>?

    /// - Parameter after: the hunt begins when this has all its bytes.
    init(
        _ hunt: Hunt, after present: Download?, online: Online, wake: @escaping @Sendable () -> Void,
        open: @escaping (Fetched) throws(GIFError) -> Showing
    ) {
        self.open = open
        pending = Pending(wake: wake) {
            // What is on the screen goes first on a narrow line.
            _ = await present?.end()
            return await hunt.run(online)
        }
    }

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
