import Base
import Catalog
import Fetching

/// Loads complete GIFs, for views that display many GIFs at once.
extension GIFLoader {
    /// The minimum time between two calls of `arrived` for one file, in milliseconds.
    private static let arrivalMilliseconds = 200

    /// Returns all bytes of a GIF, from the first available file in the order of `choice`. Tries at most four files.
    ///
    /// Cancelling the task ends the wait. If no other caller waits for the download, the download ends soon afterwards.
    /// - Parameter arrived: called with the bytes received so far, each time their number has grown by half.
    public func bytes(
        of reference: GIFReference, choice: RenditionChoice, arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(CommandError) -> [UInt8] {
        let item = PlayItem(reference)
        if case .sample(let sample) = item { return Array(sample.bytes) }
        let store = store(for: reference)
        let files = Self.fileURLs(of: reference, choice)
        // Offline, any stored file of the GIF is good enough.
        var cached: [UInt8]? { files.lazy.compactMap { store.read($0.url) }.first }
        if settings.isOffline, let cached { return cached }
        var failure = noFileError(of: reference)
        for (url, mayBeStill) in files.prefix(4) {
            do throws(CommandError) {
                let bytes = try await sharedBytes(url, store, reference, name: item.name, arrived: arrived)
                guard mayBeStill, !Self.isAnimated(.bytes(bytes)) else { return bytes }
                throw CommandError("\(item.name): not animated", mediaFailure: .notAnimated)
            } catch {
                failure = error
            }
            guard !Task.isCancelled else { throw failure }
        }
        if let cached { return cached }
        throw failure
    }

    /// Callers that request the same file at the same time share one download.
    private func sharedBytes(
        _ url: String, _ store: any MediaStore, _ reference: GIFReference, name: String,
        arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(CommandError) -> [UInt8] {
        let key = SharedFetches.Key(url: url, mayBeLocal: mayBeLocal(url, of: reference), mayBeCached: store === cache)
        return try await sharedFetches.bytes(key, arrived: arrived) { [self] arrived in
            do throws(CommandError) {
                return .success(try await fetchBytes(url, store, reference, name: name, arrived: arrived))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    private func fetchBytes(
        _ url: String, _ store: any MediaStore, _ reference: GIFReference, name: String,
        arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(CommandError) -> [UInt8] {
        let content = try await content(url, store, name: name, mayBeLocal: mayBeLocal(url, of: reference))
        guard case .download(let download) = content else { return try await allBytes(of: content, name: name) }
        let watcher = Task { [clock] in await Self.watch(download, clock, arrived) }
        defer { watcher.cancel() }
        let bytes = try await allBytes(of: content, name: name)
        if store === cache { cacheCredit(of: reference, url: url) }
        return bytes
    }

    private func allBytes(of content: FetchedItem.Content, name: String) async throws(CommandError) -> [UInt8] {
        guard case .bytes(let bytes) = try await waitForEnd(of: content, name: name) else { return [] }
        return bytes
    }

    /// Reports the received bytes each time their number has grown by half.
    private static func watch(
        _ download: Download, _ clock: any WaitClock, _ arrived: @Sendable ([UInt8]) -> Void
    ) async {
        var reported = 8 << 10
        var last = clock.milliseconds
        for await _ in download.changes() where download.progress.received > reported + reported / 2 {
            let remaining = last + arrivalMilliseconds - clock.milliseconds
            if remaining > 0 { guard (try? await clock.wait(milliseconds: remaining)) != nil else { return } }
            let progress = download.progress
            guard progress.state == .running else { return }
            (reported, last) = (progress.received, clock.milliseconds)
            arrived(download.source.receivedBytes)
        }
    }
}
