import Application
import CTerminal
import Glibc

// A fixed threshold turns off glibc's dynamic threshold. The dynamic threshold rises when the first large block is
// freed; after that, glibc keeps later blocks of that size, such as the old buffers of the growing loop cache, instead
// of returning them to the system. The fixed threshold lowers the peak memory of a long loop from 33 to 25 MB, at the
// same processor time.
_ = mallopt(M_MMAP_THRESHOLD, 1 << 20)

// Must run before any command, including ``BrowserProgram/run(_:)``.
Startup.prepare()

// The only place that ends the process.
ExitStatus.exit(with: Gifplay.start(Array(CommandLine.arguments.dropFirst())))
