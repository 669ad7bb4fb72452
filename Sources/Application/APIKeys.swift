import CTerminal
import Catalog
import Glibc

/// Keeps the services' API keys out of core dumps. ``Secret`` keeps them out of messages.
enum APIKeys {
    /// Disables core dumps if the environment contains a key. Call it at process start, before reading any input.
    ///
    /// Without a key, core dumps stay enabled so that crashes can be diagnosed.
    static func disableCoreDumpsIfPresent() {
        let hasKey = GIFSources.keyVariables.contains { getenv($0).map { $0.pointee != 0 } ?? false }
        if hasKey { disableCoreDumps() }
    }

    /// Disables core dumps. Call it after a key has been read from the configuration file.
    static func disableCoreDumps() { gifplay_protect_memory() }
}
