import Base
import Catalog

/// Supplies items without end, one at a time.
public protocol ItemFeed: Sendable {
    /// Whether items arrive at any time, so that no other one replaces a missing one.
    var waitsForItems: Bool { get }
    func waitingText(in language: Language) -> String
    /// Why the latest item was left out; nil if none was since the last good one.
    var problem: String? { get }
    /// The time of the next automatic attempt while there is no connection; otherwise nil.
    var retryTime: ContinuousClock.Instant? { get }

    /// Makes the attempt of ``retryTime`` now.
    func retryNow()

    /// Call this if the host of an item's file cannot be reached.
    func reportUnreachable()

    /// Returns the next item, and the failures of the sources that could not provide it.
    func next() async throws(Failure) -> ResultPage
}

extension ItemFeed {
    public var retryTime: ContinuousClock.Instant? { nil }
    public var waitsForItems: Bool { false }
    public var problem: String? { nil }

    public func retryNow() {}

    public func reportUnreachable() {}
}

/// Supplies random GIFs.
extension RandomFeed: ItemFeed {
    public nonisolated func retryNow() { Task { await reconnectNow() } }

    public nonisolated func waitingText(in language: Language) -> String {
        language(en: "looking for a GIF…", de: "suche ein GIF …")
    }

    public nonisolated func reportUnreachable() { Task { await checkConnection() } }

    public func next() async throws(Failure) -> ResultPage {
        let reference = try await nextReference()
        return ResultPage(items: [reference], sourceFailures: failures)
    }
}
