import Catalog
import Fetching

/// One search of a ``NextItemFinder``. Tracks tried files, failing sources and remaining items.
final class NextItemSearch {
    /// The number of failed files of a source after which the search continues with the next source.
    private static let failuresPerSource = 4
    /// The number of tried files after which a built-in sample is used.
    private static let maximumAttempts = 9

    private let finder: NextItemFinder
    private let loader: any ItemLoading
    private let budget: TimeBudget?
    private var result = NextItem()
    private var queue: [PlayItem]
    /// Items that were set aside, for example because their source is in `avoidedSources`. The search returns to them
    /// once, when no other item is left.
    private var deferred: [PlayItem] = []
    private var avoidedSources: Set<String> = []
    private var failuresBySource: [String: Int] = [:]
    /// The files of the latest item that have not been tried yet.
    private var files: [MediaAttempt] = []
    private var running: [Int: MediaAttempt] = [:]
    private var tasks: [Int: Task<Outcome, Never>] = [:]
    private var attempts = 0
    /// The sources of the results taken from `queue`. A request for local items avoids these sources.
    private var sources: Set<String> = []
    private var isRequesting = false
    private var hasTriedDeferred = false
    private var isAtEnd: Bool

    private enum Outcome: Sendable {
        case items(Result<ItemBatch, CommandError>)
        case media(Result<FetchedItem, CommandError>)
    }

    init(_ finder: NextItemFinder, _ loader: any ItemLoading, budget: TimeBudget?) {
        self.finder = finder
        self.loader = loader
        self.budget = budget
        queue = finder.candidates
        result.candidates = queue.count
        isAtEnd = finder.itemSource == nil
    }

    private var isEndless: Bool { finder.itemSource?.isEndless ?? false }
    private var wantsExactItem: Bool { if case .number = finder.choice { true } else { false } }

    func run() async -> NextItem {
        await finder.hedge.run(
            within: budget, begin: { await self.begin($0) },
            // Without an item source, the candidates are a fixed list. A slow download is then no reason to try the
            // next item.
            isSilent: { self.finder.itemSource != nil && self.running[$0]?.isSilent ?? true },
            whenSpent: { await self.useLocalItem() }, accept: { await self.accept($0, $1) })
        for task in tasks.values { task.cancel() }
        // Items whose downloads are still running stay in the list, so that they can be tried again later.
        result.remaining = unique(queue + files.prefix(1).map(\.file.item) + running.values.map(\.file.item) + deferred)
        if result.fetched != nil {
            for attempt in running.values where attempt.hasStalled(for: finder.hedge.silence) {
                loader.mediaHosts.recordStall(of: attempt.file.url)
            }
        }
        if case .sample? = result.fetched?.item {
            let reason = result.failures.first
            result.fetched?.reason = reason
        }
        return result
    }

    /// Returns the items without duplicates and without the fetched item.
    private func unique(_ items: [PlayItem]) -> [PlayItem] {
        var seen: Set<GIFKey> = []
        if case .reference(let reference)? = result.fetched?.item { seen.insert(reference.key) }
        return items.filter { item in
            guard case .reference(let reference) = item else { return true }
            return seen.insert(reference.key).inserted
        }
    }

    /// Removes the items before the chosen result from the queue.
    func skipToChoice() async {
        let first: Int
        switch finder.choice {
        case .first: return
        case .number(let number):
            while queue.count < number, await addBatch() {}
            if queue.count < number, !queue.isEmpty {
                result.failures.append("--pick \(number): there are only \(queue.count) results")
            }
            first = min(number - 1, queue.count)
        case .any:
            if queue.isEmpty { _ = await addBatch() }
            first = queue.isEmpty ? 0 : Int.random(in: 0..<queue.count)
        }
        result.skipped = Array(queue.prefix(first))
        queue.removeFirst(first)
        guard wantsExactItem else { return }
        deferred = Array(queue.dropFirst())
        queue = Array(queue.prefix(1))
        isAtEnd = true
        hasTriedDeferred = true
    }

    private func addBatch() async -> Bool {
        guard !isAtEnd else { return false }
        let count = queue.count
        add(await batchRequest(budget)())
        return queue.count > count
    }

    // MARK: - Starting files

    /// Starts to fetch the next file, or requests more items from the item source if no file is left to try.
    private func begin(_ number: Int) async -> Task<Outcome, Never>? {
        guard let attempt = nextAttempt() else { return await requestItemsIfNeeded(number) }
        if !attempt.file.item.isLocal { attempts += 1 }
        running[number] = attempt
        return track(
            number,
            Task { [loader, finder, wantsExactItem] in
                // Retry the start of the download only once if the search may choose another item instead.
                let retries = finder.itemSource == nil || wantsExactItem ? nil : 1
                return .media(await attempt.run(loader, needsAllBytes: finder.needsAllBytes, startRetries: retries))
            })
    }

    private func track(_ number: Int, _ task: Task<Outcome, Never>) -> Task<Outcome, Never> {
        tasks[number] = task
        return task
    }

    /// Whether the limit of attempts is reached. There is no limit for an endless item source.
    private var isExhausted: Bool { attempts >= Self.maximumAttempts && !isEndless }

    private func nextAttempt() -> MediaAttempt? {
        while true {
            while !isExhausted, let file = files.first {
                files.removeFirst()
                guard let reason = reasonToSkip(file.file) else { return file }
                note(reason)
            }
            if queue.isEmpty, isAtEnd, !isRequesting, !hasTriedDeferred {
                hasTriedDeferred = true
                (queue, deferred, avoidedSources) = (deferred, [], [])
            }
            // In random mode, a built-in sample must not replace a download that is only slow.
            guard let item = queue.first, running.isEmpty || !isEndless || !item.isLocal else { return nil }
            queue.removeFirst()
            guard case .reference(let reference) = item else { return MediaAttempt(MediaFile(item, url: item.address)) }
            sources.insert(reference.provider)
            if isExhausted || avoidedSources.contains(reference.provider) {
                deferred.append(item)
            } else {
                files = files(of: reference, item)
            }
        }
    }

    /// Returns the files of an item. If none of their hosts can be used now, returns no files, and adds the item to
    /// `deferred` and its source to `avoidedSources`.
    private func files(of reference: GIFReference, _ item: PlayItem) -> [MediaAttempt] {
        let files: [MediaFile]
        do throws(CommandError) { files = try loader.files(of: reference) } catch {
            note(error.message)
            return []
        }
        guard let reason = files.first.flatMap(reasonToSkip), files.allSatisfy({ reasonToSkip($0) != nil }) else {
            return files.map(MediaAttempt.init)
        }
        note(reason)
        avoidedSources.insert(reference.provider)
        deferred.append(item)
        return []
    }

    /// Returns the reason not to fetch a file now: its host is in cool-down, or a running attempt for another file of
    /// this host receives no data. Returns nil if there is no such reason, if the file is stored on this machine, or if
    /// it is not from a service.
    private func reasonToSkip(_ file: MediaFile) -> String? {
        let host = AddressName.authority(file.url)
        let isWaitedFor = running.values.contains { $0.isSilent && AddressName.authority($0.file.url) == host }
        let silence = isWaitedFor ? "\(AddressName.host(file.url)) sent no data" : nil
        guard let reason = loader.mediaHosts.coolDownReason(of: file.url) ?? silence,
            case .reference = file.item
        else { return nil }
        return loader.isStored(file) ? nil : reason
    }

    private func requestItemsIfNeeded(_ number: Int) async -> Task<Outcome, Never>? {
        guard !isRequesting, !isAtEnd, queue.isEmpty, finder.itemSource != nil else { return nil }
        isRequesting = true
        if isEndless { await pauseAfterFailures() }
        let request = isExhausted ? localItemRequest : batchRequest(budget)
        return track(number, Task { .items(await request()) })
    }

    /// Waits for 4 s after the fourth failure. Each further failure doubles the wait, up to 30 s.
    private func pauseAfterFailures() async {
        let count = result.failures.count
        guard count > 3 else { return }
        try? await loader.clock.wait(milliseconds: min(30_000, 250 << min(count, 7)))
    }

    // MARK: - Outcomes

    /// - Returns: whether the search is over.
    private func accept(_ number: Int, _ outcome: Outcome) async -> Bool {
        tasks[number] = nil
        let attempt = running.removeValue(forKey: number)
        switch outcome {
        case .items(let batch):
            isRequesting = false
            add(batch)
        case .media(.success(let fetched)):
            result.fetched = fetched
            return true
        case .media(.failure(let failure)):
            if let attempt { fail(attempt.file, failure) }
        }
        return Task.isCancelled
    }

    private func add(_ outcome: Result<ItemBatch, CommandError>) {
        switch outcome {
        case .success(let batch):
            for failure in batch.failures { note(failure) }
            queue += batch.items
            if batch.items.isEmpty { isAtEnd = true }
        case .failure(let error):
            result.failures.append(error.message)
            if !isEndless { isAtEnd = true }
        }
    }

    private func fail(_ file: MediaFile, _ failure: CommandError) {
        guard case .reference(let reference) = file.item else {
            result.failures.append(failure.message)
            return
        }
        note(failure.message)
        if failure.mediaFailure == .notAnimated {
            // A thumbnail can be a still although the original is animated. If the original is a still, so are its
            // thumbnails.
            if !file.mayBeStill { files = [] }
            // If a source cannot tell which of its files are animated, a still does not count as a failure of the
            // source.
            if reference.renditions.allSatisfy(\.mayBeStill) {
                if finder.itemSource?.hasAlternatives != true { attempts -= 1 }
                return
            }
        }
        failuresBySource[reference.provider, default: 0] += 1
        guard failuresBySource[reference.provider, default: 0] >= Self.failuresPerSource else { return }
        avoidedSources.insert(reference.provider)
        files = []
    }

    private func note(_ failure: String) {
        if !result.failures.contains(failure) { result.failures.append(failure) }
    }

    // MARK: - Requests

    private func batchRequest(_ budget: TimeBudget?) -> @Sendable () async -> Result<ItemBatch, CommandError> {
        batchRequest(avoiding: avoidedSources, budget)
    }

    /// Gets items that need no network, if the item source has any.
    private var localItemRequest: @Sendable () async -> Result<ItemBatch, CommandError> {
        batchRequest(avoiding: sources, TimeBudget(.zero))
    }

    private func batchRequest(
        avoiding avoidedSources: Set<String>, _ budget: TimeBudget?
    ) -> @Sendable () async -> Result<ItemBatch, CommandError> {
        { [itemSource = finder.itemSource] in
            do throws(CommandError) {
                let batch = try await itemSource?.nextBatch(avoiding: avoidedSources, within: budget)
                return .success(batch ?? ItemBatch())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Ends the search with a local item from the item source, if there is one. Called when the budget is used up and
    /// no attempt makes progress.
    /// - Returns: whether the search is over.
    private func useLocalItem() async -> Bool {
        // A request for items that is still running returns built-in samples itself when its time is over.
        guard !isRequesting, !isAtEnd, !isEndless else { return false }
        result.failures += running.values.map { "\(AddressName.host($0.file.url)) sent no data" }
        add(await localItemRequest())
        guard let index = queue.firstIndex(where: \.isLocal) else { return false }
        result.fetched = FetchedItem(item: queue.remove(at: index), content: .local)
        return true
    }
}
