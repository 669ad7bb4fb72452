import Catalog

/// The operations that the runtime runs in tasks. They post their results to the inbox.
struct Errands: Sendable {
    let services: GalleryServices
    let inbox: Inbox

    // MARK: - Listings

    func load(_ feed: Feed, _ page: PageToken?, ticket: Int, isRetry: Bool) async {
        if isRetry { await services.listings.liftCooldowns() }
        let found: ResultPage
        do throws(CatalogError) {
            found = try await services.listings.page(of: feed, after: page)
        } catch {
            // A cancelled load needs no answer.
            if error != .cancelled { inbox.post(.loaded(ticket: ticket, .failure(error))) }
            return
        }
        await tellMarks(of: found.items)
        inbox.post(.loaded(ticket: ticket, .success(found)))
        // Built-in samples are a substitute if no service answered. They must not replace a stored answer of a service.
        guard found.items.contains(where: { $0.cachePolicy != .embedded }) else { return }
        await write { (store, now) async throws(StoreError) in
            try await store.keep(found, of: feed, isFirst: page == nil, at: now)
        }
    }

    func recall(_ feed: Feed, ticket: Int) async {
        guard let store = services.store else { return inbox.post(.recalled(ticket: ticket, nil)) }
        do throws(StoreError) {
            let kept = try await store.listing(feed)
            await tellMarks(of: kept?.items ?? [])
            inbox.post(.recalled(ticket: ticket, kept))
        } catch {
            inbox.post(.recalled(ticket: ticket, nil))
            inbox.post(.told(.storeFailed(reason: error.words)))
        }
    }

    /// Posts the marks of the items. Called before the items are posted, so that no "not yet seen" dot is drawn and
    /// removed at once.
    private func tellMarks(of items: [GIFReference]) async {
        guard let store = services.store, !items.isEmpty else { return }
        guard let marks = try? await store.marks(of: items.map(\.key)), !marks.isEmpty else { return }
        inbox.post(.marked(marks))
    }

    func turn(ticket: Int) async {
        do throws(CatalogError) {
            inbox.post(.turned(ticket: ticket, .success(try await services.listings.atRandom())))
        } catch {
            inbox.post(.turned(ticket: ticket, .failure(error)))
        }
    }

    // MARK: - Writing

    func write(_ body: @Sendable (any GalleryStore, Int) async throws(StoreError) -> Void) async {
        guard let store = services.store else { return }
        do throws(StoreError) {
            try await body(store, services.seconds())
        } catch {
            // A cancelled task belongs to a listing that the user has left; its store errors are not worth a message.
            guard !Task.isCancelled else { return }
            inbox.post(.told(.storeFailed(reason: error.words)))
        }
    }

    // MARK: - Desktop actions

    func save(_ reference: GIFReference) async {
        let bytes: [UInt8]
        do throws(MediaError) {
            bytes = try await services.media.bytes(
                of: reference, filling: .init(width: 1, height: 1), isOriginal: true, arrived: { _ in })
        } catch {
            if case .failed(let reason) = error { inbox.post(.told(.saveFailed(reason: reason))) }
            return
        }
        do throws(DeskError) {
            inbox.post(.told(.saved(path: try await services.desk.save(bytes, of: reference))))
        } catch {
            inbox.post(.told(.saveFailed(reason: error.reason)))
        }
    }

    func copy(_ text: String, _ message: Message) async {
        inbox.send(await services.desk.copy(text))
        inbox.post(.told(message))
    }

    /// If opening took at least this long, the browser ran in the foreground until the user closed it. That is not
    /// worth a message.
    private static let openingSeconds = 10

    func open(_ address: String) async {
        inbox.post(.told(.opening))
        let start = services.seconds()
        do throws(DeskError) {
            try await services.desk.open(address)
            if services.seconds() - start < Self.openingSeconds { inbox.post(.told(.opened)) }
        } catch {
            inbox.post(.told(.openFailed(reason: error.reason)))
        }
    }
}

extension StoreError {
    /// The cause of the error, with the path if the error has one.
    fileprivate var words: String {
        switch self {
        case .cannotOpen(let path, let reason): "\(path): \(reason)"
        case .failed(let reason): reason
        case .damaged(let path, let reason): "\(path): \(reason)"
        case .tooNew(let path): "\(path) is of a newer gifplay"
        }
    }
}
