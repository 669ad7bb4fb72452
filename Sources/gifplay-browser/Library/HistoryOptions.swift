import Application
import ArgumentParser
import Catalog
import Library

/// Options for what the gallery stores.
struct HistoryOptions: ParsableArguments {
    @Flag(help: "Store only favourites and dismissed GIFs")
    var noHistory = false

    /// Opens the library for listings that are queried with these preferences, from `source` only unless it is nil.
    func openLibrary(_ preferences: ListingPreferences, source: String?) throws(CommandError) -> Library {
        let parts = [preferences.rating.rawValue, preferences.language, source].compactMap(\.self)
        let variant = parts.joined(separator: " ")
        return try LibraryAccess.open(.init(keepsHistory: !noHistory, variant: variant))
    }
}
