import Application
import Library

/// The library for the gallery, or the reason why it cannot be opened: the gallery also works without a library.
struct BrowsingStore {
    private(set) var library: Library?
    /// An error message to print after the gallery has left the alternate screen.
    private(set) var failure: String?

    init(_ memory: MemoryOptions, _ settings: OnlineSettings) {
        do throws(Complaint) {
            library = try memory.opened(settings.preferences, source: settings.source)
        } catch {
            failure = error.sentence + "; nothing of this session is remembered"
        }
    }
}
