import Base
import Catalog
import Pixels
import Playback

/// The external services that the gallery uses, except for the terminal.
public struct GalleryServices: Sendable {
    public var listings: any ListingSource
    public var media: any MediaSource
    public var desk: any GalleryDesk
    /// Nil if there is no store; then nothing is stored.
    public var store: (any GalleryStore)?
    /// Returns the current time in seconds since 1970.
    public var seconds: @Sendable () -> Int

    public init(
        listings: any ListingSource, media: any MediaSource, desk: any GalleryDesk, store: (any GalleryStore)?,
        seconds: @escaping @Sendable () -> Int
    ) {
        self.listings = listings
        self.media = media
        self.desk = desk
        self.store = store
        self.seconds = seconds
    }
}

/// Why the gallery ended.
public enum GalleryEnd: Equatable, Sendable {
    case quit
    case interrupted(signal: Int32)
    /// The terminal was closed.
    case closed
}

/// Runs the gallery on a terminal: passes events to the state, performs its effects and draws its screens.
///
/// This is the only part of the gallery with I/O. Its thread blocks only to wait for terminal events: tasks access
/// the network, the store and the desktop, and a separate thread decodes.
public final class GalleryRuntime {
    let terminal: any PlaybackTerminal
    let inbox: Inbox
    let errands: Errands
    var state: GalleryState
    /// The loads that have not answered yet, by ticket.
    var loads: [Int: Task<Void, Never>] = [:]
    /// The last queued write of marks to the store. Each write waits for the previous one, which keeps their order.
    var lastWrite: Task<Void, Never>?
    var end: GalleryEnd?
    let stage: TileStage
    private let composer: ScreenComposer
    private var screen: Screen
    private var pace = Pace()
    /// When composing began and ended for the screen that the terminal is still receiving.
    private var sending: (start: Instant, made: Instant)?
    /// When the next frame of any tile is due.
    private var nextMove: Instant?
    private var mustDraw = true
    /// Whether the state has changed since `screen` was made from it.
    private var isStale = true

    public init(_ state: GalleryState, terminal: any PlaybackTerminal, services: GalleryServices) {
        self.state = state
        self.terminal = terminal
        inbox = Inbox(wake: terminal.waker)
        errands = Errands(services: services, inbox: inbox)
        composer = ScreenComposer(size: terminal.traits.size)
        stage = TileStage(media: services.media, backdrop: Self.backdrop(terminal.traits), wake: terminal.waker)
        screen = Screen(size: terminal.traits.size)
    }

    private static func backdrop(_ traits: TerminalTraits) -> Backdrop { .terminal(traits.background ?? .black) }

    /// Runs until the user, a signal or the terminal ends it.
    public func run() -> GalleryEnd {
        setClock()
        feed(.opened)
        while end == nil {
            drawIfPossible()
            take(terminal.wait(until: .earliest(state.nextDeadline, nextTick)))
            // Handle all pending events before drawing.
            while end == nil {
                let event = terminal.wait(until: terminal.now)
                if event == .deadline { break }
                take(event)
            }
            tick()
        }
        for load in loads.values { load.cancel() }
        stage.want([])
        return end ?? .quit
    }

    /// The last queued write of marks (favourite, viewed, dismissed); nil if there was none. Await it before the
    /// process exits. It does not cover writes of listings.
    public var remembering: Task<Void, Never>? { lastWrite }

    /// Shows a message on the status line. Can be called from any thread.
    public var tell: @Sendable (Message) -> Void {
        { [inbox] message in inbox.post(.told(message)) }
    }

    // MARK: - Events

    private func take(_ event: TerminalEvent) {
        switch event {
        case .deadline: break
        case .drained: noteTaken()
        case .wake: nextMove = terminal.now
        case .key(let key): feed(.key(key))
        case .pointer(let pointer): feed(.pointer(pointer))
        case .changed:
            stage.setBackdrop(Self.backdrop(terminal.traits))
            feed(.changed(terminal.traits))
        case .resumed:
            composer.forget()
            // The monotonic clock may have stopped while the machine was suspended.
            setClock()
            feed(.changed(terminal.traits))
        case .signal(let number): end = .interrupted(signal: number)
        case .closed: end = .closed
        }
    }

    /// Gives the state the offset between the terminal's monotonic clock and the time since 1970.
    private func setClock() {
        state.options.secondsAtOrigin = errands.services.seconds() - Int(terminal.now.nanoseconds / Span.second)
    }

    func feed(_ event: GalleryEvent) {
        isStale = true
        mustDraw = true
        if case .loaded(let ticket, _) = event { loads[ticket] = nil }
        for effect in state.update(event, at: terminal.now) { perform(effect) }
    }

    /// Handles the events from tasks and due deadlines, then advances the tiles.
    private func tick() {
        for event in inbox.take() { feed(event) }
        for sequence in inbox.takeSequences() { send(sequence) }
        let now = terminal.now
        if let deadline = state.nextDeadline, deadline <= now { feed(.deadline) }
        guard let due = pace.next(after: nextMove), due <= now else { return }
        let (news, changed, next) = stage.advance(to: now)
        nextMove = next
        pace.noteMove(at: now)
        for (key, news) in news { feed(.tile(key, news)) }
        if changed { mustDraw = true }
    }

    private var nextTick: Instant? {
        guard mustDraw else { return pace.next(after: nextMove) }
        // While the terminal is busy, its `drained` event ends the wait.
        return terminal.isDrained ? terminal.now : nil
    }

    /// Replaces the requested tiles.
    func want(_ requests: [TileRequest]) {
        stage.want(requests)
        nextMove = terminal.now
    }

    // MARK: - Drawing

    /// Draws nothing while the terminal is still receiving the previous screen: the new one would only be late too.
    private func drawIfPossible() {
        guard mustDraw, end == nil, terminal.isDrained else { return }
        // There was no `drained` event for the previous screen: the terminal received it without a wait.
        if let (start, made) = sending { pace.noteScreen(from: start, made: made, taken: made) }
        let start = terminal.now
        if isStale { screen = state.view() }
        isStale = false
        mustDraw = false
        composer.fidelity = pace.isLineSlow ? .coarse : .standard
        composer.compose(screen) { stage.picture(of: $0) }
        if composer.output.count > 0 {
            terminal.present(composer.output.bytes, UnsafeRawBufferPointer(start: nil, count: 0))
        }
        sending = (start, terminal.now)
    }

    /// Records that the terminal has received the latest screen.
    private func noteTaken() {
        guard let (start, made) = sending else { return }
        sending = nil
        pace.noteScreen(from: start, made: made, taken: terminal.now)
    }

    func redraw() {
        composer.forget()
        mustDraw = true
    }

    /// Sends a text that is not part of the screen, such as a clipboard sequence.
    func send(_ text: String) {
        var text = text
        text.withUTF8 { terminal.present(UnsafeRawBufferPointer($0), UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
}
