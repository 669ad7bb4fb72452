import Application
import Gallery
import Library

/// The library for browsing, or why there is none: a gallery without memory is better than no gallery.
struct BrowsingStore {
    private(set) var library: Library?
    /// For the end, when the screen is the shell's again.
    private(set) var failure: String?

    /// - Parameter variant: what listings are asked with besides their words.
    init(environment: [String: String], keepsHistory: Bool, variant: String) {
        guard let path = Library.path(environment: environment) else {
            failure = "nothing is remembered: neither HOME nor XDG_DATA_HOME names a place for the library"
            return
        }
        do throws(StoreError) {
            library = try Library(path: path, options: .init(keepsHistory: keepsHistory, variant: variant))
        } catch {
            failure = Sentences.describe(error) + "; nothing of this session is remembered"
        }
    }
}
