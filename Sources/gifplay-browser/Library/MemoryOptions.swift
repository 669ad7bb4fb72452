import Application
import ArgumentParser
import Catalog
import Library

/// Options for what the gallery stores.
struct MemoryOptions: ParsableArguments {
    @Flag(help: "Write nothing of what is viewed, searched and listed; only favourites and what is dismissed.")
    var noHistory = false

    /// Opens the library for listings that are queried with these preferences, from `source` only unless it is nil.
    func opened(_ preferences: Preferences, source: String?) throws(Complaint) -> Library {
        let asked = [preferences.rating.rawValue, preferences.language, source].compactMap(\.self)
        let variant = asked.joined(separator: " ")
        return try Remembered.opened(.init(keepsHistory: !noHistory, variant: variant))
    }
}
