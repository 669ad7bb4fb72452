import Base
import Pixels

/// Decodes a few frames ahead on its own thread, so that neither a slow frame nor a stalled download delays keys.
///
/// The frame buffers are reused. The thread ends after deallocation of this object, or when awaited bytes arrive.
public final class DecodeAhead: FrameSource {
    private let thread: DecodingThread
    private var current: IndexedFrame?

    /// - Parameters:
    ///   - reader: used only by the decoding thread from now on.
    ///   - shouldContinue: returns whether another pass follows, given the number of completed passes and the file's
    ///     summary. If it returns true, the thread starts the next pass without waiting for a request. Called on the
    ///     decoding thread.
    ///   - wake: called on the decoding thread when a step is ready after ``next()`` returned `.pending`.
    public init(
        _ reader: sending GIFReader, shouldContinue: @escaping @Sendable (Int, GIFReader.Summary) -> Bool,
        wake: @escaping @Sendable () -> Void
    ) {
        thread = DecodingThread(reader, shouldContinue: shouldContinue, wake: wake)
        // One frame more, because the player displays one.
        for _ in 0...DecodingThread.smallFrames { thread.recycle(IndexedFrame()) }
        thread.start()
    }

    deinit { thread.stop() }

    public func next() -> FrameStep {
        let step = thread.nextStep(returning: current)
        current = nil
        if case .frame(let frame) = step { current = frame }
        return step
    }

    public func rewind() {
        if let current { thread.recycle(current) }
        current = nil
        thread.rewind()
    }

    public func expectReplay(_ isExpected: Bool) { thread.expectReplay(isExpected) }
}

/// The decoding thread, with the state that it shares with the player's thread.
private final class DecodingThread {
    /// Many small frames are prepared in advance, so that the thread seldom wakes up. Few large frames are enough to
    /// compensate for slow ones; with the displayed frame, they take up to 64 MiB.
    static let (smallFrames, largeFrames) = (12, 3)
    private static let largestSmallFrame = 16 << 10

    private struct State {
        var free: [IndexedFrame] = []
        var ready: [FrameStep] = []
        /// The number of steps that are prepared in advance.
        var depth = smallFrames
        var isPlayerWaiting = false
        var order = Order.decode
        var expectsReplay = false
        /// Whether nothing is decoded until the player has requested more than the first frame of this pass.
        var isHeld = false
        /// Incremented by each rewind. Steps of an older generation are discarded.
        var generation = 0

        /// Whether the thread must wake up. Otherwise, it would wake up for each frame.
        var isRunningLow: Bool { !isHeld && ready.count <= 1 }
    }

    private enum Order {
        case decode
        case rewind
        /// Do nothing after the last pass or after an error, until the player requests another step.
        case idle
        case stop
    }

    private enum Work {
        case decode(IndexedFrame, generation: Int)
        case rewind
        case stop
    }

    private let state = Monitor(State())
    private let reader: GIFReader
    private let shouldContinue: @Sendable (Int, GIFReader.Summary) -> Bool
    private let wake: @Sendable () -> Void
    private var passes = 0

    init(
        _ reader: GIFReader, shouldContinue: @escaping @Sendable (Int, GIFReader.Summary) -> Bool,
        wake: @escaping @Sendable () -> Void
    ) {
        (self.reader, self.shouldContinue, self.wake) = (reader, shouldContinue, wake)
    }

    func start() {
        guard DetachedThread.start({ self.run() }) else {
            return deliver(.failed(.noThread), generation: 0, then: .idle)
        }
    }

    // MARK: - The player's side

    func nextStep(returning used: IndexedFrame?) -> FrameStep {
        state.withLock(wakes: \.isRunningLow) { state in
            if let used { state.free.append(used) }
            if state.ready.isEmpty {
                // If the thread is idle after the last pass, start another pass. Seeks can make the player need more
                // passes than there are loop iterations.
                if state.order == .idle { state.order = .rewind }
                state.isHeld = false
                state.isPlayerWaiting = true
                return .pending
            }
            return state.ready.removeFirst()
        }
    }

    func recycle(_ frame: IndexedFrame) { state.withLock { $0.free.append(frame) } }

    func rewind() {
        state.withLock { state in
            for case .frame(let frame) in state.ready { state.free.append(frame) }
            state.ready.removeAll(keepingCapacity: true)
            state.generation += 1
            state.order = .rewind
            state.isHeld = false
        }
    }

    func expectReplay(_ isExpected: Bool) {
        state.withLock(wakes: \.isRunningLow) { state in
            state.expectsReplay = isExpected
            if !isExpected { state.isHeld = false }
        }
    }

    func stop() { state.withLock { $0.order = .stop } }

    // MARK: - The decoding thread's side

    private func run() {
        while true {
            switch nextWork() {
            case .stop: return
            case .rewind: rewindReader()
            case .decode(let frame, let generation): decode(into: frame, generation)
            }
        }
    }

    private func nextWork() -> Work {
        state.wait { state in
            switch state.order {
            case .stop: return .stop
            case .rewind:
                state.order = .decode
                return .rewind
            case .idle: return nil
            case .decode where state.isHeld || state.ready.count >= state.depth: return nil
            case .decode where state.free.isEmpty: return nil
            case .decode:
                // Small frames use all buffers in turn, so that the memory does not depend on the timing. Large ones use
                // as few as possible.
                let frame = state.depth == Self.smallFrames ? state.free.removeFirst() : state.free.removeLast()
                return .decode(frame, generation: state.generation)
            }
        }
    }

    private func rewindReader() {
        do throws(GIFError) { try reader.rewind() } catch {
            deliver(.failed(error), generation: nil, then: .idle)
        }
    }

    private func decode(into frame: IndexedFrame, _ generation: Int) {
        do throws(GIFError) {
            if try reader.next(into: frame) { return deliver(.frame(frame), generation: generation, then: nil) }
            recycle(frame)
            passes += 1
            let summary = reader.summary
            guard shouldContinue(passes, summary) else {
                return deliver(.end(summary), generation: generation, then: .idle)
            }
            deliver(.end(summary), generation: generation, then: nil)
            try reader.rewind()
        } catch {
            deliver(.failed(error), generation: generation, then: .idle)
        }
    }

    /// - Parameter generation: the generation in which the step was decoded. A step of an older generation is
    ///   discarded. If `generation` is nil, the step is delivered even if a rewind was requested in the meantime.
    private func deliver(_ step: FrameStep, generation: Int?, then order: Order?) {
        let isPlayerWaiting = state.withLock { state in
            guard generation == nil || generation == state.generation else {
                if case .frame(let frame) = step { state.free.append(frame) }
                return false
            }
            if let order, state.order == .decode { state.order = order }
            if case .frame(let frame) = step, frame.number == 0, passes > 0 { state.isHeld = state.expectsReplay }
            if case .frame(let frame) = step, frame.indices.count > Self.largestSmallFrame {
                state.depth = Self.largeFrames
            }
            state.ready.append(step)
            defer { state.isPlayerWaiting = false }
            return state.isPlayerWaiting
        }
        if isPlayerWaiting { wake() }
    }
}

// Only the decoding thread uses the reader and the pass count; the `Monitor` protects the other mutable state.
extension DecodingThread: @unchecked Sendable {}

/// Decodes each frame in ``next()`` on the caller's thread. Used for output to files and pipes, and for virtual time.
public final class DirectFrameSource: FrameSource {
    private let reader: GIFReader
    private let frame = IndexedFrame()
    private var hasEnded = false

    public init(_ reader: GIFReader) { self.reader = reader }

    public func next() -> FrameStep {
        do throws(GIFError) {
            if hasEnded {
                try reader.rewind()
                hasEnded = false
            }
            if try reader.next(into: frame) { return .frame(frame) }
            hasEnded = true
            return .end(reader.summary)
        } catch {
            return .failed(error)
        }
    }

    public func rewind() { hasEnded = true }
}
