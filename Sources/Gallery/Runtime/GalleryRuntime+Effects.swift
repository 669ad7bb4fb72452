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
            writes.add(effect, tasks)
        case .setFavourite, .setDismissed, .storeSide: writes.add(effect, tasks)
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

/// The queue of the writes of marks to the store. They run one after the other, in the order of the requests.
struct MarkWrites {
    private(set) var last: Task<Void, Never>?
    let unstored = Monitor(UnstoredMarks())

    mutating func add(_ effect: GalleryEffect, _ tasks: GalleryTasks) {
        unstored.withLock { $0.add(effect, 1) }
        last = Task.detached { [unstored, before = last] in
            await before?.value
            if case .storeSide(let isOn) = effect { return await tasks.storeSide(isOn) }
            let message = effect.storedMessage
            let isStored = await tasks.write(requiresStore: message != nil) { (store, now) async throws(Failure) in
                switch effect {
                case .setFavourite(let references, let isFavourite):
                    for reference in references { try await store.setFavourite(reference, isFavourite, at: now) }
                case .markViewed(let reference): try await store.markViewed(reference, at: now)
                case .setDismissed(let references, let isDismissed):
                    try await store.setDismissed(references, isDismissed, at: now)
                default: break
                }
            }
            guard isStored else { return }
            unstored.withLock { $0.add(effect, -1) }
            if let message { tasks.inbox.post(.reported(message)) }
        }
    }
}

extension GalleryEffect {
    /// The message that a mark is stored. It is not displayed before, because the process can be killed at any time.
    var storedMessage: GalleryMessage? {
        switch self {
        case .setFavourite(let references, let isFavourite): .favourite(isFavourite, count: references.count)
        case .setDismissed(let references, true): .dismissed(references.count)
        case .setDismissed(let references, false): .restored(references.count)
        default: nil
        }
    }
}

/// The number of changes that are not stored, for each kind of mark. A change sets or removes a mark.
public struct UnstoredMarks: Equatable, Sendable {
    public private(set) var favourites = 0
    public private(set) var viewed = 0
    public private(set) var dismissed = 0

    public var isEmpty: Bool { self == UnstoredMarks() }

    /// Increases the counts by the changes that the effect requests if `sign` is 1, and decreases them if `sign` is -1.
    mutating func add(_ effect: GalleryEffect, _ sign: Int) {
        switch effect {
        case .setFavourite(let references, _): favourites += sign * references.count
        case .markViewed: viewed += sign
        case .setDismissed(let references, _): dismissed += sign * references.count
        default: break
        }
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
