import Application
import CTerminal
import Glibc

// Files of some hundred kB come and go while one scrolls: mapped, they leave no holes in the heaps, of which there are
// two, not one for each thread. A wall of 30 GIFs: 54 -> 42 MB; while scrolling 71 -> 60.
_ = mallopt(M_MMAP_THRESHOLD, 128 << 10)
_ = mallopt(M_ARENA_MAX, 2)

Startup.prepare()

// The one place that ends the process.
Exit.with(GifplayBrowser.runReportingErrors())
