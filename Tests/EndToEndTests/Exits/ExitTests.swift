import Foundation
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct ExitTests {
    /// The event that ends the program. Test results show the raw values.
    enum ExitCause: String, CaseIterable {
        case q
        case controlC = "Ctrl-C"
        case interrupt = "SIGINT"
        case terminate = "SIGTERM"
        case hangUp = "SIGHUP"
        case quit = "SIGQUIT"
        case processorTime = "SIGXCPU"
        case stopAndResume = "Ctrl-Z, fg, q"
        case stopAndTerminate = "Ctrl-Z, SIGTERM"
        case stopAndKill = "Ctrl-Z, SIGKILL"

        var signal: Int32? {
            switch self {
            case .interrupt: SIGINT
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            case .quit: SIGQUIT
            case .processorTime: SIGXCPU
            case .q, .controlC, .stopAndResume, .stopAndTerminate, .stopAndKill: nil
            }
        }
    }

    struct ExitCase: CustomTestStringConvertible, Sendable {
        var cause: ExitCause
        var state: ProgramState
        var testDescription: String { "\(cause.rawValue) – \(state.rawValue)" }
    }

    /// Returns the reason why the tests omit a combination of cause and state, or nil if they include the combination.
    static func exclusionReason(_ cause: ExitCause, _ state: ProgramState) -> String? {
        switch (cause, state) {
        case (.q, .blocked), (.controlC, .blocked):
            "keys cannot arrive through a stopped terminal; SlowTerminalTests and JobControlTests test keys during a blocked write"
        case (.stopAndResume, .blocked), (.stopAndTerminate, .blocked), (.stopAndKill, .blocked):
            "likewise; JobControlTests stops the program in this state by a signal and by a key"
        case (.processorTime, _) where state != .playing && state != .galleryGrid && state != .blocked,
            (.interrupt, _) where state != .playing && state != .blocked:
            "received by the same descriptor as SIGTERM; the tested states represent the others"
        case (.stopAndKill, _) where state != .playing && state != .galleryGrid:
            "the terminal is restored at the stop, which is tested with stopAndTerminate"
        default: nil
        }
    }

    static let cases = ProgramState.allCases.flatMap { state in
        ExitCause.allCases.filter { exclusionReason($0, state) == nil }.map { ExitCase(cause: $0, state: state) }
    }

    @Test("Every exit restores the terminal", arguments: cases)
    func restoresTerminal(exit: ExitCase) throws {
        let pane = try exit.state == .blocked ? PreparedProgram.widePane() : ShellPane()
        let program = try PreparedProgram(exit.state, pane)
        switch exit.cause {
        case .q:
            try quit(program)
            try pane.expectRestored(status: 0)
        case .controlC:
            try pane.quit("C-c", status: 130)
        case .stopAndResume: try stop(program, then: "fg")
        case .stopAndTerminate: try stop(program, then: "kill", status: 143)
        case .stopAndKill: try stop(program, then: "kill -9", status: 137)
        case .interrupt, .terminate, .hangUp, .quit, .processorTime:
            let signal = try #require(exit.cause.signal)
            let process = try pane.process()
            kill(process, signal)
            if exit.state == .blocked {
                // The program must end although it cannot write the rest of the frame.
                #expect(waitForState(of: process, in: [nil, "Z"]))
                program.unblock()
                if try pane.hasLateReply() { return try restoresTerminal(exit: exit) }
            }
            try pane.expectRestored(status: 128 + Int(signal))
        }
    }

    private static let endings: [(String, String?, Int, [String])] = [
        ("--speed max --loop 1 'dancing cat'", nil, 0, []), ("--duration 300ms 'dancing cat'", nil, 0, []),
        ("'dancing cat'", "Escape", 0, []),
        (
            "'\(Binary.sample("pixel-slime"))' --loop 1 --speed max broken.gif", nil, 1,
            ["gifplay: broken.gif: the file ends within its header"]
        ),
    ]

    @Test(
        "The end of playback, an error and the Esc key restore the terminal",
        arguments: endings)
    func ends(arguments: String, key: String?, status: Int, printed: [String]) throws {
        let pane = try ShellPane()
        try pane.folder.write("GIF89a", to: "broken.gif")
        try pane.play(arguments)
        if let key {
            try pane.tmux.wait(forText: "built-in")
            try pane.tmux.press(key)
        }
        try pane.expectRestored(status: status, printed: printed)
    }

    private func quit(_ program: PreparedProgram) throws {
        // In the search field, the key 'q' types a letter. In the large view, 'q' returns to the gallery grid. In both
        // states, the test first presses Escape, which leaves the search field or the large view.
        if program.state == .searchField || program.state == .fullView {
            try program.pane.tmux.press("Escape", until: "/ search  ? keys")
        }
        try program.pane.tmux.press("q")
    }

    private func stop(_ program: PreparedProgram, then command: String, status: Int = 0) throws {
        let pane = program.pane
        try pane.tmux.press("C-z")
        try pane.expectRestored(status: 148)
        guard command == "fg" else {
            // The loop is necessary, because `wait` does not wait for a process that the shell regards as stopped.
            try pane.run("p=$(cat pid); \(command) %1; while kill -0 $p 2>&-; do :; done; wait $p")
            return try pane.expectRestored(status: status)
        }
        try pane.run(command)
        try pane.tmux.wait(for: "the other screen again") { try pane.tmux.format("#{alternate_on}") == "1" }
        // In the search field, the search for the typed query can clear the grid. “Octopus” is then no longer shown,
        // so the test waits for the query.
        if program.state.isBrowsing {
            try pane.tmux.wait(forText: program.state == .searchField ? "/ slow" : "Octopus")
        }
        if program.state == .playing || program.state == .halfDownloaded {
            try pane.tmux.wait(for: "the picture again") {
                try pane.tmux.tmux("capture-pane", "-p", "-e").contains("48;2;")
            }
        }
        try quit(program)
        let printed = program.state == .emptyPipe ? "./play < pipe" : "./play"
        try pane.expectRestored(status: 0, printed: [printed])
    }
}

/// Returns the state letter of a process from `/proc/PID/stat`, or nil if the process does not exist.
func processState(_ process: Int32) -> Character? {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return text?.split(separator: ")").last?.dropFirst().first
}

/// Waits until the state of a process is one of `states`, in which nil stands for a process that does not exist. Returns
/// false on timeout.
func waitForState(of process: Int32, in states: [Character?]) -> Bool {
    let end = Date().addingTimeInterval(PseudoTerminal.timeout)
    while !states.contains(processState(process)) {
        guard Date() < end else { return false }
        poll(nil, 0, 10)
    }
    return true
}
