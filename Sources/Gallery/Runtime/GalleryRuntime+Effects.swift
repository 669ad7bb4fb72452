import Catalog
import Playback

/// What the state asks for, carried out; everything that may wait does so in a task.
extension GalleryRuntime {
    func perform(_ effect: GalleryEffect) {
        switch effect {
        case .load(let feed, let page, let ticket): load(feed, page, ticket)
        case .recall(let feed, let ticket): recall(feed, ticket)
        case .cancel(let ticket): loads.removeValue(forKey: ticket)?.cancel()
        case .show(let requests): want(requests)
        case .save(let reference): save(reference)
        case .copyLink(let reference): copy(reference.pageURL, .linkCopied)
        case .copyAddress(let reference): copy(reference.renditions.first?.url, .addressCopied)
        case .openPage(let reference): open(reference)
        case .setFavourite(let reference, let isFavourite):
            write { store, now in try await store.setFavourite(reference, isFavourite, at: now) }
        case .noteViewed(let reference):
            write { store, now in try await store.noteViewed(reference, at: now) }
        case .setDismissed(let references, let isDismissed):
            write { store, now in try await store.setDismissed(references, isDismissed, at: now) }
        case .randomTurn(let ticket): randomTurn(ticket)
        case .redraw: redraw()
        case .suspend: break
        case .quit(let signal): end = signal.map { .interrupted(signal: $0) } ?? .quit
        }
    }

    // MARK: - Listings

    private func load(_ feed: Feed, _ page: PageToken?, _ ticket: Int) {
        loads[ticket] = Task.detached { [services, inbox] in
            do throws(CatalogError) {
                let found = try await services.listings.page(of: feed, after: page)
                inbox.post(.loaded(ticket: ticket, .success(found)))
                await Self.tellMarks(of: found.items, services, inbox)
                guard let store = services.store else { return }
                do throws(StoreError) {
                    try await store.keep(found, of: feed, isFirst: page == nil, at: services.seconds())
                } catch {
                    inbox.post(.told(.storeFailed(reason: error.words)))
                }
            } catch {
                guard error != .cancelled else { return }
                inbox.post(.loaded(ticket: ticket, .failure(error)))
            }
        }
    }

    private func recall(_ feed: Feed, _ ticket: Int) {
        guard let store = services.store else { return inbox.post(.recalled(ticket: ticket, nil)) }
        // Behind what is being written: a favourite of just now is among the favourites.
        let before = lastWrite
        Task.detached { [services, inbox] in
            await before?.value
            do throws(StoreError) {
                let kept = try await store.listing(feed)
                inbox.post(.recalled(ticket: ticket, kept))
                await Self.tellMarks(of: kept?.items ?? [], services, inbox)
            } catch {
                inbox.post(.recalled(ticket: ticket, nil))
                inbox.post(.told(.storeFailed(reason: error.words)))
            }
        }
    }

    private static func tellMarks(of items: [GIFReference], _ services: GalleryServices, _ inbox: Inbox) async {
        guard let store = services.store, !items.isEmpty else { return }
        guard let marks = try? await store.marks(of: items.map(\.key)) else { return }
        inbox.post(.marked(marks))
    }

    private func randomTurn(_ ticket: Int) {
        Task.detached { [services, inbox] in
            guard let reference = try? await services.listings.atRandom() else { return }
            inbox.post(.drawn(ticket: ticket, reference))
        }
    }

    // MARK: - Writing

    private func write(_ body: @escaping @Sendable (any GalleryStore, Int) async throws(StoreError) -> Void) {
        guard let store = services.store else { return }
        let before = lastWrite
        lastWrite = Task.detached { [services, inbox] in
            await before?.value
            do throws(StoreError) {
                try await body(store, services.seconds())
            } catch {
                inbox.post(.told(.storeFailed(reason: error.words)))
            }
        }
    }

    // MARK: - The desk

    private func save(_ reference: GIFReference) {
        Task.detached { [services, inbox] in
            do throws(MediaError) {
                let bytes = try await services.media.bytes(
                    of: reference, filling: .init(width: 1, height: 1), isOriginal: true, arrived: { _ in })
                do throws(DeskError) {
                    let path = try await services.desk.save(bytes, of: reference)
                    inbox.post(.told(.saved(path: path)))
                } catch {
                    inbox.post(.told(.saveFailed(reason: error.reason)))
                }
            } catch .failed(let reason) {
                inbox.post(.told(.saveFailed(reason: reason)))
            } catch {}
        }
    }

    private func copy(_ text: String?, _ message: Message) {
        guard let text else { return }
        Task.detached { [services, inbox] in
            let sequence = await services.desk.copy(text)
            inbox.post(.told(message))
            inbox.send(sequence)
        }
    }

    private func open(_ reference: GIFReference) {
        guard let address = reference.pageURL else { return }
        Task.detached { [services, inbox] in
            do throws(DeskError) {
                try await services.desk.open(address)
                inbox.post(.told(.opened))
            } catch {
                inbox.post(.told(.openFailed(reason: error.reason)))
            }
        }
    }
}

extension StoreError {
    /// The evidence, without the sentence around it.
    fileprivate var words: String {
        switch self {
        case .cannotOpen(let path, let reason): "\(path): \(reason)"
        case .failed(let reason): reason
        case .tooNew(let path): "\(path) is of a newer gifplay"
        }
    }
}
