import Base
import Catalog
import Pixels
import Playback

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
        guard let message = state.notices.message else { return nil }
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
