import Base
import Catalog
import Fetching
import GIFDecode

/// One attempt to fetch a file of an item.
final class MediaAttempt: Sendable {
    /// The reason why the file cannot be played.
    enum Failure: Error, Sendable {
        /// The file is not animated.
        case still
        case failed(String)
    }

    let item: PlayItem
    let url: String
    /// Whether this file may be a still although another file of the item is animated.
    let mayBeStill: Bool
    private let download = Monitor<Download?>(nil)
    private let begun = ContinuousClock.now

    init(_ item: PlayItem, url: String, mayBeStill: Bool = false) {
        self.item = item
        self.url = url
        self.mayBeStill = mayBeStill
    }

    /// Whether no bytes have arrived yet, or the download is stalled.
    var isSilent: Bool {
        guard let progress = download.withLock({ $0 })?.progress else { return true }
        return progress.received == 0 || progress.isStalled
    }

    func hasStalled(for span: Duration) -> Bool { isSilent && ContinuousClock.now - begun >= span }

    /// Fetches the file until it is known to be animated.
    /// - Parameters:
    ///   - needsAllBytes: whether to wait also for all bytes of the file.
    ///   - startRetries: the maximum number of retries at the start of the download, as in `Download.Request`.
    func run(_ loader: GIFLoader, needsAllBytes: Bool, startRetries: Int?) async -> Result<FetchedItem, Failure> {
        guard case .reference(let reference) = item else {
            return await fetchAddress(loader, needsAllBytes: needsAllBytes)
        }
        let store = loader.store(for: reference)
        do throws(CommandError) {
            var content = try await loader.content(
                url, store, name: item.name, mayBeLocal: loader.mayBeLocal(url, of: reference),
                startRetries: startRetries
            ) { begun in self.download.withLock { $0 = begun } }
            guard await Self.isAnimated(content) else { return .failure(.still) }
            if case .download = content, store === loader.cache {
                // The credit is cached in a detached task, because the disk may be slow and the user waits for the
                // picture.
                let credit = Task.detached { loader.cacheCredit(of: reference, url: self.url) }
                if needsAllBytes { await credit.value }
            }
            if needsAllBytes { content = try await loader.waitForEnd(of: content, name: item.name) }
            return .success(FetchedItem(item: item, content: content))
        } catch {
            return .failure(.failed(error.message))
        }
    }

    private func fetchAddress(_ loader: GIFLoader, needsAllBytes: Bool) async -> Result<FetchedItem, Failure> {
        do throws(CommandError) {
            return .success(try await loader.fetch(item, needsAllBytes: needsAllBytes))
        } catch {
            return .failure(.failed(error.message))
        }
    }

    /// Returns whether the file is animated. Inspects the bytes as they arrive, and needs little more than the bytes of
    /// the first frame.
    private static func isAnimated(_ content: FetchedItem.Content) async -> Bool {
        var probe = AnimationProbe()
        guard case .download(let download) = content else {
            guard case .bytes(let bytes) = content else { return true }
            return probe.outcome(of: bytes, isEnd: true) == .animated
        }
        for await _ in download.changes() {
            if let outcome = probe.outcome(of: download.source.receivedBytes, isEnd: false) {
                return outcome == .animated
            }
        }
        return !Task.isCancelled && probe.outcome(of: download.source.receivedBytes, isEnd: true) == .animated
    }
}
