import Base

/// Facts about the services that the user is told once, on a status line if there is one.
public final class Notices: Sendable {
    public enum Notice: Hashable, Sendable {
        /// A service did not accept the key in this variable.
        case keyRefused(variable: String)
        /// Wikimedia answered 429, and the user configured no contact.
        case contactWanted
    }

    private struct State: Sendable {
        var known: Set<Notice> = []
        var waiting: [Notice] = []
        /// The one on the status line, and how many more times it is asked for.
        var shown: (notice: Notice, looks: Int)?
        var listener: (@Sendable (Notice) -> Void)?
    }

    /// A player asks twice a second.
    private static let looks = 10
    private let state = Monitor(State())

    init() {}

    func post(_ notice: Notice) {
        let listener = state.withLock { state -> (@Sendable (Notice) -> Void)? in
            guard state.known.insert(notice).inserted else { return nil }
            if state.listener == nil { state.waiting.append(notice) }
            return state.listener
        }
        listener?(notice)
    }

    /// The notice for the status line; nil for none. Each is returned for five seconds of a player's calls.
    public func current() -> Notice? {
        state.withLock { state in
            if state.shown == nil, !state.waiting.isEmpty {
                state.shown = (state.waiting.removeFirst(), Self.looks)
            }
            guard let (notice, looks) = state.shown else { return nil }
            state.shown = looks > 1 ? (notice, looks - 1) : nil
            return notice
        }
    }

    /// Those that no status line showed; each is returned once.
    public func takeRest() -> [Notice] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Hands every notice to `listener`, those that wait first.
    public func listen(_ listener: @escaping @Sendable (Notice) -> Void) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.listener = listener
            return state.waiting
        }
        for notice in waiting { listener(notice) }
    }
}
