import Glibc

/// Checks whether memory is available before it is allocated.
///
/// Swift ends the process if an allocation fails. With this check, gifplay can report an error instead. The allocation
/// of a large canvas can fail on a system without overcommit, or if `ulimit -v` limits memory.
enum MemoryProbe {
    /// Allocations of up to this number of bytes are not checked, because each check takes two system calls.
    private static let smallestChecked = 1 << 20

    /// Returns whether the system can provide `count` bytes now.
    static func canAllocate(_ count: Int) -> Bool {
        guard count > smallestChecked else { return true }
        // Uses mmap instead of malloc. A compiler can remove a call of malloc if the program only frees the memory.
        let block = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard block != MAP_FAILED else { return false }
        munmap(block, count)
        return true
    }
}
