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

    /// Which source is next.
    private enum SourceStep {
        case use(step: Int, ResultPage)
        case ask(step: Int, page: PageToken?)
        case wait
    }

    /// - Parameter isLocal: whether only the sources that need no network are asked.
    mutating func supply(at now: Time, isLocal: Bool = false) -> Supply {
        if let pauseEnd, pauseEnd > now { return .pending }
        for index in steps.indices where isOverdue(steps[index], at: now) { steps[index].wasSilent = true }
        while outcome == nil {
            // A number chooses exactly one item.
            if isChosen, !choice.isReplaceable { return .exhausted }
            switch nextStep(at: now, isLocal: isLocal) {
            case .use(let step, let page): if use(page, of: step, at: now) { return .grown }
            case .ask(let step, let page): if let request = ask(step, page: page, at: now) { return .ask(request) }
            case .wait: return .pending
            case nil: return .exhausted
            }
        }
        return .grown
    }

    /// The questions in their order: can the source in use continue; does a page match the query; can another source be
    /// asked; is there any page. Nil if the sources have nothing.
    private func nextStep(at now: Time, isLocal: Bool) -> SourceStep? {
        if !isLocal, let step = continuation(at: now) { return step }
        for group in isLocal ? 2...2 : 0...2 {
            let members = members(of: group, at: now)
            let match = pageInHand(members, isMatch: true)
            if let step = match ?? request(members) ?? pageInHand(members, isMatch: false) { return step }
        }
        return nil
    }

    /// Asks for the next page of the source in use, or waits for it. Nil if no source is in use, if the source is silent
    /// or if it cannot be used now.
    private func continuation(at now: Time) -> SourceStep? {
        for index in steps.indices where steps[index].isListed {
            if case .listed(let next) = steps[index].state {
                if goal == .page || mayContinue(steps[index], at: now) { return .ask(step: index, page: next) }
            } else if goal == .page || !isOverdue(steps[index], at: now) {
                return .wait
            }
        }
        return nil
    }

    /// The steps of a group that can lead to a picture. Sources that failed shortly before come last.
    private func members(of group: Int, at now: Time) -> [Int] {
        let wanted = steps.indices.filter { steps[$0].group == group && isWanted(steps[$0], at: now) }
        let isLate = { [steps, lateSources] in lateSources.contains(steps[$0].source) }
        return wanted.filter { !isLate($0) } + wanted.filter(isLate)
    }

    private func pageInHand(_ members: [Int], isMatch: Bool) -> SourceStep? {
        for index in members {
            guard case .answered(let page) = steps[index].state else { continue }
            if !isMatch || self.isMatch(page, of: steps[index]) { return .use(step: index, page) }
        }
        return nil
    }

    /// Asks the first source that was not asked, or waits. For each source that was silent, another one is asked at the
    /// same time, also after its late failure.
    private func request(_ members: [Int]) -> SourceStep? {
        let askedCount = members.count { steps[$0].isAsked }
        if askedCount < 1 + members.count(where: { steps[$0].wasSilent }),
            let index = members.first(where: { steps[$0].state == .waiting })
        {
            return .ask(step: index, page: nil)
        }
        return askedCount > 0 ? .wait : nil
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

    /// Nil if the source is in a cool-down or the time is over, which is then its failure.
    private mutating func ask(_ index: Int, page: PageToken?, at now: Time) -> Action? {
        var milliseconds = requestLimit
        if steps[index].isOnline {
            if let requestEnd { milliseconds = min(milliseconds, (requestEnd - now).wholeMilliseconds) }
            if let error = coolDown(of: steps[index], at: now) ?? (milliseconds > 0 ? nil : .outOfTime) {
                fail(index, error, page, at: now)
                return nil
            }
        }
        noteAsked(index)
        steps[index].state = .asked(at: now, page: page)
        return .ask(step: index, page: page, milliseconds: milliseconds)
    }

    private func coolDown(of step: Step, at now: Time) -> Failure? {
        guard let (seconds, reason) = coolDowns.reason(of: .listings(step.source), at: now) else { return nil }
        // A fault of the network is no reason to blame the source.
        return reason.isTransport ? reason : .coolingDown(seconds: seconds)
    }

    private mutating func fail(_ index: Int, _ error: Failure, _ page: PageToken?, at now: Time) {
        noteAsked(index)
        if kind == .feed {
            failures.append(error)
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
            let reason = Failure.timedOut(host: source, milliseconds: silence.wholeMilliseconds)
            steps[other].failure = reason
            if steps[other].isOnline { report(.silentSource(reason.of(source)), at: now) }
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

    // MARK: - Events

    mutating func handle(_ event: Event, at now: Time) {
        switch event {
        case .answered(let index, let result):
            guard case .asked(_, let page) = steps[index].state else { return }
            answered(index, result, page, at: now)
        case .opened(let index, .failure(let error), _):
            note(error.of(candidates[index].item.name))
            candidates[index].isOpened = true
        case .opened(let index, .success(let files), let stored):
            candidates[index].storedFiles = stored
            opened(index, files, at: now)
        case .progress(let number, let isSilent):
            guard let index = downloads.firstIndex(where: { $0.number == number }) else { return }
            downloads[index].isSilent = isSilent
            if !isSilent, downloads[index].check <= now { downloads[index].check = now + silence }
        case .fetched(let number):
            guard let download = remove(number) else { return }
            let item = candidates[download.candidate].item
            if item.origin == .source { report(.playedFile(source: item.provider), at: now) }
            _ = play(download.candidate, at: now)
        case .skipped: leaveDownloads()
        case .failed(let number, let error):
            guard let download = remove(number) else { return }
            fail(download, error, at: now)
        }
    }

    private mutating func remove(_ number: Int) -> FileDownload? {
        downloads.firstIndex { $0.number == number }.map { downloads.remove(at: $0) }
    }

    private mutating func answered(
        _ index: Int, _ result: Result<ResultPage, Failure>, _ page: PageToken?, at now: Time
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
    private mutating func opened(_ index: Int, _ files: [Rendition], at now: Time) {
        if let first = files.first, let reason = reasonToSkip(first, of: index, at: now),
            files.allSatisfy({ reasonToSkip($0, of: index, at: now) != nil })
        {
            note(reason)
            report(.failedFile(reason, source: candidates[index].item.provider), at: now)
            candidates[index].isDeferred = true
        } else {
            (candidates[index].isOpened, candidates[index].files) = (true, files)
        }
    }

    private mutating func fail(_ download: FileDownload, _ error: Failure, at now: Time) {
        let reference = candidates[download.candidate].item
        let error = error.of(reference.name)
        guard reference.origin == .source else { return failures.append(error) }
        note(error)
        if error.kind == .unreachable { report(.unreachable, at: now) }
        if error.kind == .notAnimated {
            if download.file.showsThatOthersFail(error) { candidates[download.candidate].files = [] }
            // If a source cannot tell which files are animated, a still is no failure of the source.
            if reference.renditions.allSatisfy(\.mayBeStill) {
                if !hasAlternatives { attempts -= 1 }
                return
            }
        }
        report(.failedFile(error, source: reference.provider), at: now)
        if !coolDowns.isUsable(.files(reference.provider), at: now) { candidates[download.candidate].files = [] }
    }

    // MARK: - Notes

    mutating func note(_ failure: Failure) { if !failures.contains(failure) { failures.append(failure) } }

    /// Notes the failures that explain why another source is used.
    mutating func noteSourceFailures(_ others: [Failure] = []) {
        let failures = (sourceFailures + others).filter(\.isNoteworthy)
        if failures.count > 1, let noNetwork = ErrorMessages.noNetwork(failures) { return note(noNetwork) }
        for failure in failures { note(failure) }
    }

    /// Adds the results that no source has listed before.
    /// - Returns: whether there were any.
    mutating func add(_ items: [GIFReference]) -> Bool {
        let fresh = items.filter { item in
            let names = [item.provider + " " + item.id] + item.renditions.prefix(1).map(\.url)
            return kind == .feed
                || seenNames.isDisjoint(with: names) && names.allSatisfy { seenNames.insert($0).inserted }
        }
        added += fresh
        candidates += fresh.map { Candidate(item: $0) }
        hasResults = hasResults || !items.isEmpty
        return !fresh.isEmpty
    }

    mutating func report(_ report: Report, at now: Time) {
        report.apply(to: &coolDowns, at: now)
        reports.append(report)
    }
}
