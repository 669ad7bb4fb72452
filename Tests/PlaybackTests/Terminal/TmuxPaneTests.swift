import Base
import Glibc
import Pixels
import Testing

@testable import Playback

@Suite("A pane of tmux")
struct TmuxPaneTests {
    private static let device = "/dev/pts/7"
    private static let start = Instant(nanoseconds: 0)

    private static let tmux = ["TMUX": "/tmp/tmux-0/default,1,0", "TMUX_PANE": "%1"]

    private func pane(_ variables: [String: String] = tmux, asksForFeatures: Bool = false) -> TmuxPane? {
        TmuxPane(device: Self.device, at: Self.start, asksForFeatures: asksForFeatures) { variables[$0] }
    }

    private func reply(_ text: String) -> TmuxReply? {
        TmuxReply(text, device: Self.device) { TerminfoColors(count: 256, isDirect: $0 == "xterm-kitty") }
    }

    @Test(
        "A pane is visible if a client shows its window and no other pane is zoomed",
        arguments: [
            ("1 01 /dev/pts/7\n", true), ("2 00 /dev/pts/7 1\n", true), ("1 11 /dev/pts/7 0\n", true),
            ("1 10 /dev/pts/7\n", false), ("0 01 /dev/pts/7\n", false),
        ])
    func shown(text: String, expected: Bool) throws {
        #expect(try #require(self.reply(text)).isShown == expected)
    }

    @Test(
        "Replies of old tmux versions, replies about other panes and missing replies are not valid",
        arguments: [" 01 /dev/pts/7\n", "1 01 /dev/pts/8\n", "", "no server running\n"])
    func invalid(text: String) { #expect(reply(text) == nil) }

    @Test(
        "The terminals of all clients must show 24-bit colours and the images; a client in control mode does not count",
        arguments: [
            (["0|256,RGB,title|xterm-256color|XTerm(379)"], true, []),
            (["0|256,title|xterm-256color|XTerm(379)"], false, []),
            (["0|title|xterm-kitty|kitty(0.41.1)"], true, [.kitty]), ([], false, []),
            (["0|title|xterm-kitty|kitty(0.26.5)"], true, []), (["0||xterm-256color|kitty(0.41.1)"], false, []),
            (["0|RGB|xterm-ghostty|ghostty 1.1.3", "1|||"], true, [.kitty]),
            (["0|RGB|xterm-256color|iTerm2 3.5.4", "0|RGB|xterm-256color|WezTerm 20240203"], true, [.iterm2]),
            (["0|RGB|xterm-ghostty|ghostty 1.1.3", "0|RGB|foot|foot(1.21.0)"], true, []),
        ] as [([String], Bool, [GraphicsProtocol])])
    func clients(lines: [String], direct: Bool, protocols: [GraphicsProtocol]) throws {
        let reply = try #require(self.reply((["1 01 /dev/pts/7 1"] + lines).joined(separator: "\n")))
        #expect(reply.hasDirectColors == direct && reply.protocols == Set(protocols))
    }

    @Test("If tmux does not know the name of a terminal, its reply is not final")
    func names() throws {
        var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
        traits.graphics.awaited = [.tmux]
        var reply = try #require(self.reply("1 01 /dev/pts/7 1\n0|RGB|xterm-kitty|\n"))
        #expect(!reply.hasNames && traits.updated(by: reply, to: TerminalQueries()).graphics.awaited == [])
        reply.isFinal = false
        #expect(traits.updated(by: reply, to: TerminalQueries()).graphics.awaited == [.tmux])
    }

    @Test("Images are supported if tmux passes them on, and sixels if tmux and all clients report them")
    func sixels() throws {
        var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
        traits.graphics = TerminalGraphics(transport: .tmux)
        let line = "1 01 /dev/pts/7 0\n0|sixel,title|foot|foot(1.21.0)\n"
        let (reply, attributes) = (try #require(self.reply(line)), TerminalReply.attributes(hasSixel: true))
        #expect(traits.updated(by: attributes, to: TerminalQueries()).graphics.supported == [])
        #expect(traits.updated(by: reply, to: TerminalQueries()).graphics.supported == [])
        #expect(
            traits.updated(by: reply, to: TerminalQueries()).updated(by: attributes, to: TerminalQueries()).graphics
                .supported == [.sixel])
        #expect(
            traits.updated(by: attributes, to: TerminalQueries()).updated(by: reply, to: TerminalQueries()).graphics
                .supported == [.sixel])
    }

    @Test("Kitty images are supported if tmux passes them through", arguments: [true, false])
    func passthrough(isOn: Bool) throws {
        var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
        traits.graphics = TerminalGraphics(transport: .tmux)
        traits.colors.depth = .indexed
        let line = "0|RGB|xterm-ghostty|ghostty 1.1.3"
        let reply = try #require(self.reply("1 01 /dev/pts/7 \(isOn ? "all" : "off")\n\(line)\n"))
        let updated = traits.updated(by: reply, to: TerminalQueries(detectsColors: true))
            .updated(by: .attributes(hasSixel: true), to: TerminalQueries())
        #expect(updated.graphics.supported == (isOn ? [.kitty] : []))
        #expect(updated.graphics.blocked == (isOn ? [] : [.kitty]) && updated.colors.depth == .direct)
        // The user chose the colours.
        #expect(traits.updated(by: reply, to: TerminalQueries()).colors.depth == .indexed)
    }

    @Test("gifplay queries tmux only inside tmux: after 10 s, or after the first output if it needs the features")
    func environment() {
        #expect(pane()?.deadline == Self.start + 10 * Span.second)
        let asking = pane(asksForFeatures: true)
        #expect(asking != nil && asking?.deadline == nil)
        asking?.noticeOutput(at: Self.start)
        #expect(asking?.deadline == Self.start)
        #expect(pane(Self.tmux.merging(["STY": "1.screen"]) { $1 }) == nil)
        #expect(pane(["TMUX_PANE": "%1"]) == nil)
        #expect(pane(["TMUX": "/tmp/tmux-0/default,1,0"]) == nil)
    }

    @Test(
        "The socket of tmux or GNU Screen reports when a client is attached or detached",
        arguments: [["TMUX": "FOLDER/file,1,0"], ["STY": "file", "SCREENDIR": "FOLDER", "TERM": "screen.linux"]])
    func socket(variables: [String: String]) throws {
        var template = Array("/tmp/gifplay-socket-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        let path = folder + "/file"
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        defer {
            unlink(path)
            rmdir(folder)
        }
        let values = variables.mapValues { $0.replacing("FOLDER", with: folder) }
        let socket = try #require(MultiplexerSocket { values[$0] })
        #expect(!socket.hasClients)
        // Without a client, the first query follows the first output, and needs no feature.
        let pane = TmuxPane(device: Self.device, at: Self.start, asksForFeatures: false, socket: socket) {
            Self.tmux[$0]
        }
        #expect(pane != nil && pane?.deadline == nil)
        for mode in [0o700, 0o600] as [mode_t] {
            chmod(path, mode)
            var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(Glibc.poll(&waiting, 1, 10_000) == 1)
            socket.update()
            #expect(socket.hasClients == (mode == 0o700) && Glibc.poll(&waiting, 1, 0) == 0)
        }
        // A terminal emulator that was started inside GNU Screen is not part of it.
        #expect((MultiplexerSocket { $0 == "TERM" ? "xterm" : values[$0] } == nil) == (variables["STY"] != nil))
    }
}
