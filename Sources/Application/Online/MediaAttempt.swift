import Base
import Catalog
import Fetching
import GIFDecode

/// One attempt to fetch a file of an item.
final class MediaAttempt: Sendable {
    /// Why the file cannot be played.
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
    ///   - isWhole: also waits for all bytes.
    ///   - startRetries: as in `Download.Request`.
    func run(_ online: Online, isWhole: Bool, startRetries: Int?) async -> Result<Fetched, Failure> {
        guard case .reference(let reference) = item else { return await runAddress(online, isWhole: isWhole) }
        let store = online.store(for: reference)
        do throws(Complaint) {
            var content = try await online.content(
                url, store, name: item.name, isUsersOwn: online.isOwn(url, of: reference), startRetries: startRetries
            ) { begun in self.download.withLock { $0 = begun } }
            guard await Self.isAnimated(content) else { return .failure(.still) }
            if case .download = content, store === online.cache {
                // In a detached task, because the disk may be slow and the user waits for the picture.
                let credit = Task.detached { online.keepCredit(of: reference, url: self.url) }
                if isWhole { await credit.value }
            }
            if isWhole { content = try await online.settled(content, name: item.name) }
            return .success(Fetched(item: item, content: content))
        } catch {
            return .failure(.failed(error.sentence))
        }
    }

    private func runAddress(_ online: Online, isWhole: Bool) async -> Result<Fetched, Failure> {
        do throws(Complaint) {
            return .success(try await online.fetch(item, isWhole: isWhole))
        } catch {
            return .failure(.failed(error.sentence))
        }
    }

    /// Inspects the bytes as they arrive until they show whether the file is animated.
    ///
    /// This takes little more than the bytes of the first frame.
    private static func isAnimated(_ content: Fetched.Content) async -> Bool {
        var probe = AnimationProbe()
        guard case .download(let download) = content else {
            guard case .bytes(let bytes) = content else { return true }
            return probe.verdict(of: bytes, isEnd: true) == .animated
        }
        for await _ in download.changes() {
            if let verdict = probe.verdict(of: download.source.arrived, isEnd: false) { return verdict == .animated }
        }
        return !Task.isCancelled && probe.verdict(of: download.source.arrived, isEnd: true) == .animated
    }
}
