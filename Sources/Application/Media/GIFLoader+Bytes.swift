import Base
import Catalog
import Pixels

/// Loads complete GIFs, for views that display many GIFs at once.
extension GIFLoader {
    /// The minimum time between two calls of `arrived` for one file, in milliseconds.
    private static let arrivalMilliseconds = 200
    /// As ``arrivalMilliseconds``, for calls that report only the progress.
    private static let progressMilliseconds = 500

    /// Returns all bytes of the first file that can be loaded, of at most four in the order of `choice`.
    ///
    /// One second after the caller's task is cancelled, cancels the download, unless another caller waits for it.
    /// - Parameter arrived: called with the bytes so far each time they have grown by 50 percent, at most every 200 ms, and
    ///   with the progress twice a second.
    public func bytes(
        of reference: GIFReference, choice: RenditionChoice, arrived: @escaping @Sendable (PartialFile) -> Void
    ) async throws(Failure) -> [UInt8] {
        if case .sample(let sample) = reference.origin { return Array(sample.bytes) }
        let files = Self.files(of: reference, choice)
        // If gifplay is offline, or if no file can be loaded, use any file of this GIF that is already in the store.
        var cached: [UInt8]? { files.lazy.compactMap { self.storedBytes($0.url, of: reference) }.first }
        if session.settings.isOffline, let cached { return cached }
        var failure = noFileError(of: reference)
        for file in files.prefix(Self.maximumFiles) {
            do throws(Failure) {
                let bytes = try await sharedBytes(file, reference, arrived)
                if file.mayBeStill, BlockWalk(bytes).kind != .animated { throw .notAnimated }
                return bytes
            } catch {
                failure = error
            }
            guard !Task.isCancelled else { throw failure }
        }
        if let cached { return cached }
        throw failure
    }

    private func sharedBytes(
        _ file: Rendition, _ reference: GIFReference, _ arrived: @escaping @Sendable (PartialFile) -> Void
    ) async throws(Failure) -> [UInt8] {
        let key = SharedFetches.Key(
            url: file.url, mayBeLocal: mayBeLocal(file.url, of: reference), mayBeCached: isCached(reference))
        return try await sharedFetches.bytes(key, arrived: arrived) { [self] arrived in
            await Result(of: { () async throws(Failure) in try await fetchBytes(file.url, reference, arrived) })
        }.get()
    }

    private func fetchBytes(
        _ url: String, _ reference: GIFReference, _ arrived: @escaping @Sendable (PartialFile) -> Void
    ) async throws(Failure) -> [UInt8] {
        let fetched = try await content(url, of: reference, mayBeLocal: mayBeLocal(url, of: reference))
        let watcher = fetched.download.map { download in
            Task { [clock] in await Self.watch(download, clock, arrived) }
        }
        defer { watcher?.cancel() }
        let bytes = try await withAllBytes(fetched).content ?? []
        if isCached(reference), fetched.download?.mayOutliveRun == true { cacheCredit(of: reference, url: url) }
        return bytes
    }

    /// Reports the received bytes when they have grown by 50 percent, from 12 KiB on, and the progress twice a second.
    private static func watch(
        _ download: Download, _ clock: any WaitClock, _ arrived: @Sendable (PartialFile) -> Void
    ) async {
        var reported = 8 << 10
        var last = clock.milliseconds
        for await _ in download.changes() {
            let isGrown = download.progress.received > reported + reported / 2
            guard isGrown || clock.milliseconds - last >= progressMilliseconds else { continue }
            let remaining = last + arrivalMilliseconds - clock.milliseconds
            if remaining > 0 { guard (try? await clock.wait(milliseconds: remaining)) != nil else { return } }
            let progress = download.progress
            guard progress.state == .running else { return }
            last = clock.milliseconds
            arrived(PartialFile(progress, bytes: isGrown ? download.source.receivedBytes : nil))
            if isGrown { reported = progress.received }
        }
    }
}
