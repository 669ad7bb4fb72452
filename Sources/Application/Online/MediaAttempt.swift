import Base
import Catalog
import Fetching
import GIFDecode

/// One file of an item, on its way.
final class MediaAttempt: Sendable {
    /// Why the file does not play.
    enum Failure: Error, Sendable {
        /// It was looked at, and is one picture.
        case still
        case failed(String)
    }

    let item: PlayItem
    let url: String
    /// Whether another file of the item may be animated where this one is not.
    let mayBeStill: Bool
    private let download = Monitor<Download?>(nil)
    private let begun = ContinuousClock.now

    init(_ item: PlayItem, url: String, mayBeStill: Bool = false) {
        self.item = item
        self.url = url
        self.mayBeStill = mayBeStill
    }

    /// Whether nothing of it has come, or nothing for a while.
    var isSilent: Bool {
        guard let progress = download.withLock({ $0 })?.progress else { return true }
        return progress.received == 0 || progress.isStalled
    }

    func hasStalled(for span: Duration) -> Bool { isSilent && ContinuousClock.now - begun >= span }

    /// Waits until the file is known to be animated.
    /// - Parameter isWhole: waits for all of its bytes too.
    func run(_ online: Online, isWhole: Bool, startRetries: Int?) async -> Result<Fetched, Failure> {
        guard case .reference(let reference) = item else { return await runAddress(online, isWhole: isWhole) }
        let store = online.store(for: reference)
        do throws(Complaint) {
            var content = try await online.content(
                url, store, name: item.name, isUsersOwn: online.isOwn(url, of: reference), startRetries: startRetries
            ) { begun in self.download.withLock { $0 = begun } }
            guard await Self.isAnimated(content) else { return .failure(.still) }
            if case .download = content, store === online.cache {
                // Aside, because a disk may be slow and somebody waits for the picture.
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

    /// Looks at the bytes as they arrive until the answer is clear, which takes little more than the first frame.
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
