import Application
import CTerminal
import Glibc

// Scrolling allocates and frees buffers for files of some hundred kB. With this threshold they are mapped and leave no
// holes in the heaps; the second setting limits the heaps to two instead of one for each thread. Gallery of 30 GIFs:
// 54 -> 42 MB; while scrolling: 71 -> 60 MB.
_ = mallopt(M_MMAP_THRESHOLD, 128 << 10)
_ = mallopt(M_ARENA_MAX, 2)

Startup.prepare()

// The only place that ends the process.
ExitStatus.exit(with: GifplayBrowser.runReportingErrors())
