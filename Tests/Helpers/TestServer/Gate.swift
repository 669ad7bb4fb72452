import Glibc

/// A condition that a test opens and that a server's thread waits for.
public final class Gate: Sendable {
    // A pipe: a byte in it, which nobody takes out, lets every waiter through.
    private let reading: Int32
    private let writing: Int32

    public init() {
        (reading, writing) = Descriptors.pipe()
    }

    /// Lets everyone through, now and later.
    public func open() {
        var byte: UInt8 = 1
        write(writing, &byte, 1)
    }

    /// Blocks the thread until the gate is open, or for the time that no test may take.
    public func wait() {
        var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, 200_000)
    }

    deinit {
        close(reading)
        close(writing)
    }
}
