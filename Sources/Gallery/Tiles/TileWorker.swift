import Base
import GIFDecode
import Pixels

/// Decodes for all tiles on one thread of its own: first a first frame for each, then ahead of what
/// is shown, the one that is shortest of frames first.
final class TileWorker: Sendable {
    /// Frames decoded before they are shown.
    private static let ahead = 6

    /// One film, from the moment its bytes are there.
    // Its decoder is touched by the worker's thread alone, everything else behind the monitor.
    private struct Job: @unchecked Sendable {
        /// Nil once the whole loop is kept: the file's bytes and its canvas are let go.
        var decoder: TileDecoder?
        var film = TileFilm()
        var playhead = Playhead()
        var canvas: PixelSize?
        var failure: GIFError?
        var isBusy = false

        /// - Returns: whether another frame is to be shown than before.
        mutating func advance(to now: Instant) -> Bool {
            let changed = playhead.advance(film, to: now)
            film.release(before: playhead.frame)
            return changed
        }

        /// How urgently it needs a frame: the frames it is ahead; nil when it needs none.
        var need: Int? {
            if decoder == nil || failure != nil || isBusy { return nil }
            if film.isEmpty { return -1 }
            let ahead = film.end - 1 - playhead.frame
            return playhead.isStill || ahead >= TileWorker.ahead ? nil : ahead
        }
    }

    private struct State {
        var jobs: [Int: Job] = [:]
        var isStopped = false
    }

    private let state = Monitor(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: called from the worker when a frame that was waited for is there.
    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    /// Begins the thread, which keeps the worker alive until ``stop()``.
    /// - Returns: false where there is none: nothing is decoded then.
    func start() -> Bool { DetachedThread.start { self.run() } }

    func stop() {
        state.withLock { $0.isStopped = true }
    }

    // MARK: - The stage's side

    /// Begins a film.
    /// - Parameter number: never used before.
    func add(_ number: Int, bytes: [UInt8], target: PixelSize, backdrop: Backdrop, isStill: Bool) {
        var job = Job(decoder: TileDecoder(bytes, target: target, backdrop: backdrop))
        job.playhead.isStill = isStill
        let begun = job
        state.withLock { $0.jobs[number] = begun }
    }

    func remove(_ number: Int) {
        state.withLock { $0.jobs[number] = nil }
    }

    func setStill(_ number: Int, _ isStill: Bool) {
        state.withLock { $0.jobs[number]?.playhead.isStill = isStill }
    }

    /// What a film has come to.
    struct Report: Sendable {
        var number: Int
        var picture: TileFrame?
        var canvas: PixelSize?
        var failure: GIFError?
    }

    /// Moves every film on to `now`, all in one step.
    /// - Returns: the films by their numbers, whether any shows another frame than before, and when the next one will.
    func advance(to now: Instant) -> (reports: [Int: Report], changed: Bool, next: Instant?) {
        state.withLock { state in
            var reports: [Int: Report] = [:]
            reports.reserveCapacity(state.jobs.count)
            var changed = false
            var next: Instant?
            // In place: going through the keys would copy the table at the first change.
            var index = state.jobs.startIndex
            while index != state.jobs.endIndex {
                if state.jobs.values[index].advance(to: now) { changed = true }
                let (number, job) = state.jobs[index]
                next = .earliest(next, job.playhead.nextLook(job.film))
                reports[number] = Report(
                    number: number, picture: job.playhead.picture, canvas: job.canvas, failure: job.failure)
                state.jobs.formIndex(after: &index)
            }
            return (reports, changed, next)
        }
    }

    // MARK: - The thread's side

    private func run() {
        while let (number, decoder) = nextWork() {
            let outcome: Result<TileFrame?, GIFError>
            do throws(GIFError) { outcome = .success(try decoder.next()) } catch { outcome = .failure(error) }
            deliver(outcome, from: decoder, to: number)
        }
    }

    private func nextWork() -> (Int, TileDecoder)? {
        let work: (Int, TileDecoder)?? = state.wait { state in
            if state.isStopped { return .some(nil) }
            var best: (need: Int, number: Int)?
            for (number, job) in state.jobs {
                guard let need = job.need else { continue }
                if best.map({ (need, number) < ($0.need, $0.number) }) ?? true { best = (need, number) }
            }
            guard let best, let decoder = state.jobs[best.number]?.decoder else { return nil }
            state.jobs[best.number]?.isBusy = true
            return (best.number, decoder)
        }
        return work ?? nil
    }

    private func deliver(_ outcome: Result<TileFrame?, GIFError>, from decoder: TileDecoder, to number: Int) {
        let isWaitedFor = state.withLock { state in
            // It may have been removed meanwhile.
            guard var job = state.jobs.removeValue(forKey: number) else { return false }
            defer { state.jobs[number] = job }
            job.isBusy = false
            job.canvas = decoder.canvas
            let isWaitedFor = job.film.isEmpty || (!job.playhead.isStill && job.film.end - 1 <= job.playhead.frame)
            switch outcome {
            case .success(let frame?): job.film.append(frame)
            case .success(nil):
                job.film.endPass()
                if job.film.loop != nil { job.decoder = nil }
            case .failure(let error): job.failure = error
            }
            return isWaitedFor
        }
        if isWaitedFor { wake() }
    }
}
