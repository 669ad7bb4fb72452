import Base
import Fetching

/// One attempt to fetch a file of an item.
final class MediaAttempt: Sendable {
    let file: MediaFile
    private let download = Monitor<Download?>(nil)
    private let begun: ContinuousClock.Instant

    init(_ file: MediaFile, begun: ContinuousClock.Instant) {
        self.file = file
        self.begun = begun
    }

    /// Whether the attempt is waiting for data: its first bytes have not arrived yet, or the download is stalled.
    var isSilent: Bool {
        guard let progress = download.withLock({ $0 })?.progress else { return true }
        return progress.received == 0 || progress.isStalled
    }

    func hasStalled(for span: Duration, at now: ContinuousClock.Instant) -> Bool { isSilent && now - begun >= span }

    /// Fetches the file, as in ``ItemLoading/fetch(_:needsAllBytes:startRetries:begun:)``.
    func run(
        _ loader: any ItemLoading, needsAllBytes: Bool, startRetries: Int?
    ) async -> Result<FetchedItem, CommandError> {
        do throws(CommandError) {
            return .success(
                try await loader.fetch(
                    file, needsAllBytes: needsAllBytes, startRetries: startRetries,
                    begun: { download in self.download.withLock { $0 = download } }))
        } catch {
            return .failure(error)
        }
    }
}
