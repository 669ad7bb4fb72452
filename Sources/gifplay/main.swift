import Application
import CTerminal
import Glibc

// What grows, as the loop cache, gives its old room back: else the first large block that is freed teaches glibc to keep
// the next ones. Peak of a long loop 33 -> 25 MB, for the same processor time.
_ = mallopt(M_MMAP_THRESHOLD, 1 << 20)

// Browser.run and everything else come after it.
Startup.prepare()

// The one place that ends the process.
Exit.with(Gifplay.start(Array(CommandLine.arguments.dropFirst())))
