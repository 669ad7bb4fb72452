import Application
import Base
import Catalog
import Fetching
import GIFDecode
import Glibc
import Playback
import TerminalIO

/// Plays the GIFs of a playlist one after another on one terminal.
final class Slideshow {
    private let options: PlayOptions
    private let limits: DecodeLimits
    private let online: Online
    private let terminal: Terminal
    private var list: Playlist
    private var generator = SystemRandomNumberGenerator()
    private var ahead: Ahead?
    private var failures: [String] = []
    private var failuresInARow = 0
    private var shown = 0
    private var hasBegun = false
    /// The outcome of opening a page, until the status line shows it.
    private let linkOutcome = Monitor<String?>(nil)

    /// Opens the terminal.
    init(_ list: Playlist, options: PlayOptions, limits: DecodeLimits, online: Online) throws {
        self.list = list
        self.options = options
        self.limits = limits
        self.online = online
        do throws(TerminalError) {
            terminal = try Terminal(screen: options.inline ? .inline : .full)
        } catch {
            throw Complaint("the terminal cannot be used: \(error)")
        }
    }

    /// What the caller does after the slideshow.
    enum Ending: Equatable {
        case exit(Exit)
        /// Start the gallery.
        case browser
    }

    /// Plays the list and prints the failures on standard error.
    func play() -> Ending {
        let end = run()
        ahead = nil
        terminal.leave()
        if end == .browse { return .browser }
        // Failures of search results or of an endless list are not reported once a GIF has played.
        let isToldOf = !(list.isOfResults || list.isEndless) || shown == 0
        if isToldOf { for failure in failures { complain(failure) } }
        for line in breakages + damages { complain(line) }
        if let failure = online.keepingFailure { complain(Sentences.notKept(failure)) }
        for notice in online.notices.takeRest() { complain(Sentences.describe(notice)) }
        switch end {
        case .interrupted(let signal): return .exit(.signal(signal))
        // The terminal has disconnected: exit as for SIGHUP.
        case .closed: return .exit(.signal(1))
        default: return .exit((isToldOf && !failures.isEmpty) || !breakages.isEmpty ? .failure : .success)
        }
    }

    private var breakages: [String] = []
    /// Defects of files that played; they do not change the exit status.
    private var damages: [String] = []

    /// How long an endless list may take to show its first picture before a sample stands in.
    private static let patienceForFirst = Span.second
    private static var stopgap: Sample { Sample.all.randomElement() ?? Sample.all[0] }

    // MARK: - Choosing the next item

    private enum Move {
        case next
        case previous
        case random
    }

    private enum Outcome {
        case showing(Showing)
        case nothing
        case end(PlaybackEnd)
    }

    private func run() -> PlaybackEnd {
        var move = Move.next
        var present: Showing?
        var isAsked = false
        while true {
            switch obtain(move) {
            case .showing(let showing): present = showing
            case .end(let end): return end
            case .nothing:
                // At the last item, the key n shows it again.
                guard isAsked, let present else { return .finished }
                present.source.rewind()
            }
            guard let showing = present else { return .finished }
            let end = play(showing)
            isAsked = false
            switch end {
            case .finished:
                if list.isOfResults { return end }
                move = .next
            case .turn(let turn):
                isAsked = true
                move = turn == .previous ? .previous : turn == .random ? .random : .next
            case .failed, .still:
                guard goesOnAfterFailure else { return .finished }
                move = .next
            case .quit, .browse, .interrupted, .closed: return end
            }
        }
    }

    /// An endless list must end if none of its items can be played.
    private var goesOnAfterFailure: Bool {
        list.supply != nil || failuresInARow < list.count || !list.isEndless
    }

    private func obtain(_ move: Move) -> Outcome {
        switch move {
        case .next:
            let hunt = Hunt(
                candidates: list.following, supply: list.supply, choice: hasBegun ? .first : list.choice)
            hasBegun = true
            return list.isLocal ? obtain(list.next(&generator)) : wait(hunt, advances: true)
        case .previous: return obtain(list.previous())
        case .random:
            return list.isEndless && !list.isLocal
                ? obtain(.next) : obtain(list.random(&generator))
        }
    }

    private func obtain(_ item: PlayItem?) -> Outcome {
        ahead = nil
        guard let item else { return .nothing }
        guard !item.isLocal else { return show(Fetched(item: item, content: .local)) }
        return wait(Hunt(candidates: [item]), advances: false)
    }

    /// Waits for a search for the next item: the given one, or the one that was started in advance.
    private func wait(_ hunt: Hunt, advances: Bool) -> Outcome {
        let ahead = (advances ? self.ahead : nil) ?? begin(hunt, after: nil)
        self.ahead = nil
        ahead.hurry()
        let purpose = shown == 0 ? list.supply?.purpose : nil
        let longest = list.isFeed && shown == 0 ? Self.patienceForFirst : nil
        let intermission = Intermission(terminal, options)
        if let end = intermission.wait(for: { ahead.found != nil }, purpose ?? "loading…", longest: longest) {
            return .end(end)
        }
        guard let found = ahead.found else {
            // An endless list shows a built-in sample until its first item has arrived.
            self.ahead = ahead
            return longest == nil ? .nothing : show(Fetched(item: .sample(Self.stopgap), content: .local))
        }
        if advances { list.advance(found) }
        if found.fetched == nil || !list.isOfResults { keep(found.failures) }
        ahead.prepare()
        switch ahead.showing {
        case .success(let showing): return .showing(showing)
        case .failure(let error): return failed(found.fetched?.item, error)
        case nil: return .nothing
        }
    }

    private func show(_ fetched: Fetched) -> Outcome {
        do throws(GIFError) { return .showing(try open(fetched)) } catch { return failed(fetched.item, error) }
    }

    private func failed(_ item: PlayItem?, _ error: GIFError) -> Outcome {
        note("\(item?.name ?? ""): \(Sentences.describe(error))")
        return goesOnAfterFailure ? obtain(.next) : .nothing
    }

    private func note(_ failure: String) {
        keep([failure])
        failuresInARow += 1
    }

    /// Records failures for the end, except those of an endless list that has shown an item: they are never reported,
    /// and would accumulate for days.
    private func keep(_ told: [String]) {
        if !list.isEndless || shown == 0 { failures += told }
    }

    private func open(_ fetched: Fetched) throws(GIFError) -> Showing {
        try Showing(fetched, limits: limits, rule: playback.loops, wake: terminal.waker)
    }

    private func begin(_ hunt: Hunt, after present: Download?) -> Ahead {
        Ahead(hunt, after: present, online: online, wake: terminal.waker) {
            [limits, terminal, playback] fetched throws(GIFError) in
            try Showing(fetched, limits: limits, rule: playback.loops, wake: terminal.waker)
        }
    }

    // MARK: - Playing one item

    private var playback: PlaybackOptions {
        var playback = options.playback(isOneOfMany: list.count > 1 && !list.isOfResults)
        if list.isEndless {
            playback.duration = playback.duration ?? options.turnNanoseconds
            if options.loop == nil { playback.loops = .forever }
        }
        return playback
    }

    private func play(_ showing: Showing) -> PlaybackEnd {
        var playback = playback
        if case .reference = showing.item { playback.refusesStills = true }
        playback.showsKeyHint = playback.showsKeyHint && shown == 0
        let hasNext = !list.isLocal && (list.supply != nil || !list.following.isEmpty)
        if hasNext, ahead == nil {
            let hunt = Hunt(candidates: list.following, supply: list.supply, isWhole: list.isEndless)
            ahead = begin(hunt, after: showing.fetched.download)
        }
        let mustWait = list.isEndless && hasNext
        let guide = PlaybackGuide(
            note: { [online] in
                online.notices.current().map(Sentences.describe) ?? DownloadNote.text(showing.fetched.download)
            },
            mayEnd: { [weak self] in !mustWait || self?.ahead?.isReady ?? true },
            woken: { [weak self] in self?.ahead?.prepare() }, link: pageLink(of: showing.item).use,
            linkOutcome: { [linkOutcome] in
                linkOutcome.withLock { sentence in
                    defer { sentence = nil }
                    return sentence
                }
            })
        let player = Player(
            source: showing.source, terminal: terminal, options: playback, label: showing.fetched.label, guide: guide)
        let end = player.run()
        account(showing, end)
        note(player.damage, frames: player.frameCount ?? 0, of: showing)
        return end
    }

    private func pageLink(of item: PlayItem) -> PageLink {
        PageLink(address: item.link) { [linkOutcome, wake = terminal.waker] sentence in
            linkOutcome.withLock { $0 = sentence }
            wake()
        }
    }

    /// If the download broke off, that error is reported instead of the damage.
    private func note(_ damage: [Damage], frames: Int, of showing: Showing) {
        guard !list.isEndless, showing.fetched.breakage == nil,
            let clause = Sentences.damaged(damage, frames: frames)
        else { return }
        let line = "\(showing.item.name): damaged: \(clause)"
        if !damages.contains(line) { damages.append(line) }
    }

    private func account(_ showing: Showing, _ end: PlaybackEnd) {
        let breakage = showing.fetched.breakage
        online.noteKeeping(of: showing.fetched.download)
        switch end {
        case .failed(let error):
            note("\(showing.item.name): \(breakage.map(Sentences.describe) ?? Sentences.describe(error))")
        case .still: note("\(showing.item.name): it does not move")
        default:
            shown += 1
            failuresInARow = 0
            // Not for an endless list: the user no longer knows which GIF it was.
            if let breakage, !list.isEndless {
                breakages.append(
                    "\(showing.item.name): \(Sentences.describe(breakage)); what arrived before that was played")
            }
        }
    }
}
