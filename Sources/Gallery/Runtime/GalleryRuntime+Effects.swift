import Catalog

/// Performs the effects that the state requests. Operations that can block run in tasks.
extension GalleryRuntime {
    func perform(_ effect: GalleryEffect) {
        let tasks = tasks
        switch effect {
        case .load(let feed, let page, let ticket, let isRetry):
            loads[ticket] = Task.detached { await tasks.load(feed, page, ticket: ticket, isRetry: isRetry) }
        case .loadStored(let feed, let ticket):
            // Wait for pending writes, so that the favourites include a GIF that was added just now.
            let before = lastWrite
            Task.detached {
                await before?.value
                await tasks.loadStored(feed, ticket: ticket)
            }
        case .cancel(let ticket): loads.removeValue(forKey: ticket)?.cancel()
        case .show(let requests): setRequests(requests)
        case .loadRandom(let ticket): Task.detached { await tasks.loadRandom(ticket: ticket) }
        case .setFavourite, .markViewed, .setDismissed: queueWrite(effect)
        case .save(let reference): Task.detached { await tasks.save(reference) }
        case .copyLink(let reference): copy(reference.pageURL, .linkCopied)
        case .copyAddress(let reference): copy(reference.renditions.first?.url, .addressCopied)
        case .openPage(let reference):
            if let address = reference.pageURL { Task.detached { await tasks.open(address) } }
        case .redraw: redraw()
        case .quit(let signal): end = signal.map { .interrupted(signal: $0) } ?? .quit
        }
    }

    private func copy(_ text: String?, _ message: GalleryMessage) {
        guard let text else { return }
        let tasks = tasks
        Task.detached { await tasks.copy(text, message) }
    }

    /// Queues a write of marks to the store. These writes run one after the other, in the order of the requests.
    private func queueWrite(_ effect: GalleryEffect) {
        let tasks = tasks
        let before = lastWrite
        unstored.withLock { $0.add(effect, 1) }
        lastWrite = Task.detached { [unstored] in
            await before?.value
            let isStored = await tasks.write { (store, now) async throws(StoreError) in
                switch effect {
                case .setFavourite(let reference, let isFavourite):
                    try await store.setFavourite(reference, isFavourite, at: now)
                case .markViewed(let reference): try await store.markViewed(reference, at: now)
                case .setDismissed(let references, let isDismissed):
                    try await store.setDismissed(references, isDismissed, at: now)
                default: break
                }
            }
            if isStored { unstored.withLock { $0.add(effect, -1) } }
        }
    }
}
