import Application
import Library

/// The library for browsing, or why there is none: a gallery without memory is better than no gallery.
struct BrowsingStore {
    private(set) var library: Library?
    /// For the end, when the screen is the shell's again.
    private(set) var failure: String?

    init(_ memory: MemoryOptions, _ settings: OnlineSettings) {
        do throws(Complaint) {
            library = try memory.opened(settings.preferences, source: settings.source)
        } catch {
            failure = error.sentence + "; nothing of this session is remembered"
        }
    }
}
