import Catalog
import Fetching

/// Finds the next playable item for one ``Hunt``, and tracks tried files, failing sources and remaining items.
final class NextItemFinder {
    /// After this many failed files of a source, the finder continues with the next source.
    private static let failuresPerSource = 4
    /// After this many tried files, a built-in sample is used instead.
    private static let mostAttempts = 9

    private let hunt: Hunt
    private let online: Online
    private let budget: TimeBudget?
    private var found = Found()
    private var queue: [PlayItem]
    /// Items that were set aside, mostly of sources in `givenUp`. They are tried once more when nothing else is left.
    private var deferred: [PlayItem] = []
    private var givenUp: Set<String> = []
    private var failuresBySource: [String: Int] = [:]
    /// The files of the latest item that are still to try.
    private var files: [MediaAttempt] = []
    private var running: [Int: MediaAttempt] = [:]
    private var tasks: [Int: Task<Outcome, Never>] = [:]
    private var attempts = 0
    /// Every source that an item came from.
    private var sources: Set<String> = []
    private var isAsking = false
    private var hasTriedDeferred = false
    private var isAtEnd: Bool

    private enum Outcome: Sendable {
        case items(Result<SupplyBatch, Complaint>)
        case media(Result<Fetched, MediaAttempt.Failure>)
    }

    init(_ hunt: Hunt, _ online: Online, budget: TimeBudget?) {
        self.hunt = hunt
        self.online = online
        self.budget = budget
        queue = hunt.candidates
        found.candidates = queue.count
        isAtEnd = hunt.supply == nil
    }

    private var isEndless: Bool { hunt.supply?.isEndless ?? false }
    private var wantsOneAlone: Bool { if case .number = hunt.choice { true } else { false } }

    func run() async -> Found {
        await hunt.hedge.run(
            within: budget, begin: { await self.begin($0) },
            // Without a supply, the user listed the items: a slow one is not overtaken by the next.
            isSilent: { self.hunt.supply != nil && self.running[$0]?.isSilent ?? true },
            whenSpent: { await self.standIn() }, accept: { await self.accept($0, $1) })
        for task in tasks.values { task.cancel() }
        // Items that were slower than the winner are tried again later.
        found.remaining = unique(queue + files.prefix(1).map(\.item) + running.values.map(\.item) + deferred)
        if found.fetched != nil {
            for attempt in running.values where attempt.hasStalled(for: hunt.hedge.silence) {
                online.mediaHosts.noteStall(of: attempt.url)
            }
        }
        if case .sample? = found.fetched?.item {
            let reason = found.failures.first
            found.fetched?.reason = reason
        }
        return found
    }

    /// Removes duplicates and the fetched item.
    private func unique(_ items: [PlayItem]) -> [PlayItem] {
        var seen: Set<GIFKey> = []
        if case .reference(let reference)? = found.fetched?.item { seen.insert(reference.key) }
        return items.filter { item in
            guard case .reference(let reference) = item else { return true }
            return seen.insert(reference.key).inserted
        }
    }

    /// Skips the items before the chosen result.
    func skipToChoice() async {
        let first: Int
        switch hunt.choice {
        case .first: return
        case .number(let number):
            while queue.count < number, await moreForChoice() {}
            if queue.count < number, !queue.isEmpty {
                found.failures.append("there are only \(queue.count) results; --pick \(number) is none of them")
            }
            first = min(number - 1, queue.count)
        case .any:
            if queue.isEmpty { _ = await moreForChoice() }
            first = queue.isEmpty ? 0 : Int.random(in: 0..<queue.count)
        }
        found.skipped = Array(queue.prefix(first))
        queue.removeFirst(first)
        guard wantsOneAlone else { return }
        deferred = Array(queue.dropFirst())
        queue = Array(queue.prefix(1))
        isAtEnd = true
        hasTriedDeferred = true
    }

    private func moreForChoice() async -> Bool {
        guard !isAtEnd else { return false }
        let count = queue.count
        take(await asking(budget)())
        return queue.count > count
    }

    // MARK: - Beginning

    /// Begins the next file, or gets more items from the supply if no file is left to try.
    private func begin(_ number: Int) async -> Task<Outcome, Never>? {
        guard let attempt = nextAttempt() else { return await askIfNeeded(number) }
        if !attempt.item.isLocal { attempts += 1 }
        running[number] = attempt
        return keep(
            number,
            Task { [online, hunt, wantsOneAlone] in
                // If there are alternatives, trying another file is better than retrying this one more than once.
                let retries = hunt.supply == nil || wantsOneAlone ? nil : 1
                return .media(await attempt.run(online, isWhole: hunt.isWhole, startRetries: retries))
            })
    }

    private func keep(_ number: Int, _ task: Task<Outcome, Never>) -> Task<Outcome, Never> {
        tasks[number] = task
        return task
    }

    /// Whether the limit of attempts is reached. There is no limit for an endless supply.
    private var isExhausted: Bool { attempts >= Self.mostAttempts && !isEndless }

    private func nextAttempt() -> MediaAttempt? {
        while true {
            while !isExhausted, let file = files.first {
                files.removeFirst()
                guard let reason = reasonAgainst(file) else { return file }
                note(reason)
            }
            if queue.isEmpty, isAtEnd, !isAsking, !hasTriedDeferred {
                hasTriedDeferred = true
                (queue, deferred, givenUp) = (deferred, [], [])
            }
            // Samples are part of the random feed, but they do not replace a download that is only slow.
            guard let item = queue.first, running.isEmpty || !isEndless || !item.isLocal else { return nil }
            queue.removeFirst()
            guard case .reference(let reference) = item else { return MediaAttempt(item, url: item.address) }
            sources.insert(reference.provider)
            if isExhausted || givenUp.contains(reference.provider) {
                deferred.append(item)
            } else {
                files = files(of: reference, item)
            }
        }
    }

    /// Returns the files of an item. If none of their hosts can be used now, returns none, sets the item aside and
    /// gives up its source for now.
    private func files(of reference: GIFReference, _ item: PlayItem) -> [MediaAttempt] {
        let files = Online.places(of: reference, online.settings.renditions).prefix(4)
            .map { MediaAttempt(item, url: $0.url, mayBeStill: $0.mayBeStill) }
        guard let first = files.first else {
            note(online.noFile(of: reference).sentence)
            return []
        }
        guard let reason = reasonAgainst(first), files.allSatisfy({ reasonAgainst($0) != nil }) else { return files }
        note(reason)
        givenUp.insert(reference.provider)
        deferred.append(item)
        return []
    }

    /// Returns why a file must not begin now: its host is in cool-down or is silent for another file. Nil if the file
    /// may begin, or is stored and needs no host.
    private func reasonAgainst(_ file: MediaAttempt) -> String? {
        let host = AddressName.authority(file.url)
        let isWaitedFor = running.values.contains { $0.isSilent && AddressName.authority($0.url) == host }
        let silence = isWaitedFor ? "\(AddressName.host(file.url)) sent nothing" : nil
        guard let reason = online.mediaHosts.reason(file.url) ?? silence, case .reference(let reference) = file.item
        else {
            return nil
        }
        return online.store(for: reference).read(file.url) == nil ? reason : nil
    }

    private func askIfNeeded(_ number: Int) async -> Task<Outcome, Never>? {
        guard !isAsking, !isAtEnd, queue.isEmpty, hunt.supply != nil else { return nil }
        isAsking = true
        if isEndless { await pauseAfterFailures() }
        let ask = isExhausted ? askingForStandIn : asking(budget)
        return keep(number, Task { .items(await ask()) })
    }

    /// Waits for 4 s after the fourth failure, twice as long after each further one, at most 30 s.
    private func pauseAfterFailures() async {
        let count = found.failures.count
        guard count > 3 else { return }
        try? await online.clock.wait(milliseconds: min(30_000, 250 << min(count, 7)))
    }

    // MARK: - Outcomes

    /// - Returns: whether the run is over.
    private func accept(_ number: Int, _ outcome: Outcome) async -> Bool {
        tasks[number] = nil
        let attempt = running.removeValue(forKey: number)
        switch outcome {
        case .items(let result):
            isAsking = false
            take(result)
        case .media(.success(let fetched)):
            found.fetched = fetched
            return true
        case .media(.failure(let failure)):
            if let attempt { fail(attempt, failure) }
        }
        return Task.isCancelled
    }

    private func take(_ result: Result<SupplyBatch, Complaint>) {
        switch result {
        case .success(let batch):
            for failure in batch.failures { note(failure) }
            queue += batch.items
            if batch.items.isEmpty { isAtEnd = true }
        case .failure(let error):
            found.failures.append(error.sentence)
            if !isEndless { isAtEnd = true }
        }
    }

    private func fail(_ attempt: MediaAttempt, _ failure: MediaAttempt.Failure) {
        guard case .reference(let reference) = attempt.item else {
            if case .failed(let sentence) = failure { found.failures.append(sentence) }
            return
        }
        switch failure {
        case .failed(let sentence): note(sentence)
        case .still:
            note("\(attempt.item.name): it does not move")
            // A thumbnail can be a still although the original is animated. If the original is a still, so are its
            // thumbnails.
            if !attempt.mayBeStill { files = [] }
            // A still is not a failure of a source that cannot tell which of its files are animated.
            if reference.renditions.allSatisfy(\.mayBeStill) {
                if hunt.supply?.hasAlternatives != true { attempts -= 1 }
                return
            }
        }
        failuresBySource[reference.provider, default: 0] += 1
        guard failuresBySource[reference.provider, default: 0] >= Self.failuresPerSource else { return }
        givenUp.insert(reference.provider)
        files = []
    }

    private func note(_ failure: String) {
        if !found.failures.contains(failure) { found.failures.append(failure) }
    }

    // MARK: - Asking

    private func asking(_ budget: TimeBudget?) -> @Sendable () async -> Result<SupplyBatch, Complaint> {
        asking(avoiding: givenUp, budget)
    }

    /// Gets items that need no network, if the supply has any.
    private var askingForStandIn: @Sendable () async -> Result<SupplyBatch, Complaint> {
        asking(avoiding: sources, TimeBudget(.zero))
    }

    private func asking(
        avoiding givenUp: Set<String>, _ budget: TimeBudget?
    ) -> @Sendable () async -> Result<SupplyBatch, Complaint> {
        { [supply = hunt.supply] in
            do throws(Complaint) {
                return .success(try await supply?.more(avoiding: givenUp, within: budget) ?? SupplyBatch())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Takes a local item from the supply, if it has one. Called when the budget is spent and no attempt progresses.
    /// - Returns: whether the run is over.
    private func standIn() async -> Bool {
        // A running listing falls back to the built-in samples by itself.
        guard !isAsking, !isAtEnd, !isEndless else { return false }
        found.failures += running.values.map { "\(AddressName.host($0.url)) sent nothing" }
        take(await askingForStandIn())
        guard let place = queue.firstIndex(where: \.isLocal) else { return false }
        found.fetched = Fetched(item: queue.remove(at: place), content: .local)
        return true
    }
}
