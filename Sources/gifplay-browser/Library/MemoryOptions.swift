import Application
import ArgumentParser
import Catalog
import Library

/// What browsing writes down.
struct MemoryOptions: ParsableArguments {
    @Flag(help: "Write nothing of what is viewed, searched and listed; only favourites and what is dismissed.")
    var noHistory = false

    /// The library for listings asked with these preferences, of one source where one was named.
    func opened(_ preferences: Preferences, source: String?) throws(Complaint) -> Library {
        let asked = [preferences.rating.rawValue, preferences.language, source].compactMap(\.self)
        let variant = asked.joined(separator: " ")
        return try Remembered.opened(.init(keepsHistory: !noHistory, variant: variant))
    }
}
