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
        return effects + settle(showsSelected: before != traits || event.isSize(of: listing.selection?.key))
    }

    private mutating func react(to event: GalleryEvent) -> [GalleryEffect] {
        switch event {
        case .opened: return begin(asking: now)
        case .key(let key):
            let (wasPlaying, given) = touch()
            return given + (wasPlaying && !key.isForTheProgram ? [] : press(key))
        case .pointer(let event):
            let (wasPlaying, given) = touch()
            return given + (wasPlaying ? [] : point(event))
        case .changed(let traits):
            self.traits = traits
            return []
        case .deadline: return elapse()
        case .loaded(let ticket, let result): return loaded(ticket, result)
        case .recalled(let ticket, let kept): return recalled(ticket, kept)
        case .turned(let ticket, let result):
            turned(ticket, result)
            return []
        case .marked(let marks):
            for (key, marks) in marks { knowledge.marks[key] = marks }
            return []
        case .tile(let key, let news):
            learn(news, of: key)
            return []
        case .told(let message):
            say(.told(message))
            return []
        }
    }

    /// Shows a message for a few seconds. A message about a service waits until the displayed message ends.
    mutating func say(_ saying: Saying) {
        if saying.isOfServices, notice != .none { return waitingNotices.append(saying) }
        notice = .standing(saying, until: now + Notice.span)
    }

    mutating func newTicket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    private mutating func learn(_ news: TileNews, of key: GIFKey) {
        switch news {
        case .size(let size): learn(size, of: key)
        case .failed(let reason): knowledge.failures[key] = SafeText.line(reason)
        case .broken: knowledge.failures[key] = words.brokenTile
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
    var isForTheProgram: Bool { self == .control("c") || self == .control("z") || self == .control("l") }
}

extension Mode {
    /// The mode with this picture in its full view; unchanged if there is no full view.
    func with(_ picture: FullPicture) -> Mode {
        switch self {
        case .typing, .browsing: self
        case .full: .full(picture)
        case .help(let line, let mode): .help(firstLine: line, over: mode.with(picture))
        }
    }
}
