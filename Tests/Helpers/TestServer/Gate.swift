import Glibc

/// A gate that a test opens and that server threads wait for.
public final class Gate: Sendable {
    // The gate is a pipe. One byte in the pipe, which is never read, releases every waiter.
    private let reading: Int32
    private let writing: Int32

    public init() {
        (reading, writing) = Descriptors.pipe()
    }

    /// Releases all current and future waiters.
    public func open() {
        var byte: UInt8 = 1
        write(writing, &byte, 1)
    }

    /// Blocks the thread until the gate is open, for at most 200 s. This timeout is longer than that of a single wait
    /// in the end-to-end tests (30 s).
    public func wait() {
        var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, 200_000)
    }

    deinit {
        close(reading)
        close(writing)
    }
}
