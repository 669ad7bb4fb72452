import Base

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
        var waiting: [Notice] = []
        /// The notice on the status line, and how many more calls of ``current()`` return it.
        var displayed: (notice: Notice, remainingCalls: Int)?
        var listener: (@Sendable (Notice) -> Void)?
    }

    /// The player calls ``current()`` twice a second, so it displays a notice for five seconds.
    private static let callsPerNotice = 10
    private let state = Monitor(State())

    init() {}

    func post(_ notice: Notice) {
        let listener = state.withLock { state -> (@Sendable (Notice) -> Void)? in
            guard notice != .noConnection else { return state.listener }
            guard state.known.insert(notice).inserted else { return nil }
            if state.listener == nil { state.waiting.append(notice) }
            return state.listener
        }
        listener?(notice)
    }

    /// Returns the notice for the status line, the same one for ten successive calls; nil if there is none.
    public func current() -> Notice? {
        state.withLock { state in
            if state.displayed == nil, !state.waiting.isEmpty {
                state.displayed = (state.waiting.removeFirst(), Self.callsPerNotice)
            }
            guard let (notice, remaining) = state.displayed else { return nil }
            state.displayed = remaining > 1 ? (notice, remaining - 1) : nil
            return notice
        }
    }

    /// Returns and removes the notices that were not displayed on a status line.
    public func takeUndisplayed() -> [Notice] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Calls `listener` with the waiting notices, then with each new one.
    public func listen(_ listener: @escaping @Sendable (Notice) -> Void) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.listener = listener
            return state.waiting
        }
        for notice in waiting { listener(notice) }
    }
}
