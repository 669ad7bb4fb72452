import Base
import Pixels
import Playback

/// One line of `--trace`: time in seconds, loop iteration, frame, event.
enum TraceLine {
    static func text(_ trace: PlaybackTrace) -> String {
        switch trace {
        case .shown(let time, let iteration, let frame, let bytes, let isReplayed, let fidelity):
            let verb = isReplayed ? "replayed" : "shown"
            return "\(seconds(time)) iteration \(iteration) frame \(frame) \(verb) \(bytes) bytes ±\(fidelity.rawValue)"
        case .dropped(let time, let iteration, let frame):
            return "\(seconds(time)) iteration \(iteration) frame \(frame) dropped"
        case .ended(let time, let end):
            return "\(seconds(time)) ended: \(end)"
        }
    }

    private static func seconds(_ time: Instant) -> String {
        let microseconds = time.nanoseconds / 1000
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
