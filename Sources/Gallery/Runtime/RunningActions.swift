import Base
import Catalog
import Library

/// The saves and copies that run, of the player and of its gallery.
public final class RunningActions: Sendable {
    private struct State {
        /// Ends when all actions have ended.
        var all: Task<Void, Never>?
        var saves: [GIFKey: Task<SavedFile.Outcome?, Never>] = [:]
        /// The names of the GIFs whose saves run, or have failed since ``end()``.
        var unsaved: [GIFKey: String] = [:]
        var isEnding = false
    }

    private let state = Monitor(State())

    public init() {}

    /// Starts an action for which ``end()`` waits.
    func start(_ body: @escaping @Sendable () async -> Void) {
        let action = Task.detached(operation: body)
        state.withLock { state in
            state.all = Task.detached { [before = state.all] in
                await before?.value
                await action.value
            }
        }
    }

    /// Saves the GIF, or waits for a save of it that is running, because both would write a file.
    func save(
        _ reference: GIFReference, by body: @escaping @Sendable () async -> SavedFile.Outcome?
    ) async -> SavedFile.Outcome? {
        let save = state.withLock { state in
            if let running = state.saves[reference.key] { return running }
            let save = Task.detached { [self] in
                let outcome = await body()
                self.state.withLock { state in
                    state.saves[reference.key] = nil
                    // The status line shows other failures.
                    if outcome != nil || !state.isEnding { state.unsaved[reference.key] = nil }
                }
                return outcome
            }
            (state.saves[reference.key], state.unsaved[reference.key]) = (save, reference.name)
            return save
        }
        return await save.value
    }

    /// The end of the actions that run. From now on, nobody sees the status line.
    public func end() -> Task<Void, Never>? {
        state.withLock { state in
            state.isEnding = true
            return state.all
        }
    }

    /// The names of the GIFs whose saves run, or have failed since ``end()``.
    public var unsaved: [String] { state.withLock { $0.unsaved.values.sorted() } }
}
