import Foundation
import TestSupport
import Testing

/// Tests the real program behind a connection with large buffers, such as ssh.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct BufferedConnectionTests {
    struct Case: CustomTestStringConvertible {
        var kilobits: Double
        var milliseconds: Int
        var isGallery = false
        var testDescription: String { "\(Int(kilobits)) kbit/s, \(milliseconds) ms\(isGallery ? ", gallery" : "")" }
    }

    static let cases = [
        Case(kilobits: 160, milliseconds: 20), Case(kilobits: 400, milliseconds: 300),
        Case(kilobits: 160, milliseconds: 100, isGallery: true),
    ]

    @Test(
        "After 3 s of playback, at most 1 s of output is in transit, and a key ends the program within 1.5 s",
        arguments: cases)
    func transit(link: Case) throws {
        let folder = try TemporaryFolder()
        let animation = NumberedAnimation(columns: 80, rows: 24, frames: 10, centiseconds: 4)
        let file = try folder.write(animation.bytes, to: "noise.gif")
        let terminal = try PseudoTerminal(
            link.isGallery ? ["browse", "cat"] : [file], columns: 80, rows: 24,
            environment: ["XDG_DATA_HOME": folder.url.path, "XDG_CACHE_HOME": folder.url.path], answers: false)
        var relay = PseudoTerminal.Relay(
            rate: link.kilobits * 1000 / 8, roundTrip: .milliseconds(link.milliseconds))
        terminal.pass(through: &relay, for: .seconds(3))
        var longest = 0.0
        terminal.pass(through: &relay, for: .seconds(3)) {
            longest = max(longest, terminal.transit($0))
            return false
        }
        #expect(longest <= 1, "\(longest) s in transit")
        let start = ContinuousClock.now
        terminal.send(link.isGallery ? "\u{3}" : "q")
        terminal.pass(through: &relay, for: .seconds(20)) { terminal.hasEnded && terminal.transit($0) <= 0 }
        let time = ContinuousClock.now - start + .milliseconds(link.milliseconds)
        #expect(time < .seconds(1.5), "\(time) to the prompt")
        #expect(terminal.reap() == (link.isGallery ? 130 : 0))
        #expect(terminal.isScreenRestored)
    }
}
