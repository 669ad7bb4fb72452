import GIFDecode
import Playback
import TerminalIO

/// Plays a list's GIFs one after another on one terminal.
struct Slideshow {
    let options: PlayOptions
    let limits: DecodeLimits
    private var failures: [String] = []

    init(options: PlayOptions, limits: DecodeLimits) {
        self.options = options
        self.limits = limits
    }

    /// - Returns: how it ended; what could not be played is said on standard error.
    mutating func play(_ list: Playlist) throws -> Exit {
        let terminal = try openTerminal()
        let end = run(list, on: terminal)
        terminal.leave()
        for failure in failures { complain(failure) }
        switch end {
        case .interrupted(let signal): return .signal(signal)
        // The terminal went away: what SIGHUP tells.
        case .closed: return .signal(1)
        default: return failures.isEmpty ? .success : .failure
        }
    }

    private func openTerminal() throws -> Terminal {
        do throws(TerminalError) {
            return try Terminal(screen: options.inline ? .inline : .full)
        } catch {
            throw Complaint("the terminal cannot be used: \(error)")
        }
    }

    private mutating func run(_ list: Playlist, on terminal: Terminal) -> PlaybackEnd {
        var list = list
        var generator = SystemRandomNumberGenerator()
        var item = list.next(&generator)
        var failuresInARow = 0
        while let present = item {
            let end = play(present, in: list, on: terminal)
            failuresInARow = 0
            switch end {
            case .finished: item = list.next(&generator)
            case .turn(.next): item = list.next(&generator) ?? present
            case .turn(.previous): item = list.previous()
            case .turn(.random): item = list.random(&generator)
            case .failed(let error):
                failures.append("\(present.name): \(Sentences.describe(error))")
                failuresInARow += 1
                // An endless list of which nothing plays must end all the same.
                guard failuresInARow < list.count || !list.isEndless else { return .finished }
                item = list.next(&generator)
            case .quit, .interrupted, .closed: return end
            }
        }
        return .finished
    }

    private func play(_ item: PlayItem, in list: Playlist, on terminal: Terminal) -> PlaybackEnd {
        var playback = options.playback(isOneOfMany: list.count > 1)
        if list.isEndless {
            playback.duration = playback.duration ?? options.turnNanoseconds
            if options.loop == nil { playback.loops = .forever }
        }
        let reader: GIFReader
        do throws(GIFError) { reader = try item.reader(limits: limits) } catch { return .failed(error) }
        let rule = playback.loops
        let source = DecodeAhead(
            reader, goesOn: { passes, summary in rule.goesOn(after: passes, summary) }, wake: terminal.waker)
        let player = Player(source: source, terminal: terminal, options: playback, label: item.label)
        return player.run()
    }
}
