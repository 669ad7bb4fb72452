import Foundation
import TestServer

/// The library in Tests/Helpers/Faults, which makes calls of the C library fail in programs that a test starts.
struct FaultLibrary {
    private static let compiled = Result { try compile() }

    private let folder: TemporaryFolder
    private let library: String

    init() throws {
        library = try Self.compiled.get()
        folder = try TemporaryFolder()
    }

    private static func compile() throws -> String {
        let source = Binary.package.appendingPathComponent("Tests/Helpers/Faults/faults.c").path
        let library = (TestHome.environment["HOME"] ?? "") + "/faults.so"
        let result = try run("/usr/bin/cc", ["-shared", "-fPIC", "-O2", "-o", library, source])
        guard result.status == 0 else { throw CocoaError(.executableLoad, userInfo: ["reason": result.errors]) }
        return library
    }

    /// The file that exists once the call has failed. For the faults `gate` and `block`, the test creates it. If the
    /// number of the call is 0, it contains the number of calls after the exit.
    var report: String { folder.path("report") }

    /// - Parameter fault: for example `thread:2`, as described in the library.
    func environment(_ fault: String) -> [String: String] {
        ["LD_PRELOAD": library, "GIFPLAY_FAULT": fault, "GIFPLAY_FAULT_REPORT": report]
    }
}
