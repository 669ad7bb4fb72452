import Base
import Pixels
import Playback

/// Decodes the animations of all tiles on a separate thread. The worker decodes the first frame of every tile before
/// any other frame. Then it decodes frames in advance, always for the animation with the fewest left.
final class TileWorker: Sendable {
    /// The maximum number of frames of an animation that are decoded in advance; for frames in memory that exceed
    /// ``TileAnimation/limit``, such as images, 2.
    private static let ahead = 6

    /// The decoding of one animation whose bytes have arrived.
    // Sendable, because only the worker's thread uses the decoder, and the monitor protects everything else.
    private struct Job: @unchecked Sendable {
        /// The decoder, with the file's bytes and the canvas; nil once all frames of the loop are in memory.
        var decoder: TileDecoder?
        var animation = TileAnimation()
        var canvas: PixelSize?
        var failure: GIFError?
        var isDamaged = false
        var isBusy = false

        /// The number of frames that are decoded in advance; -1 before the first frame; nil if the job needs no frame
        /// now. A job with a lower number is more urgent.
        var framesAhead: Int? {
            if decoder == nil || failure != nil || isBusy { return nil }
            if animation.isEmpty { return -1 }
            let ahead = animation.end - 1 - animation.frameNumber
            let limit = animation.bytes > TileAnimation.limit ? 2 : TileWorker.ahead
            return animation.purpose == .still || ahead >= limit ? nil : ahead
        }
    }

    private struct State {
        var jobs: [Int: Job] = [:]
        var isStopped = false
    }

    private let state = Monitor(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: called on the worker's thread when the worker has a result that a tile is waiting for.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Starts the thread, which keeps the worker alive until ``stop()``.
    /// - Returns: whether the thread was created. Without the thread, nothing is decoded.
    func start() -> Bool { DetachedThread.start { self.run() } }

    func stop() { state.withLock { $0.isStopped = true } }

    // MARK: - Called by the tile controller

    /// - Parameters:
    ///   - number: a number that was never used before.
    ///   - start: the time in the loop of the first frame that is displayed, in nanoseconds.
    func add(
        _ number: Int, bytes: [UInt8], _ request: TileRequest, backdrop: Backdrop, _ purpose: TileRequest.Purpose,
        from start: Int64 = 0
    ) {
        var job = Job(decoder: TileDecoder(bytes, request, backdrop: backdrop, from: start))
        job.animation.purpose = purpose
        job.animation.phase = Int64(number % 5) * 20 * Span.millisecond
        let begun = job
        state.withLock { $0.jobs[number] = begun }
    }

    func remove(_ number: Int) { state.withLock { $0.jobs[number] = nil } }

    func setPurpose(_ number: Int, _ purpose: TileRequest.Purpose) {
        state.withLock { $0.jobs[number]?.animation.purpose = purpose }
    }

    /// Continues the animation at this time in its loop, in nanoseconds.
    func seek(_ number: Int, to time: Int64) { state.withLock { $0.jobs[number]?.animation.goal = time } }

    struct Report: Sendable {
        var picture: TileFrame?
        var canvas: PixelSize?
        var failure: GIFError?
        /// Known at the end of the first pass.
        var isDamaged = false
    }

    /// Advances all animations to `now` in one call, which acquires the lock only once.
    /// - Returns: the reports keyed by the number of the animation, whether any displayed frame has changed, and the
    ///   time at which the next frame is due.
    func advance(to now: Instant) -> (reports: [Int: Report], changed: Bool, next: Instant?) {
        // Without the condition, the worker's thread would wake up for each frame.
        state.withLock(wakes: { $0.jobs.values.contains { $0.framesAhead.map { $0 <= 1 } ?? false } }) { state in
            var reports: [Int: Report] = [:]
            reports.reserveCapacity(state.jobs.count)
            var changed = false
            var next: Instant?
            // Change the values in place, because a loop over the keys would copy the whole dictionary.
            var index = state.jobs.startIndex
            while index != state.jobs.endIndex {
                if state.jobs.values[index].animation.advance(to: now) { changed = true }
                let (number, job) = state.jobs[index]
                next = .earliest(next, job.animation.nextFrameTime)
                reports[number] = Report(
                    picture: job.animation.picture, canvas: job.canvas, failure: job.failure, isDamaged: job.isDamaged)
                state.jobs.formIndex(after: &index)
            }
            return (reports, changed, next)
        }
    }

    // MARK: - On the worker's thread

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
            var best: (framesAhead: Int, number: Int)?
            for (number, job) in state.jobs {
                guard let framesAhead = job.framesAhead else { continue }
                if best.map({ (framesAhead, number) < ($0.framesAhead, $0.number) }) ?? true {
                    best = (framesAhead, number)
                }
            }
            guard let best, let decoder = state.jobs[best.number]?.decoder else { return nil }
            state.jobs[best.number]?.isBusy = true
            return (best.number, decoder)
        }
        return work ?? nil
    }

    private func deliver(_ outcome: Result<TileFrame?, GIFError>, from decoder: TileDecoder, to number: Int) {
        let isAwaited = state.withLock { state in
            // The job might have been removed in the meantime.
            guard var job = state.jobs.removeValue(forKey: number) else { return false }
            defer { state.jobs[number] = job }
            job.isBusy = false
            job.canvas = decoder.canvas
            let isAtEnd = job.animation.end - 1 <= job.animation.frameNumber
            let isAwaited = job.animation.isEmpty || (job.animation.purpose != .still && isAtEnd)
            switch outcome {
            case .success(let frame?): job.animation.append(frame)
            case .success(nil):
                job.animation.endPass()
                job.isDamaged = decoder.isDamaged
                if job.animation.loop != nil { job.decoder = nil }
            case .failure(let error): job.failure = error
            }
            return isAwaited
        }
        if isAwaited { wake() }
    }
}

struct TileFrame: Sendable {
    /// For an image, the pixels of its cells, row by row. Otherwise, two values for each cell: for each row of cells,
    /// all upper values come before all lower values. The values are the colours of half-blocks or encoded patterns of
    /// subcells.
    let pixels: [CellColor]
    /// The display time of the frame in nanoseconds.
    let delay: Int64
    var mode = PictureMode.half
    /// The time in the loop at which the frame begins, in nanoseconds.
    var start: Int64 = 0
}

/// Decodes the bytes of a GIF into frames of a tile's size. Only the worker uses it.
final class TileDecoder {
    /// The reader of the GIF; nil before the first frame. Creating the reader copies the file. The worker's thread
    /// creates the reader, so that the copy does not delay the thread that handles keys.
    private var reader: GIFReader?
    private var bytes: [UInt8]
    private let frame = IndexedFrame()
    private var elapsed: Int64 = 0
    /// The time in the loop before which frames of the first pass are not displayed.
    private var start: Int64
    private var hasPixels = false
    private let target: PixelSize
    private let backdrop: Backdrop
    private let mode: PictureMode
    private let cellFitter: ScreenCellFitter
    /// Nil before the first frame, because the size of the canvas is not known earlier.
    private var picture: ScaledPicture?

    init(_ bytes: [UInt8], _ request: TileRequest, backdrop: Backdrop, from start: Int64 = 0) {
        self.bytes = bytes
        self.start = start
        self.backdrop = backdrop
        mode = request.mode
        cellFitter = ScreenCellFitter(mode)
        target = request.pixels
    }

    var canvas: PixelSize? { picture?.canvasSize }
    /// Whether a part of the file cannot be decoded, as far as it was read.
    var isDamaged: Bool { reader?.summary.damage.contains(where: \.isVisible) ?? false }

    private func open() -> GIFReader {
        let new = GIFReader(MemoryByteSource(bytes))
        bytes = []
        reader = new
        return new
    }

    /// Returns nil after the last frame of the file, and then the first frame again.
    func next() throws(GIFError) -> TileFrame? {
        let reader = reader ?? open()
        repeat {
            guard try reader.next(into: frame) else {
                // No frame of the damaged file has a pixel.
                guard hasPixels else { throw .noImage(reader.summary.damage) }
                try reader.rewind()
                picture?.clear()
                (elapsed, start) = (0, 0)
                return nil
            }
            if picture == nil {
                picture = ScaledPicture(
                    try Canvas(size: frame.canvas), target: target, pixelsPerCell: mode.pixelsPerCell, filter: .smooth,
                    backdrop: backdrop)
            }
            try picture?.draw(frame)
            // The first frames of a damaged file can lack all pixels.
            hasPixels = hasPixels || reader.summary.damage.isEmpty || picture?.isEmpty == false
            if hasPixels { elapsed += frame.playNanoseconds }
        } while elapsed <= start
        start = 0
        picture?.update()
        return TileFrame(
            pixels: picture?.cells(cellFitter) ?? [], delay: frame.playNanoseconds, mode: mode,
            start: elapsed - frame.playNanoseconds)
    }
}

/// The decoded frames of one tile's animation in display order, the displayed frame, and the time at which the next frame
/// is due.
///
/// If the frames of the whole loop fit into ``limit``, all of them stay in memory and are decoded only once. In a
/// longer loop, frames that were shown are freed, and are decoded again in the next pass through the file.
///
/// As in the player, each deadline is the previous deadline plus the delay of the displayed frame. The deadline does
/// not depend on the time at which the frame was actually displayed. A late update therefore drops frames but does not
/// slow the animation down. Only a very late frame, probably not decoded in time, shifts the deadlines.
struct TileAnimation {
    /// The maximum size of a whole loop that stays in memory, in bytes. 4 MiB hold 1,500 frames of 28 by 24 half-block
    /// pixels, or 24 frames of an image of 28 by 12 cells.
    static let limit = 4 << 20

    private var frames: [TileFrame] = []
    /// The frame number of `frames[0]`. The numbering continues from pass to pass and does not start again at 0.
    private var first = 0
    /// The frame number with which the present pass through the file began.
    private var passStart = 0
    private(set) var bytes = 0
    /// The number of frames in the loop; nil unless all of them are in memory.
    private(set) var loop: Int?
    /// The time in nanoseconds of a whole pass through the file; nil before its end.
    private var length: Int64?

    private(set) var picture: TileFrame?
    private(set) var frameNumber = -1
    /// Nil before the first frame.
    private var deadline: Instant?
    /// The time in the loop, in nanoseconds, up to which frames are passed over without a display; nil for none.
    var goal: Int64?
    var purpose = TileRequest.Purpose.animation
    /// The phase of slow animations, in nanoseconds. Tiles with different phases change at different times, so that no
    /// update of the screen exceeds the buffer of a pty.
    var phase: Int64 = 0

    /// The time between two changes of the picture at least, in nanoseconds.
    private var step: Int64 { purpose == .slowAnimation ? 100 * Span.millisecond : 1 }

    /// The number that the next decoded frame gets. The value has no meaning if `loop` is set.
    var end: Int { first + frames.count }
    var isEmpty: Bool { frames.isEmpty }

    /// The frame with this number; nil if it is not decoded yet or was freed.
    func frame(_ number: Int) -> TileFrame? {
        if let loop { return frames[number % loop] }
        guard number >= first, number < end else { return nil }
        return frames[number - first]
    }

    mutating func append(_ frame: TileFrame) {
        frames.append(frame)
        bytes += frame.pixels.count * MemoryLayout<UInt32>.stride
    }

    /// Keeps the frames of the pass if they are the whole loop: none was freed, and the pass began with the first one.
    mutating func endPass() {
        if let last = frames.last { length = last.start + last.delay }
        defer { passStart = end }
        guard loop == nil, frame(passStart)?.start == 0 else { return }
        let count = end - passStart
        free(passStart - first)
        (first, loop) = (0, count)
        // The same frame of the loop.
        if passStart > 0 { frameNumber += (passStart / count + 1) * count - passStart }
    }

    private mutating func free(_ count: Int) {
        for frame in frames[..<count] { bytes -= frame.pixels.count * MemoryLayout<UInt32>.stride }
        frames.removeFirst(count)
        first += count
    }

    /// Frees the frames before this number if all frames in memory together exceed ``limit``.
    mutating func release(before number: Int) {
        guard loop == nil, bytes > Self.limit, number > first else { return }
        free(max(0, min(number - first, frames.count - 1)))
    }

    // MARK: - The displayed frame

    /// Returns nil for a still picture or a single frame, or if the next frame is not decoded yet.
    var nextFrameTime: Instant? {
        guard purpose != .still, loop != 1, frame(frameNumber + 1) != nil else { return nil }
        return deadline.map {
            Instant(nanoseconds: ($0.nanoseconds - phase + step - 1) / step * step + phase)
        }
    }

    /// - Returns: whether the displayed frame has changed.
    mutating func advance(to now: Instant) -> Bool {
        defer { release(before: frameNumber) }
        guard picture != nil else {
            guard let first = frame(frameNumber + 1) else { return false }
            show(first, number: frameNumber + 1)
            deadline = now + first.delay
            return true
        }
        guard purpose != .still, loop != 1 else { return false }
        if goal != nil { return seek(at: now) }
        var changed = false
        let latest = Instant(nanoseconds: now.nanoseconds - (now.nanoseconds - phase) % step)
        while let due = deadline, due <= latest, let next = frame(frameNumber + 1) {
            show(next, number: frameNumber + 1)
            deadline = (now - due > Timeline.stallTolerance ? now : due) + next.delay
            changed = true
        }
        return changed
    }

    /// Passes over the frames before the goal, also beyond the end of the loop.
    private mutating func seek(at now: Instant) -> Bool {
        while let time = goal, let candidate = frame(frameNumber) {
            let time = length.map { time % max(1, $0) } ?? time
            if (candidate.start..<candidate.start + candidate.delay).contains(time) {
                goal = nil
                show(candidate, number: frameNumber)
                deadline = now + (candidate.start + candidate.delay - time)
                return true
            }
            guard frame(frameNumber + 1) != nil else { return false }
            frameNumber += 1
        }
        return false
    }

    private mutating func show(_ next: TileFrame, number: Int) {
        picture = next
        frameNumber = number
    }
}
