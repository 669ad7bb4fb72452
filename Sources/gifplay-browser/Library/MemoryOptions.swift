import Application
import ArgumentParser
import Catalog
import Library

/// What browsing writes down.
struct MemoryOptions: ParsableArguments {
    @Flag(help: "Write nothing of what is viewed, searched and listed; only favourites and what is dismissed.")
    var noHistory = false

    /// The library for listings asked with these preferences.
    func opened(_ preferences: Preferences) throws(Complaint) -> Library {
        let variant = "\(preferences.rating.rawValue) \(preferences.language)"
        return try Remembered.opened(.init(keepsHistory: !noHistory, variant: variant))
    }
}
