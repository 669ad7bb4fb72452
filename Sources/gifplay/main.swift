import Application
import CTerminal
import Glibc

// A fixed threshold disables glibc's dynamic one. The dynamic threshold rises when the first large block is freed;
// glibc then keeps later blocks of that size, such as the old buffers of the growing loop cache, instead of returning
// them to the system. Peak memory of a long loop: 33 -> 25 MB, at the same processor time.
_ = mallopt(M_MMAP_THRESHOLD, 1 << 20)

// Must run before everything else, including BrowserProgram.run.
Startup.prepare()

// The only place that ends the process.
ExitStatus.exit(with: Gifplay.start(Array(CommandLine.arguments.dropFirst())))
