import CSpawn
import Foundation
import Pixels
import Playback
import TestSupport
import Testing

/// A program that runs on a real pseudo-terminal; the test holds the master end.
final class PseudoTerminal {
    let process: Int32
    private(set) var master: Int32
    /// All output of the program read so far.
    private(set) var output: [UInt8] = []
    /// Whether the test answers terminal queries. The answers report a fixed background colour and support for
    /// synchronized updates.
    var answers: Bool
    private var answered = 0
    private var exitStatus: Int32?

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The timeout of every wait, in seconds.
    static let timeout = 30.0

    /// - Parameters:
    ///   - cell: the size of a cell in pixels that the kernel reports; zero if it is unknown.
    ///   - text: a text to read until; nil to read nothing yet.
    init(
        _ arguments: [String], columns: Int = 80, rows: Int = 24, cell: PixelSize = PixelSize(width: 0, height: 0),
        environment: [String: String] = [:], answers: Bool = true, path: String = Binary.path,
        until text: String? = nil
    ) throws {
        self.answers = answers
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = cleanEnvironment(environment).map { strdup("\($0)=\($1)") } + [nil]
        var descriptor: Int32 = -1
        var size = winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: UInt16(columns * cell.width),
            ws_ypixel: UInt16(rows * cell.height))
        process = spawn_on_pty(path, &argv, &envp, &size, &descriptor)
        master = descriptor
        for pointer in argv + envp { free(pointer) }
        guard process > 0 else {
            // kill(2) would send the signal to every process.
            exitStatus = -1
            throw Failure(description: "\(path): \(String(cString: strerror(errno)))")
        }
        if let text { try read(until: text) }
    }

    deinit {
        kill()
        if master >= 0 { close(master) }
    }

    /// The file descriptor of the master end.
    var descriptor: Int32 { master }

    /// Kills the program with SIGKILL and waits for its exit.
    func kill() {
        guard exitStatus == nil else { return }
        Glibc.kill(process, SIGKILL)
        _ = reap()
    }

    var text: String { String(decoding: output, as: UTF8.self) }

    func send(_ keys: String) {
        var keys = keys
        keys.withUTF8 { _ = write(master, $0.baseAddress, $0.count) }
    }

    func send(_ keys: String, until text: String) throws {
        send(keys)
        try read(until: text)
    }

    /// Sends keys that end the program, and expects its exit status.
    func quit(_ keys: String = "q", status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) throws {
        send(keys)
        #expect(try finish() == status, sourceLocation: sourceLocation)
    }

    func resize(columns: Int, rows: Int) { resize_pty(master, Int32(columns), Int32(rows)) }

    /// Reads until `condition` returns true. Throws on timeout, or if the program exits first.
    func read(_ what: String, until condition: (PseudoTerminal) -> Bool) throws {
        let end = Date().addingTimeInterval(Self.timeout)
        while !condition(self) {
            guard Date() < end else { throw Failure(description: "timed out waiting for \(what); got: \(tail)") }
            guard try readOnce(until: end) else {
                if condition(self) { return }
                throw Failure(description: "the program ended before \(what); got: \(tail)")
            }
        }
    }

    func read(until text: String) throws {
        try read("\"\(text)\"") { $0.count(of: text) > 0 }
    }

    /// Reads to the end of the output. Returns the exit status, or the negated signal number if a signal ended the
    /// program.
    @discardableResult
    func finish() throws -> Int32 {
        let end = Date().addingTimeInterval(Self.timeout)
        while try readOnce(until: end) {
            guard Date() < end else { throw Failure(description: "the program does not end; got: \(tail)") }
        }
        return reap()
    }

    /// Closes the terminal and returns the exit status.
    func hangUp() -> Int32 {
        closeMaster()
        return reap()
    }

    func closeMaster() {
        close(master)
        master = -1
    }

    /// Waits until the terminal's buffer is full. The buffer counts as full if over 2000 bytes are unread and their
    /// number stays the same for three polls.
    func waitUntilFull() {
        var last: Int32 = -1
        var same = 0
        let end = Date().addingTimeInterval(Self.timeout)
        while same < 3, Date() < end {
            var count: Int32 = 0
            _ = ioctl(master, UInt(FIONREAD), &count)
            same = count == last && count > 2000 ? same + 1 : 0
            last = count
            poll(nil, 0, 100)
        }
    }

    /// Returns the exit status if the program exits within `seconds`, and nil otherwise. During the wait, the output is
    /// not read.
    func reap(within seconds: Int) -> Int32? {
        var information = siginfo_t()
        for _ in 0..<seconds * 20 {
            if waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0,
                information.si_code != 0
            {
                return reap()
            }
            poll(nil, 0, 50)
        }
        return nil
    }

    func reap() -> Int32 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        let signal = status & 0x7F
        let result = signal != 0 ? -signal : status >> 8 & 0xFF
        exitStatus = result
        return result
    }

    private var tail: String { String(text.suffix(200)).debugDescription }

    /// The number of occurrences of `text` in the output read so far.
    func count(of text: String) -> Int { output.ranges(of: Array(text.utf8)).count }

    /// Waits for output until `end` at the latest, and reads once.
    /// - Returns: false at the end of the output.
    func readOnce(until end: Date) throws -> Bool {
        var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(max(0, end.timeIntervalSinceNow * 1000))
        guard poll(&descriptor, 1, milliseconds) > 0 else { return true }
        return take(atMost: 64 << 10) > 0
    }

    /// Reads the available output, at most `most` bytes.
    /// - Returns: the number of bytes read; 0 or less at the end of the output.
    func take(atMost most: Int) -> Int {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = Glibc.read(master, &bytes, bytes.count)
        guard count > 0 else { return count }
        output += bytes.prefix(count)
        if answers { answer() }
        return count
    }

    /// Answers each device attributes query (DA1). The first answer includes the answers to the queries that precede
    /// DA1 (background colour, synchronized output).
    private func answer() {
        let question = Array("\u{1B}[c".utf8)
        while let found = output.firstRange(of: question, in: answered..<output.count) {
            if answered == 0 { send("\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}[?2026;2$y") }
            send("\u{1B}[?62;22c")
            answered = found.upperBound
        }
        // The next call searches the last two bytes again, because a query can be split between two reads.
        if answered > 0 { answered = max(answered, output.count - 2) }
    }
}
