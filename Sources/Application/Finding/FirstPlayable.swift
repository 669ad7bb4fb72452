import Base
import Catalog
import Fetching

/// One run of a ``NextItemFinder``: races the downloads of candidates until one can be played.
final class FirstPlayable {
    /// The number of tried files after which a built-in sample is used, unless the stream is endless.
    private static let maximumAttempts = 9
    /// On a slow connection, more simultaneous downloads would delay each other.
    private static let maximumDownloads = 2

    private struct Attempt {
        /// Nil if the attempt requests further candidates.
        var download: MediaAttempt?
        var task: Task<Outcome, Never>
    }

    private enum Outcome: Sendable {
        case batch(Result<CandidateBatch, CommandError>)
        case media(Result<FetchedItem, CommandError>)
    }

    private let finder: NextItemFinder
    private let loader: any ItemLoading
    private let budget: TimeBudget?
    private var queue: CandidateQueue
    private var running: [Int: Attempt] = [:]
    private var attempts = 0
    private var fetched: FetchedItem?
    /// The items whose silent downloads were cancelled in favour of others.
    private var displaced: [PlayItem] = []

    init(_ finder: NextItemFinder, _ loader: any ItemLoading) {
        self.finder = finder
        self.loader = loader
        budget =
            finder.stream?.hasAlternatives == true ? TimeBudget(NextItemFinder.budget, now: loader.health.now) : nil
        queue = CandidateQueue(finder.candidates, finder.stream, loader)
    }

    private var isEndless: Bool { finder.stream?.isEndless ?? false }
    private var isExact: Bool { if case .number = finder.choice { true } else { false } }
    private var isRequesting: Bool { running.values.contains { $0.download == nil } }
    private var downloads: [MediaAttempt] { running.sorted { $0.key < $1.key }.compactMap(\.value.download) }

    func run() async -> NextItem {
        let skipped = await queue.skip(to: finder.choice, within: budget)
        await finder.hedge.run(
            within: budget, begin: { await self.begin($0) },
            // Without a stream, the candidates are a fixed list. A slow download is then no reason to try the next one.
            isSilent: { self.finder.stream != nil && self.running[$0]?.download?.isSilent ?? true },
            whenSpent: { await self.useLocalItem() }, accept: { await self.accept($0, $1) })
        for attempt in running.values { attempt.task.cancel() }
        if fetched != nil {
            for download in downloads where download.hasStalled(for: finder.hedge.silence, at: loader.health.now()) {
                loader.health.recordStall(of: download.file.url)
            }
        }
        if case .sample? = fetched?.item { fetched?.reason = queue.failures.first }
        return NextItem(
            candidates: finder.candidates.count, skipped: skipped, fetched: fetched,
            // Items whose downloads did not end stay in the list, so that they can be tried again later.
            remaining: queue.remaining(after: fetched?.item, running: displaced + downloads.map(\.file.item)),
            failures: queue.failures)
    }

    // MARK: - Attempts

    /// Starts to fetch the next file, or requests more candidates if no file is left to try. If two downloads are
    /// running, the next one replaces the oldest.
    private func begin(_ number: Int) async -> Task<Outcome, Never>? {
        let mustReplace = downloads.count >= Self.maximumDownloads
        let replaced = mustReplace ? replaceableDownload : nil
        guard !mustReplace || replaced != nil else { return nil }
        let isExhausted = attempts >= Self.maximumAttempts && !isEndless
        let silent = downloads.filter(\.isSilent).map { URLAuthority.text($0.file.url) }
        let file = queue.nextFile(
            .init(
                allowsDownload: !isExhausted,
                // In random mode, a built-in sample must not replace a download that is only slow.
                allowsLocal: !isEndless || downloads.isEmpty, isRequesting: isRequesting, silentHosts: Set(silent)))
        guard let file else {
            return await requestBatchIfNeeded(number, within: isExhausted ? TimeBudget(.zero) : budget)
        }
        if let replaced { cancelDownload(replaced) }
        if !file.item.isLocal { attempts += 1 }
        let download = MediaAttempt(file, begun: loader.health.now())
        let task = Task { [loader, finder, isExact] in
            // Retry the start of the download only once if the search may choose another item instead.
            let retries = finder.stream == nil || isExact ? nil : 1
            return Outcome.media(await download.run(loader, needsAllBytes: finder.needsAllBytes, startRetries: retries))
        }
        running[number] = Attempt(download: download, task: task)
        return task
    }

    /// The number of the oldest download, if no download makes progress and the oldest one had time enough, which is
    /// until the download after it was silent too.
    private var replaceableDownload: Int? {
        guard downloads.allSatisfy(\.isSilent), let number = running.filter({ $0.value.download != nil }).keys.min(),
            running[number]?.download?.hasStalled(for: finder.hedge.silence * 2, at: loader.health.now()) == true
        else { return nil }
        return number
    }

    private func cancelDownload(_ number: Int) {
        guard let attempt = running.removeValue(forKey: number), let file = attempt.download?.file else { return }
        attempt.task.cancel()
        loader.health.recordStall(of: file.url)
        queue.note("\(URLAuthority.host(file.url)) sent no data")
        displaced.append(file.item)
    }

    private func requestBatchIfNeeded(_ number: Int, within budget: TimeBudget?) async -> Task<Outcome, Never>? {
        guard !isRequesting, queue.items.isEmpty, let stream = queue.stream else { return nil }
        if isEndless { await pauseAfterFailures() }
        let task = Task { Outcome.batch(await stream.outcome(within: budget)) }
        running[number] = Attempt(task: task)
        return task
    }

    /// Waits for 4 s after the fourth failure. Each further failure doubles the wait, up to 30 s.
    private func pauseAfterFailures() async {
        let count = queue.failures.count
        guard count > 3 else { return }
        try? await loader.clock.wait(milliseconds: min(30_000, 250 << min(count, 7)))
    }

    // MARK: - Outcomes

    /// - Returns: whether the search is over.
    private func accept(_ number: Int, _ outcome: Outcome) async -> Bool {
        let file = running.removeValue(forKey: number)?.download?.file
        switch outcome {
        case .batch(let batch): queue.add(batch)
        case .media(.success(let fetched)):
            self.fetched = fetched
            if let reference = file?.reference { loader.health.recordSuccess(of: .files(reference.provider)) }
            return true
        case .media(.failure(let failure)): if let file { fail(file, failure) }
        }
        return Task.isCancelled
    }

    private func fail(_ file: MediaFile, _ failure: CommandError) {
        guard let reference = file.reference else { return queue.failures.append(failure.message) }
        queue.note(failure.message)
        if case .transport(.unreachable)? = failure.mediaFailure { queue.stream?.reportUnreachable() }
        if failure.mediaFailure == .notAnimated {
            // A thumbnail can be a still although the original is animated, but not the other way round.
            if !file.mayBeStill { queue.dropFiles() }
            // If a source cannot tell which files are animated, a still is no failure of the source.
            if reference.renditions.allSatisfy(\.mayBeStill) {
                if finder.stream?.hasAlternatives != true { attempts -= 1 }
                return
            }
        }
        loader.health.recordFailedFile(of: reference.provider, failure.message)
        if !loader.health.isUsable(.files(reference.provider)) { queue.dropFiles() }
    }

    /// Ends the search with a built-in sample. Called when the budget is used up and no attempt makes progress.
    /// - Returns: whether the search is over.
    private func useLocalItem() async -> Bool {
        // A request for candidates that is still running returns built-in samples itself when its time is over.
        guard !isRequesting, !isEndless, let stream = queue.stream else { return false }
        queue.failures += downloads.map { "\(URLAuthority.host($0.file.url)) sent no data" }
        queue.add(await stream.outcome(within: TimeBudget(.zero)))
        guard let item = queue.removeFirstLocal() else { return false }
        fetched = FetchedItem(item: item, content: .local)
        return true
    }
}

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
