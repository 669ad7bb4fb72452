import Pixels

extension GalleryState {
    /// The screen as it should be now.
    public func view() -> Screen { Screen(size: traits.size) }
}
