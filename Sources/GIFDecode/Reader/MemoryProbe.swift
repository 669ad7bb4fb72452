import Glibc

/// Checks whether memory is available before it is allocated.
///
/// Swift ends the process if an allocation fails. If the memory of a process is limited (`ulimit -v`, or a system
/// without overcommit), a canvas can be too large, and this check turns that into an ordinary error.
enum MemoryProbe {
    /// Smaller amounts are not checked, because each check takes two system calls.
    private static let smallestChecked = 1 << 20

    /// Whether the system can provide `count` bytes now.
    static func canAllocate(_ count: Int) -> Bool {
        guard count > smallestChecked else { return true }
        // Not malloc: compilers remove it if its block is only freed.
        let block = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard block != MAP_FAILED else { return false }
        munmap(block, count)
        return true
    }
}
