import Base
import CSpawn
import Foundation
import Pixels
import TestServer

/// A network namespace with an address that gifplay treats as public. Only one thread and the processes that this
/// thread starts are in the namespace.
enum PublicNetwork {
    /// The public address, from a block that is reserved for examples.
    static let address = "203.0.113.5"
    /// Programs that ``run(_:_:)`` starts resolve this host name to 127.0.0.1. They resolve the host name
    /// `outside.test` to ``address``.
    static let insideName = "inside.test"

    /// Whether this process is allowed to create the network namespace and to start a program there in a new mount
    /// namespace.
    static let isPossible = (try? perform { try spawnsWithOwnFiles() }) ?? false

    private static func spawnsWithOwnFiles() throws -> Bool {
        let command = command("/bin/true", [], hosts: "/etc/hosts")
        return try EndToEndTests.run(command.path, command.arguments).status == 0
    }

    struct Failure: Error {
        var errno: Int32
    }

    /// Runs `body` on a new thread in a new network namespace.
    static func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let outcome = Monitor<Result<Value, any Error>?>(nil)
        let isStarted = DetachedThread.start {
            let code = enter_own_network(address)
            let result = code == 0 ? Result { try body() } : .failure(Failure(errno: code))
            outcome.withLock { $0 = result }
        }
        guard isStarted else { throw Failure(errno: EAGAIN) }
        return try outcome.wait { $0 }.get()
    }

    /// Returns a command that runs the program with the file `hosts` as /etc/hosts.
    static func command(_ path: String, _ arguments: [String], hosts: String) -> (path: String, arguments: [String]) {
        let script = "mount --bind \"$0\" /etc/hosts && exec \"$@\""
        return ("/usr/bin/unshare", ["-m", "/bin/sh", "-c", script, hosts, path] + arguments)
    }

    /// Runs the player with an /etc/hosts that contains ``insideName`` and `outside.test`.
    static func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ProgramResult {
        let folder = try TemporaryFolder()
        let hosts = try folder.write("127.0.0.1 \(insideName)\n\(address) outside.test\n", to: "hosts")
        let command = command(Binary.path, arguments, hosts: hosts)
        return try EndToEndTests.run(
            command.path, command.arguments, environment: ["GIFPLAY_OFFLINE": "0"].merging(environment) { $1 })
    }
}
