import Base
import Catalog
import Pixels
import Playback

public enum GalleryEnd: Equatable, Sendable {
    case quit
    case interrupted(signal: Int32)
    case closed
    /// The user has picked these GIFs; at least one.
    case picked([PickedGIF])
}

/// A GIF that the user has picked. `path` is its file on this machine; nil if the GIF was not saved.
public struct PickedGIF: Equatable, Sendable {
    public var reference: GIFReference
    public var path: String?

    public init(reference: GIFReference, path: String?) { (self.reference, self.path) = (reference, path) }
}

/// Runs the gallery on a terminal: passes events to the state, performs its effects and draws its screens.
///
/// All I/O of the gallery is done or started here. Tasks access the network, the store and the desktop, and a separate
/// thread decodes the GIFs. Therefore, the runtime's thread blocks only while it waits for terminal events.
public final class GalleryRuntime {
    let terminal: any PlaybackTerminal
    let tasks: GalleryTasks
    var state: GalleryState
    var loads: [Int: Task<Void, Never>] = [:]
    /// The process must not exit before its last write has ended. Writes of listings are not in it.
    public let writes = MarkWrites()
    var end: GalleryEnd?
    let tileController: TileController
    /// Nil while it plays, or if there is none.
    var player: (any GalleryPlayer)?
    private let composer: ScreenComposer
    /// The latest screen; nil if the state has changed since.
    private var screen: GalleryScreen?
    private var rateLimiter = AdvanceRateLimiter()
    /// The time at which the tiles must be advanced next; nil if no frame is due.
    private var nextAdvance: Instant?
    private var needsDraw = true
    private var coarseEnd: Instant?

    public init(
        _ state: GalleryState, terminal: any PlaybackTerminal, services: GalleryServices,
        player: (any GalleryPlayer)? = nil
    ) {
        (self.state, self.terminal, self.player) = (state, terminal, player)
        tasks = GalleryTasks(services: services, inbox: Inbox(wake: terminal.waker))
        composer = ScreenComposer(
            size: terminal.traits.size, colors: terminal.traits.colors, background: terminal.traits.background)
        tileController = TileController(
            media: services.media, backdrop: Self.backdrop(terminal.traits), wake: terminal.waker)
    }

    /// False if the thread that decodes the tiles cannot be created.
    public var canDecode: Bool { tileController.canDecode }

    private static func backdrop(_ traits: TerminalTraits) -> Backdrop {
        traits.background.map { .terminal($0) } ?? .unknownTerminal
    }

    /// Runs the gallery until the user quits, a signal arrives or the terminal is closed.
    public func run() -> GalleryEnd {
        setClock()
        feed(.opened)
        while end == nil {
            if state.mode.isFull { playLarge() }
            if end == nil { drawIfPossible() }
            // Handle all pending events before drawing. At a deadline, no event is pending.
            var event = terminal.wait(until: .earliest(state.nextDeadline, nextTick))
            while event != .deadline {
                take(event)
                // The player gets the keys after that which has opened the large view.
                event = end == nil && !state.mode.isFull ? terminal.wait(until: terminal.now) : .deadline
            }
            if !state.mode.isFull { tick() }
        }
        if !tasks.services.running.unsaved.isEmpty {
            feed(.reported(.saving))
            drawIfPossible()
        }
        releaseScreen()
        for load in loads.values { load.cancel() }
        tileController.setRequests([])
        return end ?? .quit
    }

    /// A function that shows a message on the status line. Any thread can call it.
    public var notify: @Sendable (GalleryMessage) -> Void {
        { [inbox = tasks.inbox] message in inbox.post(.reported(message)) }
    }

    /// A function that reports the marks of displayed GIFs. Any thread can call it.
    public var addMarks: @Sendable ([GIFKey: Marks]) -> Void {
        { [inbox = tasks.inbox] marks in inbox.post(.marked(marks)) }
    }

    // MARK: - Events

    func take(_ event: TerminalEvent) {
        switch event {
        case .deadline: break
        case .drained: rateLimiter.recordReceived(at: terminal.now)
        case .wake: nextAdvance = terminal.now
        case .key(let key): feed(.key(key))
        case .pointer(let pointer): feed(.pointer(pointer))
        case .paste(let text): feed(.paste(text))
        case .changed:
            tileController.setBackdrop(Self.backdrop(terminal.traits))
            composer.setColors(terminal.traits.colors, background: terminal.traits.background)
            feed(.changed(terminal.traits))
        case .resumed:
            composer.invalidate()
            // The machine might have been suspended, which can stop the monotonic clock.
            setClock()
            feed(.changed(terminal.traits))
        case .signal(let number): end = .interrupted(signal: number)
        case .closed: end = .closed
        }
    }

    /// Gives the state the offset between the terminal's monotonic clock and the time since 1970.
    private func setClock() {
        state.options.secondsAtOrigin = tasks.services.seconds() - Int(terminal.now.nanoseconds / Span.second)
    }

    func feed(_ event: GalleryEvent) {
        screen = nil
        needsDraw = true
        switch event {
        case .loaded(let ticket, _), .loadedStored(let ticket, _, true): loads[ticket] = nil
        case .savedPicks(let picks): end = .picked(picks)
        default: break
        }
        for effect in state.update(event, at: terminal.now) { perform(effect) }
    }

    /// Handles the events from tasks and the deadlines that have passed.
    public func update() {
        for event in tasks.inbox.take() { feed(event) }
        for sequence in tasks.inbox.takeSequences() { send(sequence) }
        if let deadline = state.nextDeadline, deadline <= terminal.now { feed(.deadline) }
    }

    func tick() {
        update()
        let now = terminal.now
        guard let due = advanceTime, due <= now else { return }
        let (updates, changed, next) = tileController.advance(to: now)
        nextAdvance = next
        rateLimiter.recordAdvance(at: now)
        for (key, update) in updates { feed(.tile(key, update)) }
        if changed { needsDraw = true }
    }

    /// The first picture in place of those of the previous listing is not delayed, because these do not move.
    private var advanceTime: Instant? {
        state.previousGrid == nil ? rateLimiter.next(after: nextAdvance) : nextAdvance
    }

    private var nextTick: Instant? {
        guard needsDraw else { return advanceTime }
        // A screen must be drawn. If the terminal is still busy, its `drained` event ends the wait.
        guard terminal.isDrained else { return nil }
        return waitsForPictures ? terminal.now + Self.pictureWait : terminal.now
    }

    func setRequests(_ requests: [TileRequest]) {
        tileController.setRequests(requests)
        requestAdvance()
    }

    func requestAdvance() { nextAdvance = terminal.now }

    // MARK: - Drawing

    /// The time after which the runtime looks again whether pictures can be sent on a slow connection.
    private static let pictureWait = 20 * Span.millisecond
    /// The time for which pictures keep the lower fidelity after one did not fit into an update.
    private static let coarseTime = 2 * Span.second

    /// Whether only pictures have changed, which a slow connection cannot take yet without delaying the next key.
    private var waitsForPictures: Bool { screen != nil && terminal.pictureAllowance == 0 }

    /// Draws the screen if it has changed and the terminal has received the whole previous screen.
    private func drawIfPossible() {
        guard needsDraw, terminal.isDrained, !waitsForPictures else { return }
        rateLimiter.recordReceived(at: nil)
        let start = terminal.now
        if composer.isCut { coarseEnd = start + Self.coarseTime }
        let isCoarse = rateLimiter.isConnectionSlow || coarseEnd.map { start < $0 } ?? false
        composer.fidelity = isCoarse ? .coarse : .standard
        let bound = isCoarse ? composer.fidelity.bound : nil
        if state.bound != bound { (state.bound, screen) = (bound, nil) }
        let screen = screen ?? state.view()
        self.screen = screen
        composer.compose(screen, limit: terminal.pictureAllowance) { tileController.picture(of: $0) }
        needsDraw = composer.isUnfinished
        presentOutput()
        if !terminal.isHidden { rateLimiter.recordSent(from: start, composed: terminal.now) }
    }

    /// Removes the images from the screen.
    func releaseScreen() {
        composer.removeImages()
        presentOutput()
    }

    private func presentOutput() {
        guard composer.output.count > 0 else { return }
        terminal.present(composer.output.bytes, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    func redraw() {
        composer.invalidate()
        needsDraw = true
    }

    /// Sends a text that is not part of the screen, such as a clipboard sequence.
    func send(_ text: String) {
        var text = text
        text.withUTF8 { terminal.present(UnsafeRawBufferPointer($0), UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
}

/// Limits how often the tiles advance to their next frames, so that drawing does not delay the response to keys.
///
/// The interval between two advances doubles if composing and sending a screen take a large part of the interval. It is
/// halved again if they take only a small part. Only an advance starts a new interval, not a key press.
struct AdvanceRateLimiter {
    /// 25 advances per second, which is enough for GIFs with 40 ms or more per frame.
    static let minInterval = 40 * Span.millisecond
    static let maxInterval = 640 * Span.millisecond

    private(set) var interval = AdvanceRateLimiter.minInterval
    /// Whether the connection to the terminal is slow. If true, pictures are drawn with lower fidelity to save bytes.
    private(set) var isConnectionSlow = false
    private var last: Instant?
    /// The times at which the composition of the latest screen began and ended; nil once the terminal has it.
    private var sending: (start: Instant, composed: Instant)?

    /// Returns the earliest allowed time for an advance that is due at `due`; nil if `due` is nil.
    func next(after due: Instant?) -> Instant? {
        guard let due else { return nil }
        guard let last else { return due }
        return max(due, last + interval)
    }

    mutating func recordAdvance(at now: Instant) { last = now }

    mutating func recordSent(from start: Instant, composed: Instant) { sending = (start, composed) }

    /// Records that the terminal has received the latest screen.
    /// - Parameter now: nil if the terminal accepted the whole screen at once, and therefore did not report it.
    mutating func recordReceived(at now: Instant?) {
        guard let (start, composed) = sending else { return }
        sending = nil
        recordScreen(from: start, composed: composed, received: now ?? composed)
    }

    /// Records when composing a screen began and ended, and when the terminal had received all of it.
    mutating func recordScreen(from start: Instant, composed: Instant, received: Instant) {
        let sent = received - composed
        if sent > Span.second / 4 {
            isConnectionSlow = true
        } else if sent < Span.second / 20 {
            isConnectionSlow = false
        }
        // The limit for composing is a quarter of the interval, which leaves three quarters for other work. The limit
        // for composing plus sending is half of the interval, so that the terminal is usually free for a key.
        if composed - start > interval / 4 || received - start > interval / 2 {
            // If sending a screen takes seconds, allow an interval of twice this time, so that the connection is idle
            // for half of the interval. Otherwise, the response to every key would have to wait.
            interval = min(interval * 2, max(Self.maxInterval, sent * 2))
        } else if interval > Self.minInterval, composed - start < interval / 16, received - start < interval / 8 {
            interval = max(Self.minInterval, interval / 2)
        }
    }
}

/// The player to which the gallery lends its terminal, as the player lends its own to the gallery.
public protocol GalleryPlayer: AnyObject {
    /// Plays one GIF as long as ``GalleryRuntime/handle(_:whilePlaying:)`` returns true.
    /// - Parameters:
    ///   - size: the size for which the file of its tile was chosen, in pixels.
    ///   - start: the time in the loop at which playback starts, in nanoseconds.
    /// - Returns: the end, and the time in the loop that was displayed last, in nanoseconds.
    func play(
        _ reference: GIFReference, tileSize size: PixelSize, from start: Int64, in gallery: GalleryRuntime
    ) -> (end: PlaybackEnd, time: Int64)

    /// Plays random GIFs until an event that is not meant for the player.
    /// - Returns: the end, this event, and the GIF that was displayed.
    func playRandom(in gallery: GalleryRuntime) -> (end: PlaybackEnd, event: TerminalEvent?, shown: GIFReference?)
}

extension GalleryRuntime {
    /// Lends the terminal to the player while the large view is open.
    func playLarge() {
        lendTerminal { player in
            var start = state.grid.selection.flatMap { tileController.picture(of: TileID(key: $0.key))?.start } ?? 0
            while end == nil, state.mode.isFull, let reference = state.grid.selected {
                let size = GalleryView(state).tileSize(of: reference)
                let (playerEnd, time) = player.play(reference, tileSize: size, from: start, in: self)
                tileController.seek(reference.key, to: time)
                start = 0
                take(playerEnd)
                if shows(reference) { feed(.key(.escape)) }
            }
        }
        if state.mode.isFull { feed(.key(.escape)) }
    }

    func playRandom() {
        lendTerminal { player in
            let (playerEnd, event, shown) = player.playRandom(in: self)
            take(playerEnd)
            switch (event, shown) {
            case (.key(.enter)?, let shown?): feed(.show(shown))
            // A click has no other effect, because the user does not see the tiles.
            case (.pointer?, _), (nil, _): break
            case (let event?, _): take(event)
            }
        }
    }

    private func lendTerminal(_ body: (any GalleryPlayer) -> Void) {
        guard let player else { return }
        self.player = nil
        releaseScreen()
        // The search field can have the cursor.
        send("\u{1B}[?25l")
        body(player)
        self.player = player
        take(.changed)
        redraw()
        requestAdvance()
        tick()
    }

    private func take(_ playerEnd: PlaybackEnd) {
        if case .interrupted(let signal) = playerEnd { end = .interrupted(signal: signal) }
        if playerEnd == .closed { end = .closed }
    }

    private func shows(_ reference: GIFReference) -> Bool {
        end == nil && state.mode.isFull && state.grid.selection?.key == reference.key
    }

    // MARK: - For the player

    /// - Returns: whether the large view still shows this GIF.
    public func handle(_ event: TerminalEvent, whilePlaying reference: GIFReference) -> Bool {
        take(event)
        update()
        return shows(reference)
    }

    /// The outcome of an action since the last call, or another message.
    public func takeOutcome() -> ActionResult? {
        update()
        guard let message = state.notices.note else { return nil }
        state.notices.remove(at: terminal.now) { _ in true }
        return ActionResult(note: state.options.language.sentence(message))
    }

    public func perform(_ action: ItemAction, on reference: GIFReference) -> ActionResult {
        for effect in state.perform(action, on: [reference]) { perform(effect) }
        return ActionResult(note: takeOutcome()?.note ?? "", showsNext: action == .dismiss)
    }

    /// The characters and the graphics of pictures.
    public var drawing: Drawing { state.options.drawing }

    public func setDrawing(_ drawing: Drawing) {
        state.setDrawing(drawing)
        _ = takeOutcome()
    }

    /// The keys of the large view for its status line.
    public var hints: [KeyHint] { GalleryView(state).hints }

    /// The keys of the large view.
    public var help: [KeySheet.Group] { GalleryView(state).help }

    /// Whether nothing happens in the gallery before the next event.
    public var isIdle: Bool { state.nextDeadline == nil }

    /// Adds the marks of the selected GIF, its position in the listing, its facts and its page to its label.
    public func complete(_ label: PlaybackLabel) -> PlaybackLabel {
        guard let selected = state.grid.selected else { return label }
        let view = GalleryView(state)
        return PlaybackLabel(
            title: view.marksBefore(selected) + label.title, credit: label.credit, position: view.position,
            detail: view.joined([label.detail] + view.language.facts(of: selected, at: state.seconds)),
            link: view.pane.hasLinks ? selected.pageURL.flatMap(ScreenBuilder.safeLink) : nil)
    }
}
