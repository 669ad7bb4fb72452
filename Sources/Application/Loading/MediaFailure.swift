import Fetching

/// The reason why no file of a GIF could be loaded.
public enum MediaFailure: Equatable, Sendable {
    case fetch(FetchError)
    /// The library stores no address for any file of the GIF.
    case noAddress
    /// All files of the GIF are larger than the limit.
    case tooLarge
    /// gifplay is offline, and the file is not in the media cache.
    case notCached
    case notAnimated
}
