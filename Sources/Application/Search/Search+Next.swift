import Base
import Catalog

/// The decision, in the order of its questions: is the time over, is another download useful, is there a file to try,
/// which source can have more.
extension Search {
    /// Decides what to do now, and takes it for begun.
    mutating func next(at now: Time) -> Action {
        if outcome != nil { return .end }
        if goal == .item { return nextForItem(at: now) }
        switch supply(at: now) {
        case .ask(let action): return action
        case .grown: return .end
        case .pending: return wait(at: now)
        case .exhausted: return end(.nothing)
        }
    }

    private mutating func nextForItem(at now: Time) -> Action {
        if !isChosen, let action = choose(at: now) { return action }
        if isTimeOver(at: now), let action = playSample(at: now) { return action }
        while mayBegin(at: now) {
            if let action = nextFile(at: now) { return action }
            if candidates.contains(where: \.isWaiting) { break }
            switch supply(at: now, isLocal: hasTriedEnough) {
            case .ask(let action): return action
            case .grown: continue
            case .pending: return wait(at: now)
            case .exhausted where !hasRetriedDeferred && !hasTriedEnough && candidates.contains(where: \.isDeferred):
                hasRetriedDeferred = true
                report(.filesRetried, at: now)
                for index in candidates.indices { candidates[index].isDeferred = false }
            case .exhausted: return downloads.isEmpty ? end(.nothing) : wait(at: now)
            }
        }
        return wait(at: now)
    }

    /// Plays the first built-in sample, or asks for samples; nil if there is none.
    private mutating func playSample(at now: Time) -> Action? {
        while true {
            if let local = candidates.firstIndex(where: { $0.isWaiting && !$0.item.needsDownload }) {
                for download in downloads { failures.append(Self.noData(from: download.file.url)) }
                return play(local, at: now)
            }
            switch supply(at: now, isLocal: true) {
            case .ask(let action): return action
            case .grown: continue
            case .pending, .exhausted: return nil
            }
        }
    }

    private var hasTriedEnough: Bool { attempts >= Self.maximumAttempts && kind != .feed }

    /// Whether a built-in sample is due, because no download makes progress.
    private func isTimeOver(at now: Time) -> Bool {
        guard let timeLimitEnd, timeLimitEnd <= now, choice.isReplaceable else { return false }
        return downloads.allSatisfy(\.isSilent)
    }

    /// Whether to begin a download beside those that are running, or in place of the oldest one.
    private mutating func mayBegin(at now: Time) -> Bool {
        guard let oldest = downloads.first else { return true }
        guard downloads.allSatisfy(\.isSilent) else { return false }
        let isOverdue = downloads.allSatisfy { $0.isOverdue(at: now) }
        hasBeenOverdue = hasBeenOverdue || isOverdue
        if downloads.count < Self.maximumDownloads { return hasBeenOverdue }
        return isOverdue && oldest.begun + silence * 2 <= now
    }

    // MARK: - Files

    /// Begins the next file of an opened candidate, or opens the next candidate. Nil if there is none now.
    private mutating func nextFile(at now: Time) -> Action? {
        while true {
            if !hasTriedEnough, let index = candidates.lastIndex(where: { !$0.files.isEmpty }) {
                let file = candidates[index].files.removeFirst()
                let reason = reasonToSkip(file, of: index, at: now)
                guard let reason else { return begin(file, of: index, at: now) }
                note(reason)
                continue
            }
            guard let index = candidates.firstIndex(where: \.isWaiting) else { return nil }
            let item = candidates[index].item
            if !item.needsDownload {
                // In a feed, a built-in sample must not replace a download that is only slow.
                return kind == .feed && !downloads.isEmpty ? nil : play(index, at: now)
            }
            guard hasTriedEnough || !coolDowns.isUsable(.files(item.provider), at: now) else {
                return .open(candidate: index)
            }
            candidates[index].isDeferred = true
        }
    }

    private mutating func begin(_ file: Rendition, of candidate: Int, at now: Time) -> Action {
        var replaced: FileDownload?
        if downloads.count >= Self.maximumDownloads {
            let oldest = downloads.removeFirst()
            candidates[oldest.candidate].wasReplaced = true
            note(Self.noData(from: oldest.file.url))
            report(.stalled(url: oldest.file.url), at: now)
            replaced = oldest
        }
        attempts += 1
        downloadCount += 1
        downloads.append(
            FileDownload(number: downloadCount, candidate: candidate, file: file, begun: now, check: now + silence))
        return .download(number: downloadCount, candidate: candidate, file, replacing: replaced?.number)
    }

    /// Why a file is not fetched now: its host is in a cool-down, or a running download from this host has no data. Nil
    /// if there is no such reason, or if the file is stored on this machine.
    func reasonToSkip(_ file: Rendition, of candidate: Int, at now: Time) -> Failure? {
        let candidate = candidates[candidate]
        guard candidate.item.origin == .source, !candidate.storedFiles.contains(file.url) else { return nil }
        let host = WebAddress.authority(file.url)
        if let reason = coolDowns.reason(of: .host(host), at: now)?.reason { return reason }
        let isSilent = downloads.contains { $0.isSilent && WebAddress.authority($0.file.url) == host }
        return isSilent ? Self.noData(from: file.url) : nil
    }

    static func noData(from url: String) -> Failure { .empty(host: WebAddress.host(url)) }

    mutating func leaveDownloads() {
        for download in downloads {
            candidates[download.candidate].files = []
            // A feed has enough other items.
            candidates[download.candidate].wasReplaced = kind == .results
        }
        downloads = []
    }

    // MARK: - Ends

    /// The items that stay in the list: those that were not tried, those whose downloads did not end, the deferred ones.
    var remaining: [GIFReference] {
        var played: Int?
        if case .plays(let index) = outcome { played = index }
        let running = Set(downloads.map(\.candidate))
        let others = candidates.indices.filter { $0 != played }
        let unfinished = others.filter { index in
            let candidate = candidates[index]
            return !candidate.files.isEmpty || candidate.wasReplaced || running.contains(index)
        }
        let order =
            others.filter { candidates[$0].isWaiting } + unfinished.filter { !candidates[$0].isDeferred }
            + others.filter { candidates[$0].isDeferred }
        return order.map { candidates[$0].item }
    }

    mutating func play(_ candidate: Int, at now: Time) -> Action {
        for download in downloads where download.isSilent && download.begun + silence <= now {
            report(.stalled(url: download.file.url), at: now)
        }
        return end(.plays(candidate: candidate))
    }

    private mutating func end(_ outcome: Outcome) -> Action {
        self.outcome = outcome
        return .end
    }

    private func wait(at now: Time) -> Action {
        var times = [timeLimitEnd, pauseEnd]
        times += downloads.map { $0.isOverdue(at: now) ? $0.begun + silence * 2 : $0.check }
        times += steps.map { if case .asked(let begun, _) = $0.state { begun + silence } else { nil } }
        return .wait(until: times.compactMap(\.self).filter { $0 > now }.min())
    }

    /// The page that the run has found, with the position of the page after it.
    func page(from position: ChainPosition) -> Result<ResultPage, Failure> {
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

    /// Restricts the candidates to those that the user has chosen.
    private mutating func choose(at now: Time) -> Action? {
        var needed = 1
        if case .number(let number) = choice { needed = number }
        search: while candidates.count < needed {
            switch supply(at: now) {
            case .ask(let action): return action
            case .grown: continue
            case .pending: return wait(at: now)
            case .exhausted: break search
            }
        }
        isChosen = true
        guard !candidates.isEmpty else { return nil }
        switch choice {
        case .first: break
        case .any: skip(Int(randomNumber % UInt64(candidates.count)))
        case .number(let number):
            if candidates.count < number {
                noteSourceFailures()
                failures.append(ErrorMessages.tooFew(candidates.count, for: number))
            }
            skip(min(number - 1, candidates.count))
            for index in candidates.indices.dropFirst() { candidates[index].isDeferred = true }
            hasRetriedDeferred = true
        }
        return nil
    }

    private mutating func skip(_ count: Int) {
        skipped = candidates.prefix(count).map(\.item)
        candidates.removeFirst(count)
    }
}
