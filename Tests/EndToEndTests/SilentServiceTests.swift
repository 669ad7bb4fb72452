import Foundation
import Testing

/// Tests services that accept a connection and never respond.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct SilentServiceTests {
    /// Returns a listening socket and its port. The test never accepts a connection, but clients can connect, because
    /// the kernel completes the handshake.
    private func silentPort() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        try #require(isListening)
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private func environment(_ port: UInt16) -> [String: String] {
        ["COMMONS", "GIFCITIES", "OPENVERSE"].reduce(into: ["GIFPLAY_OFFLINE": "0"]) {
            $0["GIFPLAY_ENDPOINT_\($1)"] = "http://127.0.0.1:\(port)"
        }
    }

    @Test("Without arguments, a built-in sample plays even if no service responds")
    func screensaver() throws {
        let (descriptor, port) = try silentPort()
        defer { close(descriptor) }
        let terminal = try PseudoTerminal([], environment: environment(port))
        try terminal.read(until: "built-in")
        terminal.send("q")
        #expect(try terminal.finish() == 0)
    }

    @Test("'q' and Ctrl-C end a search that gets no response", arguments: [("q", Int32(0)), ("\u{3}", 130)])
    func search(key: String, status: Int32) throws {
        let (descriptor, port) = try silentPort()
        defer { close(descriptor) }
        let terminal = try PseudoTerminal(["dancing cat"], environment: environment(port))
        try terminal.read(until: "looking for")
        terminal.send(key)
        #expect(try terminal.finish() == status)
        #expect(terminal.text.hasSuffix("\u{1B}[0m\u{1B}[9999H\n\u{1B}[?25h\u{1B}[?1049l"))
    }
}
