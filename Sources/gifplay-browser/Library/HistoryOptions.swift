import Application
import ArgumentParser
import Catalog
import Library

/// The option that limits what the gallery stores.
struct HistoryOptions: ParsableArguments {
    @Flag(help: "Store only favourites and dismissed GIFs")
    var noHistory = false

    /// Returns the options of the library. The library keeps listings separately for each combination of rating,
    /// language and `source`. `source` is nil if the user did not choose a single source.
    func libraryOptions(_ preferences: ListingPreferences, source: String?, lockSeconds: Double) -> Library.Options {
        let parts = [preferences.rating.rawValue, preferences.language, source].compactMap(\.self)
        let variant = parts.joined(separator: " ")
        return Library.Options(keepsHistory: !noHistory, variant: variant, lockSeconds: lockSeconds)
    }
}
