import Base
import Catalog
import Fetching

/// Complete GIFs, for views that display many at once.
extension Online {
    /// The minimum time between two calls of `arrived` for one file.
    private static let arrivalMilliseconds = 200

    /// Returns all bytes of a GIF, from the first available file in the order of `choice`. Tries at most four files.
    ///
    /// Cancelling the task ends the wait, and soon also the download if no other caller waits for it.
    /// - Parameter arrived: called with the bytes so far, each time their number has grown by half.
    public func bytes(
        of reference: GIFReference, choice: RenditionChoice, arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(Complaint) -> [UInt8] {
        let item = PlayItem(reference)
        if case .sample(let sample) = item { return Array(sample.bytes) }
        let store = store(for: reference)
        let places = Self.places(of: reference, choice)
        // Offline, any stored file of the GIF is good enough.
        var kept: [UInt8]? { places.lazy.compactMap { store.read($0.url) }.first }
        if settings.isOffline, let kept { return kept }
        var failure = noFile(of: reference)
        for (url, mayBeStill) in places.prefix(4) {
            do throws(Complaint) {
                let whole = try await shared(url, store, reference, name: item.name, arrived: arrived)
                guard mayBeStill, !Self.isAnimated(.bytes(whole)) else { return whole }
                throw Complaint("\(item.name): it does not move")
            } catch {
                failure = error
            }
            guard !Task.isCancelled else { throw failure }
        }
        if let kept { return kept }
        throw failure
    }

    /// Callers that ask for the same file at the same time share one download.
    private func shared(
        _ url: String, _ store: any MediaStore, _ reference: GIFReference, name: String,
        arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(Complaint) -> [UInt8] {
        let key = SharedFetches.Key(url: url, isUsersOwn: isOwn(url, of: reference), isKept: store === cache)
        return try await shared.bytes(key, arrived: arrived) { [self] arrived in
            do throws(Complaint) {
                return .success(try await whole(url, store, reference, name: name, arrived: arrived))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    private func whole(
        _ url: String, _ store: any MediaStore, _ reference: GIFReference, name: String,
        arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(Complaint) -> [UInt8] {
        let content = try await content(url, store, name: name, isUsersOwn: isOwn(url, of: reference))
        guard case .download(let download) = content else { return try await settledBytes(content, name: name) }
        let watcher = Task { [clock] in await Self.watch(download, clock, arrived) }
        defer { watcher.cancel() }
        let bytes = try await settledBytes(content, name: name)
        if store === cache { keepCredit(of: reference, url: url) }
        return bytes
    }

    private func settledBytes(_ content: Fetched.Content, name: String) async throws(Complaint) -> [UInt8] {
        guard case .bytes(let bytes) = try await settled(content, name: name) else { return [] }
        return bytes
    }

    /// Reports the received bytes each time their number has grown by half.
    private static func watch(
        _ download: Download, _ clock: any WaitClock, _ arrived: @Sendable ([UInt8]) -> Void
    ) async {
        var reported = 8 << 10
        var last = clock.milliseconds
        for await _ in download.changes() where download.progress.received > reported + reported / 2 {
            let left = last + arrivalMilliseconds - clock.milliseconds
            if left > 0 { guard (try? await clock.wait(milliseconds: left)) != nil else { return } }
            let progress = download.progress
            guard progress.state == .running else { return }
            (reported, last) = (progress.received, clock.milliseconds)
            arrived(download.source.arrived)
        }
    }
}
