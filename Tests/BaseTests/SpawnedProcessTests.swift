import Base
import Glibc
import Testing

@Suite("Child processes") struct SpawnedProcessTests {
    @Test("A child inherits its standard streams alone, even if another descriptor is not closed on exec")
    func descriptors() throws {
        // The number is larger than any that `ls` opens.
        let inheritable = dup2(STDERR_FILENO, 777)
        try #require(inheritable == 777)
        defer { close(inheritable) }
        let process = try SpawnedProcess(["ls", "/proc/self/fd"], readsOutput: true)
        defer { close(process.pipe) }
        let names = String(decoding: try FileSystem.read(process.pipe, limit: 1 << 16), as: UTF8.self)
        #expect(process.wait() == 0)
        // `ls` itself opens the folder as descriptor 3.
        #expect(names == "0\n1\n2\n3\n")
    }
}
