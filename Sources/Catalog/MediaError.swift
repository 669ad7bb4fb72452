/// The reason why a file of a GIF is not available.
public enum MediaError: Error, Hashable, Sendable {
    /// The caller's task was cancelled.
    case cancelled
    case transport(HTTPError)
    /// The server answered with this HTTP status.
    case status(Int, host: String)
    case notGIF(host: String)
    /// The server sent nothing, only a part of the file, or parts of different files.
    case incomplete(host: String)
    /// All files of the GIF are larger than the limit.
    case tooLarge
    case cacheFailed
    /// The GIF comes from the library, which stores no address for any of its files.
    case noAddress
    /// gifplay is offline, and the file is not in the media cache.
    case notCached
    case notAnimated
}
