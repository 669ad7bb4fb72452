import Application
import Base
import CTerminal
import Catalog
import Glibc

// Turns off glibc's dynamic mmap threshold, which rises when the first large block is freed. Then glibc no longer
// returns freed blocks of that size to the system, such as the old buffers of the growing loop cache. This lowers the
// peak memory of a long loop from 33 to 25 MB, at the same processor time.
_ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
// Limits malloc to two heaps instead of one for each thread, which each reserve 64 MiB of address space.
_ = mallopt(M_ARENA_MAX, 2)

// Before the first allocation, so that a failure of any allocation has a message.
gifplay_handle_crashes()
gifplay_use_task_threads()
// Keeps the API keys out of core dumps; `Secret` keeps them out of messages. Without a key, core dumps stay enabled, to
// diagnose crashes. This must come before any input is read.
if GIFSources.keyVariables.contains(where: { getenv($0).map { $0.pointee != 0 } ?? false }) { gifplay_protect_memory() }
// Opens /dev/null on each closed standard stream, in the wrong direction, so that a read or a write still fails. Otherwise
// the next file that gifplay opens would get the closed descriptor, and error messages could be written into a cached GIF.
for (descriptor, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
where fcntl(descriptor, F_GETFD) < 0 {
    // open() uses the lowest free descriptor, which is `descriptor`, because all lower ones are already open.
    _ = open("/dev/null", flags)
}
// With SIGXFSZ ignored, a write beyond `ulimit -f` fails with an error and does not end the process.
signal(SIGXFSZ, SIG_IGN)
// With SIGPIPE ignored, a write to a closed pipe fails with EPIPE.
signal(SIGPIPE, SIG_IGN)

// This is the only place that ends the process.
ExitStatus.exit(with: Gifplay.start(FileSystem.arguments))
