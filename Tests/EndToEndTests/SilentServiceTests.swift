import TestServer
import Testing

/// Tests services that accept a connection and never respond.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct SilentServiceTests {
    private let server: RawServer

    init() throws { server = try RawServer { connection, _ in connection.waitForHangUp() } }

    private var environment: [String: String] {
        ["COMMONS", "GIFCITIES", "OPENVERSE"].reduce(into: ["GIFPLAY_OFFLINE": "0"]) {
            $0["GIFPLAY_ENDPOINT_\($1)"] = server.base
        }
    }

    @Test("Without arguments, a built-in sample plays even if no service responds")
    func screensaver() throws {
        let terminal = try PseudoTerminal([], environment: environment, until: "built-in")
        try terminal.quit()
    }

    @Test("'q' and Ctrl-C end a search that gets no response", arguments: [("q", Int32(0)), ("\u{3}", 130)])
    func search(key: String, status: Int32) throws {
        let terminal = try PseudoTerminal(["dancing cat"], environment: environment, until: "looking for")
        #expect(terminal.exitProblem(keys: key, status: status) == nil)
    }
}
