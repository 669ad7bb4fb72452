import Base
import CSpawn
import Foundation
import GIFDecode
import TestServer

/// A network of a thread's own with an address on it that looks like one of the world outside.
enum PublicNetwork {
    /// Of a block that is kept for examples, and that gifplay takes for public.
    static let address = "203.0.113.5"
    /// Leads to 127.0.0.1 in ``run(_:_:)``, to ``address`` under `outside.test`.
    static let insideName = "inside.test"

    /// Whether this machine lets us make one.
    static let isPossible = (try? inside { true }) ?? false

    struct Failure: Error {
        var errno: Int32
    }

    /// Runs `body` on a thread in such a network, with all that it starts.
    static func inside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let outcome = Monitor<Result<Value, any Error>?>(nil)
        detach {
            let code = enter_own_network(address)
            let result = code == 0 ? Result { try body() } : .failure(Failure(errno: code))
            outcome.withLock { $0 = result }
        }
        return try outcome.wait { $0 }.get()
    }

    /// The program and its arguments with an /etc/hosts of their own.
    static func command(_ path: String, _ arguments: [String], hosts: String) -> (path: String, arguments: [String]) {
        let script = "mount --bind \"$0\" /etc/hosts && exec \"$@\""
        return ("/usr/bin/unshare", ["-m", "/bin/sh", "-c", script, hosts, path] + arguments)
    }

    /// Runs the player there.
    static func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Outcome {
        let folder = try TemporaryFolder()
        let hosts = try folder.write(Array("127.0.0.1 \(insideName)\n\(address) outside.test\n".utf8), to: "hosts")
        let command = command(Binary.path, arguments, hosts: hosts)
        return try EndToEndTests.run(
            command.path, command.arguments, environment: ["GIFPLAY_OFFLINE": "0"].merging(environment) { $1 })
    }
}
