import Base
import GIFDecode
import Pixels

/// Decodes on a thread of its own, a few frames ahead, so that neither a heavy frame nor a stalled
/// download holds up a key.
///
/// The frames travel in a ring of reused buffers. The thread ends with the object, or, where it
/// waits for bytes then, as soon as some come.
public final class DecodeAhead: FrameSource {
    /// Frames decoded before they are asked for: enough to even out heavy ones, and of the largest
    /// that the limits allow they take 64 MiB with the one on show.
    private static let depth = 3

    private let shared: Shared
    private var current: IndexedFrame?

    /// - Parameters:
    ///   - reader: is used by the decoding thread alone from here on.
    ///   - goesOn: whether another pass follows, given the passes done and the file's summary;
    ///     the thread then decodes into it without being asked.
    ///   - wake: called from the decoding thread when a step after `.pending` is there.
    public init(
        _ reader: sending GIFReader, goesOn: @escaping @Sendable (Int, GIFReader.Summary) -> Bool,
        wake: @escaping @Sendable () -> Void
    ) {
        shared = Shared(reader, goesOn: goesOn, wake: wake)
        for _ in 0..<Self.depth + 1 { shared.recycle(IndexedFrame()) }
        shared.start()
    }

    deinit { shared.stop() }

    public func next() -> FrameStep {
        let step = shared.take(returning: current)
        current = nil
        if case .frame(let frame) = step { current = frame }
        return step
    }

    public func rewind() {
        if let current { shared.recycle(current) }
        current = nil
        shared.rewind()
    }
}

/// What both threads know.
private final class Shared {
    private struct State {
        var free: [IndexedFrame] = []
        var ready: [FrameStep] = []
        var isWaitedFor = false
        var order = Order.decode
        /// Steps decoded under an older number belong before the last rewind.
        var generation = 0
    }

    private enum Order {
        case decode
        case rewind
        /// The last pass is over, or the file cannot be read, until somebody asks for more.
        case rest
        case stop
    }

    private enum Work {
        case decode(IndexedFrame, generation: Int)
        case rewind
        case stop
    }

    private let state = Monitor(State())
    private let reader: GIFReader
    private let goesOn: @Sendable (Int, GIFReader.Summary) -> Bool
    private let wake: @Sendable () -> Void
    private var passes = 0

    init(
        _ reader: GIFReader, goesOn: @escaping @Sendable (Int, GIFReader.Summary) -> Bool,
        wake: @escaping @Sendable () -> Void
    ) {
        self.reader = reader
        self.goesOn = goesOn
        self.wake = wake
    }

    func start() {
        guard DetachedThread.start({ self.run() }) else {
            return deliver(.failed(.outOfMemory), generation: 0, then: .rest)
        }
    }

    // MARK: - The player's side

    func take(returning used: IndexedFrame?) -> FrameStep {
        state.withLock { state in
            if let used { state.free.append(used) }
            if state.ready.isEmpty {
                // Going back and forth, a player may come to the end more often than it plays passes.
                if state.order == .rest { state.order = .rewind }
                state.isWaitedFor = true
                return .pending
            }
            return state.ready.removeFirst()
        }
    }

    func recycle(_ frame: IndexedFrame) {
        state.withLock { $0.free.append(frame) }
    }

    func rewind() {
        state.withLock { state in
            for case .frame(let frame) in state.ready { state.free.append(frame) }
            state.ready.removeAll(keepingCapacity: true)
            state.generation += 1
            state.order = .rewind
        }
    }

    func stop() {
        state.withLock { $0.order = .stop }
    }

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
            case .rest: return nil
            case .decode: return state.free.popLast().map { .decode($0, generation: state.generation) }
            }
        }
    }

    private func rewindReader() {
        do throws(GIFError) { try reader.rewind() } catch {
            deliver(.failed(error), generation: nil, then: .rest)
        }
    }

    private func decode(into frame: IndexedFrame, _ generation: Int) {
        do throws(GIFError) {
            if try reader.next(into: frame) {
                return deliver(.frame(frame), generation: generation, then: nil)
            }
            recycle(frame)
            passes += 1
            let summary = reader.summary
            guard goesOn(passes, summary) else { return deliver(.end(summary), generation: generation, then: .rest) }
            deliver(.end(summary), generation: generation, then: nil)
            try reader.rewind()
        } catch {
            deliver(.failed(error), generation: generation, then: .rest)
        }
    }

    /// - Parameter generation: nil for a step that holds whatever was ordered meanwhile.
    private func deliver(_ step: FrameStep, generation: Int?, then order: Order?) {
        let isWaitedFor = state.withLock { state in
            guard generation == nil || generation == state.generation else {
                if case .frame(let frame) = step { state.free.append(frame) }
                return false
            }
            if let order, state.order == .decode { state.order = order }
            state.ready.append(step)
            defer { state.isWaitedFor = false }
            return state.isWaitedFor
        }
        if isWaitedFor { wake() }
    }
}

// The reader and the pass count are the decoding thread's alone; the rest is behind the monitor.
extension Shared: @unchecked Sendable {}
