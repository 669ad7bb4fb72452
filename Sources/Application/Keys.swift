import CTerminal
import Catalog
import Glibc

/// Protects the services' API keys in memory, in addition to ``Secret``.
enum Keys {
    /// Disables core dumps if the environment contains a key. Call it at process start, before reading any input.
    ///
    /// Without a key, core dumps stay enabled so that crashes can be diagnosed.
    static func guardMemory() {
        if GIFSources.keyVariables.contains(where: { getenv($0).map { $0.pointee != 0 } ?? false }) { withholdMemory() }
    }

    /// Disables core dumps. Call it after a key has been read from another place, such as the configuration file.
    static func withholdMemory() { gifplay_withhold_memory() }
}
