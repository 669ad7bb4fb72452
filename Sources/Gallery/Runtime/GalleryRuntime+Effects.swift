import Base
import Catalog
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
