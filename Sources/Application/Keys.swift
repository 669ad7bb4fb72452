import CTerminal
import Catalog
import Glibc

/// What keeps the services' keys where they belong, besides ``Secret``.
enum Keys {
    /// At the start of a process, before anything is read: with a key in its environment a crash leaves no core.
    ///
    /// Without a key cores stay, for whoever wants to know why.
    static func guardMemory() {
        if GIFSources.keyVariables.contains(where: { getenv($0).map { $0.pointee != 0 } ?? false }) { withholdMemory() }
    }

    /// Once a key has been read from elsewhere.
    static func withholdMemory() { gifplay_withhold_memory() }
}
