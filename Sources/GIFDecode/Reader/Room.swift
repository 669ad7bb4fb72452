import Glibc

/// Whether memory is to be had, asked before it is taken.
///
/// Swift ends the process where an allocation fails. Where a process may only take so much (`ulimit -v`, a machine
/// that promises no more than it has) a canvas can be refused, and that is an error like others.
enum Room {
    /// Less than this is not asked for: each question takes two system calls.
    private static let small = 1 << 20

    /// Whether the system gives so many bytes now.
    static func has(_ count: Int) -> Bool {
        guard count > small else { return true }
        // Not malloc, which compilers leave out when its block is only freed.
        let block = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard block != MAP_FAILED else { return false }
        munmap(block, count)
        return true
    }
}
