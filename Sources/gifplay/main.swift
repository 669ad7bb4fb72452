import Application
import CTerminal
import Glibc

// A fixed mmap threshold turns off glibc's dynamic one. The dynamic threshold rises when the first large block is
// freed. Then glibc no longer returns freed blocks of that size to the system, such as the old buffers of the growing
// loop cache. The fixed threshold lowers the peak memory of a long loop from 33 to 25 MB, at the same processor time.
_ = mallopt(M_MMAP_THRESHOLD, 1 << 20)

Startup.prepare()

// This is the only place that ends the process.
ExitStatus.exit(with: Gifplay.start(Array(CommandLine.arguments.dropFirst())))
