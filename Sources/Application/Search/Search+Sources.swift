import Base
import Catalog

/// What the sources can give now.
extension Search {
    enum Supply {
        case ask(Action)
        /// There are more candidates, or the outcome is known.
        case grown
        /// An answer is awaited.
        case pending
        case exhausted
    }

    /// - Parameter isLocal: whether only the sources that need no network are asked.
    mutating func supply(at now: Time, isLocal: Bool = false) -> Supply {
        if outcome != nil { return .grown }
        // A number chooses exactly one item.
        if isChosen, !choice.isReplaceable { return .exhausted }
        if let pauseEnd, pauseEnd > now { return .pending }
        for index in steps.indices where !isLocal && steps[index].isListed {
            if case .listed(let next) = steps[index].state {
                if goal == .page || mayContinue(steps[index], at: now) { return ask(index, page: next, at: now) }
            } else if goal == .page || !isOverdue(steps[index], at: now) {
                return .pending
            }
        }
        for group in 0...2 where !isLocal || group == 2 {
            if let supply = supply(of: group, at: now) { return supply }
        }
        return .exhausted
    }

    /// Nil if the sources of the group have nothing.
    private mutating func supply(of group: Int, at now: Time) -> Supply? {
        let wanted = steps.indices.filter { steps[$0].group == group && isWanted(steps[$0], at: now) }
        let isLate: (Int) -> Bool = { [steps, lateSources] in lateSources.contains(steps[$0].source) }
        let members = wanted.filter { !isLate($0) } + wanted.filter(isLate)
        for index in members {
            guard case .answered(let page) = steps[index].state, isMatch(page, of: steps[index]) else { continue }
            return use(page, of: index, at: now) ? .grown : supply(at: now)
        }
        let asked = members.filter { steps[$0].isAsked }
        for index in asked where isOverdue(steps[index], at: now) { steps[index].wasSilent = true }
        // For each source that was silent, another one is asked at the same time, also after its late failure.
        let askedCount = 1 + members.count { steps[$0].wasSilent }
        if asked.count < askedCount, let index = members.first(where: { steps[$0].state == .waiting }) {
            return ask(index, at: now)
        }
        if !asked.isEmpty { return .pending }
        for index in members {
            guard case .answered(let page) = steps[index].state else { continue }
            return use(page, of: index, at: now) ? .grown : supply(at: now)
        }
        return nil
    }

    /// Whether the step can lead to a picture: its source needs no network, or its files can be fetched now.
    private func isWanted(_ step: Step, at now: Time) -> Bool {
        !step.isOnline || coolDowns.isUsable(.files(step.source), at: now)
    }

    private func mayContinue(_ step: Step, at now: Time) -> Bool {
        isWanted(step, at: now) && (requestEnd.map { $0 > now } ?? true)
    }

    private func isMatch(_ page: ResultPage, of step: Step) -> Bool {
        guard step.isOnline, let ranking else { return true }
        return ranking.bestScore(of: page.items) > 0
    }

    private func isOverdue(_ step: Step, at now: Time) -> Bool {
        guard case .asked(let begun, _) = step.state else { return false }
        return begun + silence <= now
    }

    private mutating func ask(_ index: Int, page: PageToken? = nil, at now: Time) -> Supply {
        var milliseconds = requestLimit
        if steps[index].isOnline {
            if let (seconds, reason) = coolDowns.reason(of: .listings(steps[index].source), at: now) {
                var error = CatalogError.coolingDown(seconds: seconds)
                // A fault of the network is no reason to blame the source.
                if case .listing(.transport(let cause)) = reason { error = .transport(cause) }
                fail(index, error, page, at: now)
                return supply(at: now)
            }
            if let requestEnd { milliseconds = min(milliseconds, (requestEnd - now).wholeMilliseconds) }
            guard milliseconds > 0 else {
                fail(index, .outOfTime, page, at: now)
                return supply(at: now)
            }
        }
        noteAsked(index)
        steps[index].state = .asked(at: now, page: page)
        return .ask(.ask(step: index, page: page, milliseconds: milliseconds))
    }

    private mutating func fail(_ index: Int, _ error: CatalogError, _ page: PageToken?, at now: Time) {
        noteAsked(index)
        if kind == .feed {
            failures.append(ErrorMessages.describe(error))
            // 4 s after the fourth failure, doubled by each further one.
            if failures.count > 3 { pauseEnd = now + min(.seconds(30), .milliseconds(250 << min(failures.count, 7))) }
            steps[index].state = .waiting
        } else if goal == .page, page != nil {
            outcome = .failure(error)
        } else {
            (steps[index].state, steps[index].failure) = (.finished, error)
        }
    }

    private mutating func noteAsked(_ index: Int) { if !asked.contains(index) { asked.append(index) } }

    /// Takes the results of a page.
    /// - Returns: whether there are new candidates, or the outcome is known.
    private mutating func use(_ page: ResultPage, of index: Int, at now: Time) -> Bool {
        steps[index].state = kind == .feed ? .waiting : page.next.map { .listed(next: $0) } ?? .finished
        for other in asked where isOverdue(steps[other], at: now) {
            let source = steps[other].source
            let reason = CatalogError.transport(.timedOut(host: source, milliseconds: silence.wholeMilliseconds))
            steps[other].failure = reason
            if steps[other].isOnline { report(.silentSource(SourceFailure(source: source, reason: reason)), at: now) }
        }
        var page = page
        if steps[index].isOnline, let ranking { page.items = ranking.sorted(page.items) }
        guard goal == .item else {
            outcome = .page(page, step: index)
            return true
        }
        noteSourceFailures(page.sourceFailures)
        let isNew = add(page.items)
        repeatedPages = isNew ? 0 : repeatedPages + 1
        if repeatedPages >= Self.maximumRepeatedPages, kind != .feed { steps[index].state = .finished }
        return isNew
    }

    /// Forgets the requests that are running, so that a later run sends them again, and keeps the results for it.
    mutating func cancel() {
        untaken = added
        for index in steps.indices { steps[index].withdraw() }
    }

    /// The page that the run has found, with the position of the page after it.
    func page(from position: ChainPosition) -> Result<ResultPage, CatalogError> {
        switch outcome {
        case .page(var page, let index):
            var finished = position.finishedSteps
            if position.token == nil {
                page.sourceFailures = sourceFailures + page.sourceFailures
                for other in asked where other != index && steps[other].state == .finished {
                    if steps[other].failure != .outOfTime { finished.insert(steps[other].name) }
                }
            }
            guard ranking != nil else { return .success(page) }
            let ended = ChainPosition(finishedSteps: finished.union([steps[index].name]))
            page.next =
                page.next.map { ChainPosition(finishedSteps: finished, token: $0).pageToken(source: $0.source) }
                ?? steps.first { !ended.finishedSteps.contains($0.name) }.map { ended.pageToken(source: $0.source) }
            return .success(page)
        case .failure(let error): return .failure(error)
        case .nothing where error == .nothingFound:
            return .success(ResultPage(items: [], sourceFailures: sourceFailures))
        case .nothing: return .failure(error)
        case .plays, nil: return .failure(.cancelled)
        }
    }

    // MARK: - Events

    mutating func handle(_ event: Event, at now: Time) {
        switch event {
        case .answered(let index, let result):
            guard case .asked(_, let page) = steps[index].state else { return }
            answered(index, result, page, at: now)
        case .opened(let index, .failure(let error)):
            note(error.message)
            candidates[index].isOpened = true
        case .opened(let index, .success(let files)): opened(index, files, at: now)
        case .progress(let number, let isSilent):
            guard let index = downloads.firstIndex(where: { $0.number == number }) else { return }
            downloads[index].isSilent = isSilent
            if !isSilent, downloads[index].check <= now { downloads[index].check = now + silence }
        case .fetched(let number):
            guard let download = remove(number) else { return }
            if let reference = download.file.item.result {
                report(.playedFile(source: reference.provider), at: now)
            }
            _ = play(download.candidate, at: now)
        case .failed(let number, let error):
            guard let download = remove(number) else { return }
            fail(download, error, at: now)
        }
    }

    private mutating func remove(_ number: Int) -> FileDownload? {
        downloads.firstIndex { $0.number == number }.map { downloads.remove(at: $0) }
    }

    private mutating func answered(
        _ index: Int, _ result: Result<ResultPage, CatalogError>, _ page: PageToken?, at now: Time
    ) {
        switch result {
        case .success(let answer):
            steps[index].failure = nil
            if page != nil, outcome == nil {
                _ = use(answer, of: index, at: now)
            } else if answer.items.isEmpty {
                fail(index, .nothingFound, nil, at: now)
            } else {
                steps[index].state = .answered(answer)
            }
        case .failure(.cancelled):
            steps[index].withdraw()
            outcome = .failure(.cancelled)
        case .failure(let error):
            if steps[index].isOnline, kind != .feed {
                report(.failedListing(error, source: steps[index].source), at: now)
            }
            fail(index, error, page, at: now)
        }
    }

    /// If none of the hosts can be used now, the candidate is tried last. This counts as a failed file of its source.
    private mutating func opened(_ index: Int, _ files: [MediaFile], at now: Time) {
        if let reference = candidates[index].item.result, let first = files.first,
            let reason = reasonToSkip(first, at: now),
            files.allSatisfy({ reasonToSkip($0, at: now) != nil })
        {
            note(reason)
            report(.failedFile(reason, source: reference.provider), at: now)
            candidates[index].isDeferred = true
        } else {
            (candidates[index].isOpened, candidates[index].files) = (true, files)
        }
    }

    private mutating func fail(_ download: FileDownload, _ error: CommandError, at now: Time) {
        guard let reference = download.file.item.result else { return failures.append(error.message) }
        note(error.message)
        if case .transport(.unreachable)? = error.mediaFailure { report(.unreachable, at: now) }
        if error.mediaFailure == .notAnimated {
            // A thumbnail can be a still although the original is animated, but not the other way round.
            if !download.file.mayBeStill { candidates[download.candidate].files = [] }
            // If a source cannot tell which files are animated, a still is no failure of the source.
            if reference.renditions.allSatisfy(\.mayBeStill) {
                if !hasAlternatives { attempts -= 1 }
                return
            }
        }
        report(.failedFile(error.message, source: reference.provider), at: now)
        if !coolDowns.isUsable(.files(reference.provider), at: now) { candidates[download.candidate].files = [] }
    }

    // MARK: - Notes

    mutating func note(_ failure: String) { if !failures.contains(failure) { failures.append(failure) } }

    /// Notes the failures that explain why another source is used.
    mutating func noteSourceFailures(_ others: [SourceFailure] = []) {
        for failure in sourceFailures + others {
            switch failure.reason {
            case .nothingFound, .notOffered, .noKey, .cancelled: break
            default: note(ErrorMessages.describe(failure))
            }
        }
    }

    /// Adds the results that no source has listed before.
    /// - Returns: whether there were any.
    mutating func add(_ items: [GIFReference]) -> Bool {
        let fresh = items.filter { item in
            let names = [item.provider + " " + item.id] + item.renditions.prefix(1).map(\.url)
            return kind == .feed
                || seenNames.isDisjoint(with: names) && names.allSatisfy { seenNames.insert($0).inserted }
        }
        let new = fresh.map { PlayItem($0) }
        added += new
        candidates += new.map { Candidate(item: $0) }
        hasResults = hasResults || !items.isEmpty
        return !new.isEmpty
    }

    mutating func report(_ report: Report, at now: Time) {
        report.apply(to: &coolDowns, at: now)
        reports.append(report)
    }
}
