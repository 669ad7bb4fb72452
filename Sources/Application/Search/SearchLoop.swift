import Base
import Catalog

/// Carries out the actions of a ``Search`` and tells it the outcomes. Decides nothing.
///
/// Requests that are still running at the end of a run go on, and later runs use their answers. Deallocation cancels
/// them.
public actor SearchLoop {
    private nonisolated let source: PageSource
    private(set) var search: Search
    private let health: SourceHealth
    private let wait: @Sendable (Duration) async throws -> Void
    /// One run at a time.
    private let gate = SerialGate()
    private var preferences: ListingPreferences
    private var requests: [Int: (number: Int, task: Task<Void, Never>)] = [:]
    private var requestCount = 0
    private var downloads: [Int: RunningDownload] = [:]
    private var fetched: FetchedItem?
    private var change: AsyncStream<Void>.Continuation?

    private struct RunningDownload {
        var task: Task<Void, Never>
        var download = Monitor<Download?>(nil)

        /// Whether the first bytes have not arrived yet, or the download is stalled.
        var isSilent: Bool {
            guard let progress = download.withLock({ $0 })?.progress else { return true }
            return progress.received == 0 || progress.isStalled
        }
    }

    init(
        _ search: Search, in source: PageSource, health: SourceHealth,
        preferences: ListingPreferences = ListingPreferences(),
        wait: @escaping @Sendable (Duration) async throws -> Void = SearchLoop.systemWait
    ) {
        (self.search, self.source, self.health) = (search, source, health)
        (self.preferences, self.wait) = (preferences, wait)
    }

    /// The items of a feed.
    public init(feed: any ItemFeed, health: SourceHealth) {
        // Its name is not displayed.
        let step = Search.Step(source: "feed", isOnline: false)
        self.init(Search(.feed, [step]), in: .feed(feed), health: health)
    }

    deinit { for running in requests.values { running.task.cancel() } }

    public static let systemWait: @Sendable (Duration) async throws -> Void = {
        // Rounded up, so that the time has come at the end of the wait.
        try await SystemWaitClock().wait(milliseconds: $0.wholeMilliseconds + 1)
    }

    /// The endless source of the items; nil for the results of a query.
    public nonisolated var feed: (any ItemFeed)? { if case .feed(let feed) = source { feed } else { nil } }

    /// As the user typed it; "" without a query.
    private nonisolated var query: String {
        if case .sources(let listing) = source { listing.kind.query?.text ?? "" } else { "" }
    }

    public nonisolated func waitingText(in language: Language) -> String {
        return feed?.waitingText(in: language) ?? language(en: "looking for “\(query)”…", de: "suche „\(query)“ …")
    }

    // MARK: - Runs

    /// Finds the next item that can be played.
    /// - Parameter items: tried in order, before those of the sources.
    func nextItem(
        _ items: [GIFReference], _ choice: ResultChoice, needsAllBytes: Bool, _ loader: any ItemLoading
    ) async -> NextItem {
        await gate.enter()
        search.begin(items, choice, randomNumber: .random(in: .min ... .max), at: health.now())
        await run(loader, needsAllBytes: needsAllBytes)
        var next = NextItem(candidates: items.count, skipped: search.skipped)
        if case .plays(let index) = search.outcome {
            let item = search.candidates[index].item
            next.fetched = fetched ?? FetchedItem(item)
            if case .sample = item.origin {
                next.fetched?.replaced = (search.sourceFailures, search.failures.first)
            }
        } else if search.kind == .results, search.outcome == .nothing {
            if search.hasResults { search.noteSourceFailures() } else { noteError() }
        }
        (next.remaining, next.failures) = (search.remaining, search.failures)
        for running in downloads.values { running.task.cancel() }
        (downloads, fetched) = ([:], nil)
        if Task.isCancelled { cancelRequests() }
        await gate.leave()
        return next
    }

    /// Tries other candidates in place of those that are being downloaded.
    func skip() { handle(.skipped) }

    /// Once, because the listing has ended then.
    private func noteError() {
        guard !search.asked.isEmpty else { return }
        let name = search.sources.count == 1 ? search.steps[0].source : ServiceChain.name
        search.failures.append(ErrorMessages.describe(search.error, query: query, source: name))
    }

    /// Requests one page.
    func page(after page: PageToken?, _ preferences: ListingPreferences) async throws(Failure) -> ResultPage {
        await gate.enter()
        self.preferences = preferences
        let result = await foundPage(at: page.map { ChainPosition($0) } ?? ChainPosition())
        await gate.leave()
        return try result.get()
    }

    private func foundPage(at position: ChainPosition) async -> Result<ResultPage, Failure> {
        do throws(Failure) {
            try search.beginPage(
                after: position, milliseconds: preferences.budgetMilliseconds, at: health.now())
        } catch {
            return .failure(error)
        }
        await run(nil, needsAllBytes: false)
        if Task.isCancelled { cancelRequests() }
        return search.page(from: position)
    }

    private func cancelRequests() {
        for running in requests.values { running.task.cancel() }
        requests = [:]
        search.cancel()
    }

    // MARK: - The loop

    private func run(_ loader: (any ItemLoading)?, needsAllBytes: Bool) async {
        let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.change = change
        search.lateSources = Set(search.steps.filter(\.isOnline).map(\.source)).filter(health.isQueriedLast)
        while !Task.isCancelled {
            let now = health.now()
            search.coolDowns = health.coolDowns
            for (number, running) in downloads {
                guard search.downloads.contains(where: { $0.number == number }) else {
                    downloads.removeValue(forKey: number)?.task.cancel()
                    continue
                }
                search.handle(.progress(download: number, isSilent: running.isSilent), at: now)
            }
            let action = search.next(at: now)
            publish()
            switch action {
            case .ask(let step, let page, let milliseconds): ask(step, page, milliseconds)
            case .open(let candidate):
                guard let loader else { return }
                open(candidate, loader, at: now)
            case .download(let number, let candidate, let file, let replaced):
                guard let loader else { return }
                if let replaced { downloads.removeValue(forKey: replaced)?.task.cancel() }
                begin(number, file, of: search.candidates[candidate].item, loader, needsAllBytes: needsAllBytes)
            case .wait(let time):
                let timer = time.map { time in
                    Task { [wait] in if (try? await wait(time - now)) != nil { change.yield() } }
                }
                for await _ in changes { break }
                timer?.cancel()
            case .end: return
            }
        }
    }

    private func ask(_ step: Int, _ page: PageToken?, _ milliseconds: Int) {
        SourceQuery.observer.report(search.steps[step].source)
        requestCount += 1
        let number = requestCount
        var preferences = preferences
        preferences.budgetMilliseconds = milliseconds
        requests[step]?.task.cancel()
        let task = Task { [weak self, source, preferences] in
            let result = await Result(of: { () async throws(Failure) in
                try await source.page(of: step, after: page, preferences)
            })
            await self?.answered(step, number, result)
        }
        requests[step] = (number, task)
    }

    private func answered(_ step: Int, _ number: Int, _ result: Result<ResultPage, Failure>) {
        guard requests[step]?.number == number else { return }
        requests[step] = nil
        handle(.answered(step: step, result))
    }

    private func open(_ candidate: Int, _ loader: any ItemLoading, at now: Search.Time) {
        let item = search.candidates[candidate].item
        let files = Result { () throws(Failure) in try loader.files(of: item) }
        let stored = ((try? files.get()) ?? []).filter { file in
            search.reasonToSkip(file, of: candidate, at: now) != nil && loader.isStored(file, of: item)
        }
        search.handle(.opened(candidate: candidate, files, stored: Set(stored.map(\.url))), at: now)
        publish()
    }

    private func begin(
        _ number: Int, _ file: Rendition, of item: GIFReference, _ loader: any ItemLoading, needsAllBytes: Bool
    ) {
        // Retry the start of the download only once if the search may choose another item instead.
        let retries = search.choice.isReplaceable ? 1 : nil
        let download = Monitor<Download?>(nil)
        let task = Task { [weak self] in
            let result = await Result(of: { () async throws(Failure) in
                try await loader.fetch(
                    file, of: item, needsAllBytes: needsAllBytes, startRetries: retries,
                    begun: { begun in download.withLock { $0 = begun } })
            })
            await self?.ended(number, result)
        }
        downloads[number] = RunningDownload(task: task, download: download)
    }

    private func ended(_ number: Int, _ result: Result<FetchedItem, Failure>) {
        guard downloads.removeValue(forKey: number) != nil, search.outcome == nil else {
            if case .success(let unused) = result { unused.download?.cancel() }
            return
        }
        switch result {
        case .success(let item):
            fetched = item
            handle(.fetched(download: number))
        case .failure(let error): handle(.failed(download: number, error))
        }
    }

    private func handle(_ event: Search.Event) {
        search.handle(event, at: health.now())
        publish()
        change?.yield()
    }

    /// Tells the other searches and the next run.
    private func publish() {
        for report in search.reports {
            switch report {
            case .failedListing(let error, let source): health.recordFailure(error, of: source)
            case .silentSource(let failure): health.recordSilence(failure)
            case .unreachable: feed?.reportUnreachable()
            default: health.update { report.apply(to: &$0, at: $1) }
            }
        }
        search.reports = []
    }
}
