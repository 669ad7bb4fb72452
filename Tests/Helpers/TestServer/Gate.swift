import Glibc

/// A gate that a test opens and that server threads wait for.
public final class Gate: Sendable {
    // A pipe: a byte in it, which is never read, releases every waiter.
    private let reading: Int32
    private let writing: Int32

    public init() {
        (reading, writing) = Descriptors.pipe()
    }

    /// Releases all present and later waiters.
    public func open() {
        var byte: UInt8 = 1
        write(writing, &byte, 1)
    }

    /// Blocks the thread until the gate is open, for at most 200 s, which is longer than a test may take.
    public func wait() {
        var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, 200_000)
    }

    deinit {
        close(reading)
        close(writing)
    }
}
