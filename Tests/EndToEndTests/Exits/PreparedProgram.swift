import Foundation
import TestServer
import TestSupport
import Testing

/// The state of the program at the moment when a test ends it. Test results show the raw values.
enum ProgramState: String, CaseIterable {
    /// The server has received the request and has not responded.
    case waitingForResponse = "waiting for a response"
    /// Standard input is a pipe without data.
    case emptyPipe = "reading an empty pipe"
    case playing
    /// Half of the file has arrived, and its first frame is displayed.
    case halfDownloaded = "half downloaded"
    /// The program is blocked in the middle of a frame, because the terminal accepts no output.
    case blocked = "output blocked"
    /// The gallery grid, with playing tiles.
    case galleryGrid = "gallery grid"
    case fullView = "large view"
    /// The gallery's search field, with a typed query.
    case searchField = "search field"

    /// Whether the program shows the gallery and not the player.
    var isBrowsing: Bool { self == .galleryGrid || self == .fullView || self == .searchField }
}

/// A running program in a given ``ProgramState``, with the servers and files that this state requires.
final class PreparedProgram {
    let pane: ShellPane
    let state: ProgramState
    private let gate = Gate()
    private var home: BrowserHome?
    private var pipe: Int32 = -1
    private var server: Int32?

    /// Returns a pane for ``ProgramState/blocked``. The pane is so large that a frame does not fit into the kernel's
    /// terminal buffer.
    static func widePane() throws -> ShellPane { try ShellPane(columns: 200, rows: 60) }

    /// Starts a program and brings it into the given state.
    init(_ state: ProgramState, _ pane: ShellPane) throws {
        self.pane = pane
        self.state = state
        switch state {
        case .waitingForResponse: try beginDownload(showing: "loading a.gif…") { _ in 0 }
        case .emptyPipe: try openPipe()
        case .playing:
            try pane.play("'dancing cat'", until: "built-in")
        case .halfDownloaded: try beginDownload(showing: "a.gif") { $0 / 2 }
        case .blocked: try block()
        case .galleryGrid, .fullView, .searchField: try browse()
        }
    }

    deinit {
        gate.open()
        unblock()
        if pipe >= 0 { close(pipe) }
    }

    private func beginDownload(showing text: String, _ part: @escaping @Sendable (Int) -> Int) throws {
        let bytes = try Binary.bytes("campfire")
        let server = try RawServer { [gate] connection, _ in
            connection.readHead()
            let count = part(bytes.count)
            if count > 0 { connection.respond(bytes.prefix(count), length: bytes.count) }
            gate.wait()
        }
        try pane.play("'\(server.base)/a.gif'", environment: ["GIFPLAY_OFFLINE": "0"], until: text)
    }

    private func openPipe() throws {
        #expect(mkfifo(pane.path("pipe"), 0o600) == 0)
        // Opens the FIFO for reading and writing, because `open` for writing alone would wait for a reader.
        pipe = open(pane.path("pipe"), O_RDWR | O_CLOEXEC)
        try pane.play("-", line: "./play < pipe")
        try pane.tmux.wait(for: "the other screen") { try pane.tmux.format("#{alternate_on}") == "1" }
    }

    /// Stops the tmux server, which reads the program's output. The program writes at full speed, so it fills the
    /// terminal buffer and is then blocked.
    private func block() throws {
        try pane.play("--loop forever --speed max --fidelity exact --loop-cache 0 'dancing cat'", until: "built-in")
        let terminal = try #require(Int32(pane.tmux.format("#{pid}")))
        let device = open(try pane.tmux.format("#{pane_tty}"), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        defer { close(device) }
        server = terminal
        kill(terminal, SIGSTOP)
        let process = try pane.process()
        var written = ""
        var equalReadings = 0
        let end = Date().addingTimeInterval(PseudoTerminal.timeout)
        while equalReadings < 5, Date() < end {
            let now = try String(contentsOfFile: "/proc/\(process)/io", encoding: .utf8)
            equalReadings = now == written && processState(process) == "S" ? equalReadings + 1 : 0
            written = now
            poll(nil, 0, 20)
        }
        #expect(equalReadings == 5, "the program continues to write although the terminal is stopped")
        // Fills the rest of the terminal buffer with NUL bytes, which draw nothing. Otherwise the few bytes that
        // restore the terminal could still fit into the buffer.
        var nothing: UInt8 = 0
        while write(device, &nothing, 1) == 1 {}
    }

    /// Resumes the tmux server.
    func unblock() {
        if let server { kill(server, SIGCONT) }
        server = nil
    }

    private func browse() throws {
        let home = try BrowserHome()
        self.home = home
        try pane.play("browse octopus", environment: home.environment(), until: "Octopus 1")
        try pane.tmux.wait(for: "a picture in a tile") {
            try pane.tmux.tmux("capture-pane", "-p", "-e").contains("48;2;")
        }
        switch state {
        case .fullView:
            try pane.tmux.press("Enter")
            // The grid shows the title and the credit, too, but not this hint.
            try pane.tmux.wait(forText: "Esc back")
        case .searchField:
            try pane.tmux.press("/")
            try pane.tmux.type("slow", until: "/ slow")
        default: break
        }
    }
}
