import Application
import Library

/// The library for the gallery, or the reason why the library cannot be opened. The gallery works even without a
/// library.
struct GalleryLibrary {
    private(set) var library: Library?
    /// An error message to print after the gallery has left the alternate screen.
    private(set) var failure: String?

    init(_ history: HistoryOptions, _ settings: LoaderSettings) {
        do throws(CommandError) {
            library = try history.openLibrary(settings.preferences, source: settings.source)
        } catch {
            failure = error.message + "; nothing of this session is stored"
        }
    }
}
