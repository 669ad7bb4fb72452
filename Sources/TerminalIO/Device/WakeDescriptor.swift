import CTerminal
import Glibc

/// An eventfd that is closed with the last waker that can write to it.
final class WakeDescriptor: Sendable {
    let descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))

    deinit { close(descriptor) }
}
