import Base
import Catalog
import Library
import Playback

/// Performs the effects that the state requests. Operations that can block run in tasks.
extension GalleryRuntime {
    func perform(_ effect: GalleryEffect) {
        let tasks = tasks
        switch effect {
        case .load(let feed, let page, let ticket, let isRetry):
            loads[ticket] = Task.detached { await tasks.load(feed, page, ticket: ticket, isRetry: isRetry) }
        case .loadStored(let feed, let ticket):
            // Wait for pending writes, so that the favourites include a GIF that was added just now.
            let before = writes.last
            loads[ticket] = Task.detached {
                await before?.value
                await tasks.loadStored(feed, ticket: ticket)
            }
        case .cancel(let ticket): loads.removeValue(forKey: ticket)?.cancel()
        case .show(let requests): setRequests(requests)
        case .suggest(let prefix, let ticket):
            loads[ticket] = Task.detached { await tasks.suggest(prefix, ticket: ticket) }
        case .markViewed(let reference):
            tasks.services.reportUse(.view, reference)
            store(effect)
        case .setFavourite, .setDismissed: store(effect)
        case .storeSide(let isOn):
            writes.add {
                await tasks.storeSide(isOn)
                return true
            }
        case .act(let action, let references):
            if [.copyLink, .copyAddress, .copyFile].contains(action) {
                for reference in references { tasks.services.reportUse(.share, reference) }
            }
            tasks.items.start(action, on: references)
        case .pick(let references): pick(references)
        case .sort(let order): tasks.services.listings.sort(by: order)
        case .playRandom: playRandom()
        case .redraw: redraw()
        case .quit(let signal): end = signal.map { .interrupted(signal: $0) } ?? .quit
        }
    }

    private func store(_ effect: GalleryEffect) {
        writes.add(UnstoredMarks(effect)) { [tasks] in await tasks.store(effect) }
    }

    /// Ends the gallery with the GIFs that the user has picked. Pickers of files get the paths of their saved files, as all
    /// do for built-in GIFs, which have no other address.
    private func pick(_ references: [GIFReference]) {
        let isFile = state.options.picker == .file
        guard references.contains(where: { $0.path == nil && (isFile || $0.isBuiltIn) }) else {
            end = .picked(references.map { PickedGIF(reference: $0, path: $0.path) })
            return
        }
        let tasks = tasks
        Task.detached {
            var picks: [PickedGIF] = []
            for reference in references {
                var path = reference.path
                if isFile || reference.isBuiltIn {
                    path = await tasks.items.savedPath(of: reference)
                    guard path != nil else { return }
                }
                picks.append(PickedGIF(reference: reference, path: path))
            }
            tasks.inbox.post(.savedPicks(picks))
        }
    }
}

/// The queue of the writes of marks to the library, of the gallery or of a player. They run one after the other, in the
/// order of the requests.
public final class MarkWrites: Sendable {
    private struct State {
        var last: Task<Void, Never>?
        var unstored = UnstoredMarks()
    }

    private let state = Monitor(State())

    public init() {}

    /// The last queued write; nil if there was none.
    public var last: Task<Void, Never>? { state.withLock { $0.last } }
    /// The marks whose write is pending or has failed.
    public var unstored: UnstoredMarks { state.withLock { $0.unstored } }

    /// - Parameters:
    ///   - marks: what the write stores, if its loss must be reported.
    ///   - body: returns whether everything is stored.
    public func add(_ marks: UnstoredMarks = UnstoredMarks(), _ body: @escaping @Sendable () async -> Bool) {
        state.withLock { state in
            state.unstored.add(marks)
            state.last = Task.detached { [self, before = state.last] in
                await before?.value
                if await body() { self.state.withLock { $0.unstored.add(marks, sign: -1) } }
            }
        }
    }
}

/// Numbers of changes, for each kind of mark. A change sets or removes a mark.
public struct UnstoredMarks: Equatable, Sendable {
    public private(set) var favourites = 0
    public private(set) var viewed = 0
    public private(set) var dismissed = 0

    public init(favourites: Int = 0, dismissed: Int = 0) { (self.favourites, self.dismissed) = (favourites, dismissed) }

    init(_ effect: GalleryEffect) {
        switch effect {
        case .setFavourite(let references, _): favourites = references.count
        case .markViewed: viewed = 1
        case .setDismissed(let references, _): dismissed = references.count
        default: break
        }
    }

    public var isEmpty: Bool { self == UnstoredMarks() }

    fileprivate mutating func add(_ other: UnstoredMarks, sign: Int = 1) {
        favourites += sign * other.favourites
        viewed += sign * other.viewed
        dismissed += sign * other.dismissed
    }
}

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

/// A queue of events from tasks to the thread that owns the state.
final class Inbox: Sendable {
    private let events = Monitor<[GalleryEvent]>([])
    private let sequences = Monitor<[String]>([])
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func post(_ event: GalleryEvent) {
        events.withLock { $0.append(event) }
        wake()
    }

    /// Queues an escape sequence that the runtime sends to the terminal separately from the screen.
    func send(_ sequence: String) {
        sequences.withLock { $0.append(sequence) }
        wake()
    }

    func takeSequences() -> [String] { sequences.exchange(for: []) }

    func take() -> [GalleryEvent] { events.exchange(for: []) }
}
