import Glibc

/// A directory for XDG_CONFIG_HOME that contains a configuration file of gifplay.
public struct ConfigurationFolder: Sendable {
    private let folder: TemporaryDirectory

    /// - Parameter mode: the permissions of the file.
    public init(_ text: String, mode: UInt32 = 0o600) throws {
        folder = try TemporaryDirectory()
        mkdir(folder.path + "/gifplay", 0o700)
        try folder.write(Array(text.utf8), to: "gifplay/config")
        chmod(path, mode)
    }

    /// The path of the configuration file.
    public var path: String { folder.path + "/gifplay/config" }

    /// Calls `body` with an environment that consists of `additions` and XDG_CONFIG_HOME. The directory exists at least
    /// until `body` returns.
    public func withEnvironment<Value>(
        _ additions: [String: String] = [:], _ body: ([String: String]) throws -> Value
    ) throws -> Value {
        try withExtendedLifetime(folder) {
            try body(additions.merging(["XDG_CONFIG_HOME": folder.path]) { $1 })
        }
    }
}
