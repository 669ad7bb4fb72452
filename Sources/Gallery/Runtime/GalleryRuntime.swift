import Base
import Catalog
import Pixels
import Playback

/// Everything that the gallery needs of the world but the terminal.
public struct GalleryServices: Sendable {
    public var listings: any ListingSource
    public var media: any MediaSource
    public var desk: any GalleryDesk
    /// Nil where there is none: nothing is remembered then.
    public var store: (any GalleryStore)?
    /// Seconds since 1970.
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
    /// The terminal is gone.
    case closed
}

/// Runs the gallery on a terminal: events go into the state, effects are carried out, screens are drawn.
///
/// The one place of the gallery with I/O, and on its thread none that could wait: the network, the
/// store and the desk are asked in tasks, and decoding has a thread of its own.
public final class GalleryRuntime {
    let terminal: any PlaybackTerminal
    let inbox: Inbox
    let errands: Errands
    var state: GalleryState
    /// Loads that have not answered.
    var loads: [Int: Task<Void, Never>] = [:]
    /// Writes to the store, one after the other in the order they were asked for.
    var lastWrite: Task<Void, Never>?
    var end: GalleryEnd?
    let stage: TileStage
    private let composer: ScreenComposer
    private var screen: Screen
    private var pace = Pace()
    /// When the screen was begun and made that the terminal still takes in.
    private var sending: (start: Instant, made: Instant)?
    /// When a tile moves next.
    private var nextMove: Instant?
    private var mustDraw = true
    /// The state has changed since `screen` was made of it.
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
            // Keys that have come meanwhile are all heard before anything is drawn.
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

    /// Ends once everything is written that was to be remembered; for whoever ends the process.
    public var remembering: Task<Void, Never>? { lastWrite }

    /// Shows a message on the status line. Called from any thread.
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
            // The clock may have stood still meanwhile, with the machine.
            setClock()
            feed(.changed(terminal.traits))
        case .signal(let number): end = .interrupted(signal: number)
        case .closed: end = .closed
        }
    }

    /// Tells the state what time of day the terminal's clock stands for.
    private func setClock() {
        state.options.secondsAtOrigin = errands.services.seconds() - Int(terminal.now.nanoseconds / Span.second)
    }

    func feed(_ event: GalleryEvent) {
        isStale = true
        mustDraw = true
        if case .loaded(let ticket, _) = event { loads[ticket] = nil }
        for effect in state.update(event, at: terminal.now) { perform(effect) }
    }

    /// Takes in what has come from elsewhere, and moves the tiles.
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
        // While the terminal is busy its own event ends the wait.
        return terminal.isDrained ? terminal.now : nil
    }

    /// Other tiles are wanted.
    func want(_ requests: [TileRequest]) {
        stage.want(requests)
        nextMove = terminal.now
    }

    // MARK: - Drawing

    /// Nothing is drawn while the terminal still takes in what was: it would only be late as well.
    private func drawIfPossible() {
        guard mustDraw, end == nil, terminal.isDrained else { return }
        // The screen before was taken in without being waited for.
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

    /// The terminal has taken in the latest screen.
    private func noteTaken() {
        guard let (start, made) = sending else { return }
        sending = nil
        pace.noteScreen(from: start, made: made, taken: terminal.now)
    }

    func redraw() {
        composer.forget()
        mustDraw = true
    }

    /// Sends what is no part of the screen, such as a clipboard's text.
    func send(_ text: String) {
        var text = text
        text.withUTF8 { terminal.present(UnsafeRawBufferPointer($0), UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
}
