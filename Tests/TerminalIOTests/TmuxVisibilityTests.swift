import Base
import Testing

@testable import TerminalIO

@Suite("Visibility of a tmux pane")
struct TmuxVisibilityTests {
    private static let device = "/dev/pts/7"
    private static let start = Instant(nanoseconds: 0)

    private static let tmux = ["TMUX": "/tmp/tmux-0/default,1,0", "TMUX_PANE": "%1"]

    private func visibility(_ variables: [String: String] = tmux) -> TmuxVisibility? {
        TmuxVisibility(device: Self.device, at: Self.start) { variables[$0] }
    }

    @Test(
        "A pane is visible if a client shows its window and no other pane is zoomed",
        arguments: [
            ("1 01 /dev/pts/7\n", true), ("2 00 /dev/pts/7\n", true), ("1 11 /dev/pts/7\n", true),
            ("1 10 /dev/pts/7\n", false), ("0 01 /dev/pts/7\n", false),
        ])
    func shown(reply: String, expected: Bool) throws {
        #expect(try #require(visibility()).isShown(reply) == expected)
    }

    @Test(
        "Replies of old tmux versions, replies about other panes and missing replies are not valid",
        arguments: [" 01 /dev/pts/7\n", "1 01 /dev/pts/8\n", "", "no server running\n"])
    func invalid(reply: String) throws {
        #expect(try #require(visibility()).isShown(reply) == nil)
    }

    @Test("gifplay queries tmux only if it runs inside tmux, and sends the first query after 10 s")
    func environment() {
        #expect(visibility()?.deadline == Self.start + 10 * Span.second)
        #expect(visibility(Self.tmux.merging(["STY": "1.screen"]) { $1 }) == nil)
        #expect(visibility(["TMUX_PANE": "%1"]) == nil)
        #expect(visibility(["TMUX": "/tmp/tmux-0/default,1,0"]) == nil)
    }
}
