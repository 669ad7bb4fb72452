import Base
import Catalog

/// All that is known about one search: its sources, its candidates, the running downloads.
///
/// ``next(at:)`` decides what to do now, and ``handle(_:at:)`` takes an outcome. Neither waits, reads a clock or uses
/// the network: ``SearchLoop`` does that, and decides nothing. The gallery's pages, `--list`, the player, recordings and
/// the random mode use the same search.
///
///     step:       waiting ─▶ asked ─▶ answered ─▶ listed ─▶ asked for the next page … ─▶ finished
///     candidate:  waiting ─▶ opened: its files are known ─▶ download of one file after the other ─▶ plays, or spent
///                    └─────▶ deferred: the files of its source cannot be fetched now
struct Search: Equatable, Sendable {
    typealias Time = ContinuousClock.Instant

    enum Kind: Equatable {
        /// The results of sources. A built-in sample replaces results that cannot be fetched.
        case results
        /// Items without end, from one source.
        case feed
    }

    enum Goal: Equatable {
        /// One page of results.
        case page
        /// A file that can be played.
        case item
    }

    /// A query to one source, for hits that match either all search terms or any of them.
    struct Step: Equatable {
        enum State: Equatable {
            case waiting
            /// - Parameter page: nil for the first page.
            case asked(at: Time, page: PageToken?)
            /// The first page has arrived, but another source was faster, or no hit matches the query.
            case answered(ResultPage)
            /// The pages so far are used.
            case listed(next: PageToken)
            case finished
        }

        let source: String
        var matchesAnyTerm = false
        /// Whether the source needs the network: it is then asked only within the time limit, and can have a cool-down.
        var isOnline = true
        /// A group is asked only if the groups before it have nothing.
        var group = 0
        var state = State.waiting
        var failure: Failure?
        /// Whether it was silent for too long in this run. Another source was asked then.
        var wasSilent = false

        /// The name in a page token. It is unique, because no name of a source contains a colon.
        var name: String { (matchesAnyTerm ? "any:" : "") + source }
        var isAsked: Bool { if case .asked = state { true } else { false } }

        /// Forgets the request that is running.
        mutating func withdraw() {
            if case .asked(_, let page) = state { state = page.map { .listed(next: $0) } ?? .waiting }
        }

        /// Whether its pages are used, so that it continues the listing.
        var isListed: Bool {
            switch state {
            case .listed, .asked(_, .some): true
            default: false
            }
        }
    }

    struct Candidate: Equatable {
        let item: GIFReference
        var isOpened = false
        /// Those that were not tried yet; empty before it is opened.
        var files: [Rendition] = []
        /// The URLs of its files that can be loaded without their hosts.
        var storedFiles: Set<String> = []
        /// Whether it is tried only when no other one is left.
        var isDeferred = false
        /// Whether a download of it was cancelled in favour of another one. It stays in the list.
        var wasReplaced = false

        var isWaiting: Bool { !isOpened && !isDeferred }
    }

    struct FileDownload: Equatable {
        let number: Int
        let candidate: Int
        let file: Rendition
        let begun: Time
        /// Without progress at this time, the download is overdue.
        var check: Time
        /// Whether it waits for data.
        var isSilent = true

        func isOverdue(at now: Time) -> Bool { isSilent && check <= now }
    }

    enum Action: Equatable {
        /// - Parameter milliseconds: the time limit of the request.
        case ask(step: Int, page: PageToken?, milliseconds: Int)
        /// Find the files of this candidate.
        case open(candidate: Int)
        /// - Parameter replacing: the number of the download to cancel.
        case download(number: Int, candidate: Int, Rendition, replacing: Int?)
        case wait(until: Time?)
        case end
    }

    enum Event {
        case answered(step: Int, Result<ResultPage, Failure>)
        /// - Parameter stored: the URLs of the files that are stored on this machine.
        case opened(candidate: Int, Result<[Rendition], Failure>, stored: Set<String> = [])
        /// What a running download is doing at this time.
        case progress(download: Int, isSilent: Bool)
        case failed(download: Int, Failure)
        case fetched(download: Int)
        /// The user wants another item than those that are being downloaded.
        case skipped
    }

    enum Outcome: Equatable {
        case page(ResultPage, step: Int)
        case failure(Failure)
        case plays(candidate: Int)
        case nothing
    }

    /// What the other searches and the next run must know.
    enum Report: Equatable {
        case failedListing(Failure, source: String)
        case silentSource(Failure)
        case failedFile(Failure, source: String)
        case playedFile(source: String)
        case filesRetried
        /// The host of this file sent no data.
        case stalled(url: String)
        case unreachable
    }

    /// The time after which a silent source or download gets a competitor.
    static let silence = Duration.milliseconds(2_500)
    /// In a feed, another GIF is usually playing, and a second download would take bandwidth from it.
    static let feedSilence = Duration.seconds(8)
    /// If no download makes progress after this time, a built-in sample that matches is played.
    static let timeLimit = Duration.seconds(10)
    /// The part of ``timeLimit`` that is reserved for displaying a built-in sample.
    static let reserve = Duration.seconds(1)
    /// The number of tried files after which a built-in sample is used.
    static let maximumAttempts = 9
    /// On a slow connection, more simultaneous downloads would delay each other.
    static let maximumDownloads = 2
    /// The number of pages without a new GIF, in succession, after which a source has no further ones.
    static let maximumRepeatedPages = 3

    let kind: Kind
    var silence: Duration { kind == .feed ? Self.feedSilence : Self.silence }
    /// Nil for a listing that is not ranked. Such a listing ends after the last page of the source that it began with.
    var ranking: ResultRanking?
    var steps: [Step]
    var coolDowns = CoolDowns()
    /// The sources that failed shortly before this run of the program. They are asked after the others.
    var lateSources: Set<String> = []

    // The present run.
    var goal = Goal.item
    var choice = ResultChoice.first
    /// Chooses one of any number of candidates.
    var randomNumber: UInt64 = 0
    var candidates: [Candidate] = []
    var skipped: [GIFReference] = []
    var downloads: [FileDownload] = []
    var attempts = 0
    /// Whether a download was overdue. From then on, two run.
    var hasBeenOverdue = false
    /// The indices of the steps that were asked in this run, in this order.
    var asked: [Int] = []
    /// The time limit of each request in milliseconds, and the time at which all of them end.
    var requestLimit = 20_000
    var requestEnd: Time?
    var timeLimitEnd: Time?
    /// The end of the pause after several failures of a feed.
    var pauseEnd: Time?
    var isChosen = true
    var hasRetriedDeferred = false
    /// The reasons why items or sources were skipped.
    var failures: [Failure] = []
    var outcome: Outcome?
    var reports: [Report] = []

    // The whole listing.
    var hasResults = false
    /// URLs and identifiers of the results so far. Several sources can list the same GIF.
    var seenNames: Set<String> = []
    var downloadCount = 0
    var repeatedPages = 0
    /// The results of this run, and those of cancelled runs, which nobody has taken.
    var added: [GIFReference] = []
    var untaken: [GIFReference] = []

    init(_ kind: Kind, _ steps: [Step] = [], ranking: ResultRanking? = nil) {
        (self.kind, self.steps, self.ranking) = (kind, steps, ranking)
    }

    var sources: Set<String> { Set(steps.map(\.source)) }
    /// Whether another source can replace a failing one.
    var hasAlternatives: Bool { kind == .feed || sources.count > 1 }

    // MARK: - Runs

    /// Begins to look for the next item to play. Answers and pages of earlier runs stay known.
    mutating func begin(
        _ items: [GIFReference], _ choice: ResultChoice = .first, randomNumber: UInt64 = 0, at now: Time
    ) {
        reset(.item, at: now)
        (self.choice, isChosen, self.randomNumber) = (choice, choice == .first, randomNumber)
        var seen: Set<GIFKey> = []
        (added, untaken) = (untaken, [])
        candidates = (items + added).compactMap { item in
            item.origin != .source || seen.insert(item.key).inserted ? Candidate(item: item) : nil
        }
        let isLimited = kind == .results && hasAlternatives
        timeLimitEnd = isLimited ? now + Self.timeLimit : nil
        requestEnd = isLimited ? now + Self.timeLimit - Self.reserve : nil
    }

    /// Begins to look for the page at a position of the listing.
    /// - Throws: `Failure.foreignPage`.
    mutating func beginPage(after position: ChainPosition, milliseconds: Int, at now: Time) throws(Failure) {
        reset(.page, at: now)
        (requestLimit, requestEnd) = (milliseconds, now + .milliseconds(milliseconds))
        for index in steps.indices {
            if position.finishedSteps.contains(steps[index].name) {
                steps[index].state = .finished
            } else if steps[index].isListed || steps[index].state == .finished {
                (steps[index].state, steps[index].failure) = (.waiting, nil)
            }
        }
        guard let token = position.token else { return }
        // Other sources have different listings, so only the source that returned the token can continue.
        guard let index = steps.firstIndex(where: { $0.source == token.source && $0.state != .finished }) else {
            throw .foreignPage(source: token.source)
        }
        steps[index].state = .listed(next: token)
    }

    private mutating func reset(_ goal: Goal, at now: Time) {
        self.goal = goal
        for index in steps.indices {
            steps[index].wasSilent = false
            // The wait for a source begins again with each run.
            if case .asked(_, let page) = steps[index].state { steps[index].state = .asked(at: now, page: page) }
            if steps[index].failure == .outOfTime { (steps[index].state, steps[index].failure) = (.waiting, nil) }
        }
        (candidates, skipped, downloads, asked, failures, reports) = ([], [], [], [], [], [])
        (attempts, pauseEnd, outcome, hasRetriedDeferred, hasBeenOverdue) = (0, nil, nil, false, false)
    }

    // MARK: - Results

    /// One failure of each source that failed in this run, in the order in which they were asked.
    var sourceFailures: [Failure] {
        var failures: [Failure] = []
        for step in asked.map({ steps[$0] }) {
            guard let reason = step.failure else { continue }
            // A source is asked for any of the terms after it had nothing for all of them.
            if let known = failures.firstIndex(where: { $0.source == step.source }) {
                guard failures[known].kind == .nothingFound else { continue }
                if ![.notOffered, .outOfTime].contains(reason.kind) { failures[known] = reason.of(step.source) }
            } else {
                failures.append(reason.of(step.source))
            }
        }
        return failures
    }

    /// Why no source has a result. "Nothing found" and "not offered" are no failures of a source.
    var error: Failure {
        let failures = sourceFailures
        let relevant = failures.first { ![.nothingFound, .notOffered].contains($0.kind) }
        guard var relevant, sources.count == 1 else { return relevant == nil ? .nothingFound : .exhausted(failures) }
        relevant.subject = nil
        return relevant
    }
}

extension Search.Report {
    func apply(to coolDowns: inout CoolDowns, at now: Search.Time) {
        switch self {
        case .failedFile(let error, let source): coolDowns.recordFailedFile(of: source, error, at: now)
        case .playedFile(let source): coolDowns.recordSuccess(of: .files(source))
        case .filesRetried: coolDowns.retryFiles()
        case .stalled(let url):
            coolDowns.recordFailure(ofHost: WebAddress.authority(url), Search.noData(from: url), at: now)
        case .failedListing, .silentSource, .unreachable: break
        }
    }
}
