import GRDB

/// Where the library lies, and which SQLite keeps it.
public enum LibraryFile {
    /// gifplay/library.sqlite under XDG_DATA_HOME or ~/.local/share; nil where neither is known.
    public static func path(environment: [String: String]) -> String? {
        // A relative XDG path is to be ignored, says its specification.
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/gifplay/library.sqlite" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/share/gifplay/library.sqlite" }
        return nil
    }
}
