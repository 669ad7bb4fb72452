import CGif

/// The library that decodes GIFs.
public enum GIFLibrary {
    /// The version of giflib's headers at build time, such as "5.2.1". giflib does not report its version at run time.
    public static let version = "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)"
}
