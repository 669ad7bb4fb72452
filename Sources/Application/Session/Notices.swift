import Base
import Playback

/// Notices about the services. Each is reported to the user once, on the status line if there is one.
public final class Notices: Sendable {
    public enum Notice: Hashable, Sendable {
        /// A service did not accept the key in this environment variable.
        case keyRefused(variable: String)
        /// Wikimedia or the endpoint of Commons answered with status 429, and the user configured no contact.
        case contactRequired
        /// A service cannot be reached. Only the listener gets this notice, which can occur several times.
        case noConnection
    }

    private struct State: Sendable {
        var known: Set<Notice> = []
        var displayed = TimedNotes<Notice>(for: 5 * Span.second)
        var listener: (@Sendable (Notice) -> Void)?
    }

    private let state = Monitor(State())

    init() {}

    func post(_ notice: Notice) {
        let listener = state.withLock { state -> (@Sendable (Notice) -> Void)? in
            guard notice != .noConnection else { return state.listener }
            guard state.known.insert(notice).inserted else { return nil }
            if state.listener == nil { state.displayed.add(notice) }
            return state.listener
        }
        listener?(notice)
    }

    /// Returns the notice for the status line; nil if there is none.
    public func current(at now: Instant) -> Notice? {
        state.withLock { state in
            state.displayed.update(at: now)
            return state.displayed.note
        }
    }

    /// Returns and removes the notices that were not displayed on a status line.
    public func takeUndisplayed() -> [Notice] { state.withLock { $0.displayed.takePending() } }

    /// Calls `listener` with the waiting notices, then with each new one.
    public func listen(_ listener: @escaping @Sendable (Notice) -> Void) {
        let waiting = state.withLock { state in
            state.listener = listener
            return state.displayed.takePending()
        }
        for notice in waiting { listener(notice) }
    }
}
