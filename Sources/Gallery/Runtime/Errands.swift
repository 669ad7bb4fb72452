import Catalog

/// What the runtime does in tasks: each errand asks somebody and tells the inbox what came of it.
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
            // Whoever cancels it does not wait for an answer.
            if error != .cancelled { inbox.post(.loaded(ticket: ticket, .failure(error))) }
            return
        }
        await tellMarks(of: found.items)
        inbox.post(.loaded(ticket: ticket, .success(found)))
        // What is carried stands in where no service answered: it must not replace what one did.
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

    /// Before the items themselves, so that no dot is drawn that goes at once.
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
            // Whoever went on to other words does not want to hear that the old ones are not kept.
            guard !Task.isCancelled else { return }
            inbox.post(.told(.storeFailed(reason: error.words)))
        }
    }

    // MARK: - The desk

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

    /// A browser that stayed in the foreground for longer was closed by the user, which is not worth a message.
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
    /// The evidence, without the sentence around it.
    fileprivate var words: String {
        switch self {
        case .cannotOpen(let path, let reason): "\(path): \(reason)"
        case .failed(let reason): reason
        case .damaged(let path, let reason): "\(path): \(reason)"
        case .tooNew(let path): "\(path) is of a newer gifplay"
        }
    }
}
