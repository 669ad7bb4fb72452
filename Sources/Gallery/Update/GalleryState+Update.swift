import Base
import Catalog
import Pixels
import Playback

extension GalleryState {
    /// Handles an event.
    /// - Returns: the effects to perform, in order.
    public mutating func update(_ event: GalleryEvent, at now: Instant) -> [GalleryEffect] {
        self.now = max(self.now, now)
        let before = traits
        let effects = react(to: event)
        // Keep the whole selected tile visible when the terminal or the tile changes its size.
        return effects + updateDerivedState(showsSelected: before != traits || event.isSize(of: listing.selection?.key))
    }

    private mutating func react(to event: GalleryEvent) -> [GalleryEffect] {
        switch event {
        case .opened: return startLoading(queryingAt: now)
        case .key(let key):
            let (wasPlaying, effects) = handleActivity()
            return effects + (wasPlaying && !key.isGlobal ? [] : press(key))
        case .pointer(let event):
            let (wasPlaying, effects) = handleActivity()
            return effects + (wasPlaying ? [] : handlePointer(event))
        case .changed(let traits):
            self.traits = traits
            return []
        case .deadline: return performDueActions()
        case .loaded(let ticket, let result): return handlePage(ticket, result)
        case .loadedStored(let ticket, let stored): return handleStoredListing(ticket, stored)
        case .loadedRandom(let ticket, let result):
            handleRandomItem(ticket, result)
            return []
        case .marked(let marks):
            for (key, marks) in marks { facts.marks[key] = marks }
            return []
        case .tile(let key, let update):
            apply(update, to: key)
            return []
        case .reported(let message):
            showMessage(.reported(message))
            return []
        }
    }

    /// Shows a message for a few seconds. A message about a service waits until the displayed message ends.
    mutating func showMessage(_ message: StatusMessage) {
        if message.isAboutService, notice != .none { return pendingMessages.append(message) }
        notice = .shown(message, until: now + StatusNotice.duration)
    }

    mutating func newTicket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    private mutating func apply(_ update: TileUpdate, to key: GIFKey) {
        switch update {
        case .size(let size): setCanvasSize(size, of: key)
        case .failed(let error): facts.failures[key] = SafeText.line(strings.sentence(error))
        case .broken: facts.failures[key] = strings.brokenTile
        case .original:
            if listing.selection?.key == key { mode = mode.with(.original) }
        case .noOriginal:
            if listing.selection?.key == key { mode = mode.with(.onlySmall) }
        }
    }
}

extension GalleryEvent {
    fileprivate func isSize(of key: GIFKey?) -> Bool {
        if case .tile(key, .size) = self { true } else { false }
    }
}

extension Key {
    /// Whether the key has the same meaning in every mode.
    var isGlobal: Bool { self == .control("c") || self == .control("z") || self == .control("l") }
}

extension Mode {
    /// Returns the mode with `picture` as the file that its full view shows. Returns a mode without the full view
    /// unchanged.
    func with(_ picture: FullPicture) -> Mode {
        switch self {
        case .typing, .browsing: self
        case .full: .full(picture)
        case .help(let line, let mode): .help(firstLine: line, over: mode.with(picture))
        }
    }
}
