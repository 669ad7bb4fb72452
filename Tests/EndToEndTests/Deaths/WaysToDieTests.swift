import Foundation
import Testing

/// Every way to end the program restores the terminal, at every moment.
@Suite(.timeLimit(.minutes(15))) struct WaysToDieTests {
    enum Way: String, CaseIterable {
        case q, controlC, interrupt, terminate, hangUp, quit, processorTime
        /// Ctrl-Z, fg, q.
        case stopAndGoOn
        /// Ctrl-Z, then a signal.
        case stopAndTerminate, stopAndKill

        var signal: Int32? {
            switch self {
            case .interrupt: SIGINT
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            case .quit: SIGQUIT
            case .processorTime: SIGXCPU
            case .q, .controlC, .stopAndGoOn, .stopAndTerminate, .stopAndKill: nil
            }
        }
    }

    struct Death: CustomTestStringConvertible, Sendable {
        var way: Way
        var moment: Moment
        var testDescription: String { "\(way.rawValue) × \(moment.rawValue)" }
    }

    /// Returns the reason why a pair is not in the matrix; nil if it is.
    static func reasonAgainst(_ way: Way, _ moment: Moment) -> String? {
        switch (way, moment) {
        case (.q, .blocked), (.controlC, .blocked):
            "keys come through the terminal, which stands; TerminalTests and JobControlTests have keys on one that reads nothing"
        case (.stopAndGoOn, .blocked), (.stopAndTerminate, .blocked), (.stopAndKill, .blocked):
            "the same; JobControlTests stops it there by a signal and by a key"
        case (.processorTime, _) where moment != .playing && moment != .wall && moment != .blocked,
            (.interrupt, _) where moment != .playing && moment != .blocked:
            "heard as SIGTERM is, by the same descriptor; the player, the browser and the blocked write stand for all"
        case (.stopAndKill, _) where moment != .playing && moment != .wall:
            "dead while stopped: what was given back at the stop is tested with stopAndTerminate"
        default: nil
        }
    }

    static let deaths = Moment.allCases.flatMap { moment in
        Way.allCases.filter { reasonAgainst($0, moment) == nil }.map { Death(way: $0, moment: moment) }
    }

    @Test("The terminal is as found", arguments: deaths)
    func asFound(death: Death) throws {
        let pane = try death.moment == .blocked ? Scene.widePane() : ShellPane()
        let scene = try Scene(death.moment, pane)
        switch death.way {
        case .q:
            try quit(scene)
            try pane.expectAsFound(status: 0)
        case .controlC:
            try pane.tmux.press("C-c")
            try pane.expectAsFound(status: 130)
        case .stopAndGoOn: try stop(scene, then: "fg")
        case .stopAndTerminate: try stop(scene, then: "kill", status: 143)
        case .stopAndKill: try stop(scene, then: "kill -9", status: 137)
        case .interrupt, .terminate, .hangUp, .quit, .processorTime:
            let signal = try #require(death.way.signal)
            let process = try pane.process()
            kill(process, signal)
            if death.moment == .blocked {
                // The program ends at once, although the rest of the frame cannot be written.
                #expect(ended(process))
                scene.unblock()
            }
            try pane.expectAsFound(status: 128 + Int(signal))
        }
    }

    private func quit(_ scene: Scene) throws {
        // In these views q is typed into the search field, or returns to the gallery grid.
        if scene.moment == .searchField || scene.moment == .fullView {
            try scene.pane.tmux.press("Escape")
            try scene.pane.tmux.wait(forText: "q quit")
        }
        try scene.pane.tmux.press("q")
    }

    private func stop(_ scene: Scene, then line: String, status: Int = 0) throws {
        let pane = scene.pane
        try pane.tmux.press("C-z")
        try pane.expectAsFound(status: 148)
        guard line == "fg" else {
            // The shell's `wait` does not wait for a process that the shell still regards as stopped.
            try pane.run("\(line) %1; while kill -0 $(cat pid) 2>&-; do :; done; wait $(cat pid)")
            return try pane.expectAsFound(status: status)
        }
        try pane.run(line)
        try pane.tmux.wait(for: "the other screen again") { try pane.tmux.format("#{alternate_on}") == "1" }
        if scene.moment.isBrowsing { try pane.tmux.wait(forText: "Octopus") }
        if scene.moment == .playing || scene.moment == .halfDownloaded {
            try pane.tmux.wait(for: "the picture again") {
                try pane.tmux.tmux("capture-pane", "-p", "-e").contains("48;2;")
            }
        }
        try quit(scene)
        let command = scene.moment == .silentPipe ? "./play < pipe" : "./play"
        try pane.expectAsFound(status: 0, said: [command])
    }

    /// Waits until a process that is not a child of the test has ended. Returns false on timeout.
    private func ended(_ process: Int32) -> Bool {
        let end = Date().addingTimeInterval(PseudoTerminal.patience)
        while processState(process) != nil, processState(process) != "Z" {
            guard Date() < end else { return false }
            poll(nil, 0, 10)
        }
        return true
    }
}

/// Returns the state letter of a process in `/proc/PID/stat`; nil if there is no such process.
func processState(_ process: Int32) -> Character? {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return text?.split(separator: ")").last?.dropFirst().first
}
