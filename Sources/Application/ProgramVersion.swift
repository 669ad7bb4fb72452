import Fetching
import GIFDecode

/// The text of `--version`.
public enum ProgramVersion {
    /// The versions of gifplay, giflib and libcurl, one per line. Loads libcurl.
    public static var text: String {
        let curl = CurlLibrary.load().versions?.split(separator: " ").first?.split(separator: "/").last
        return """
            gifplay \(Product.version)
            giflib \(GIFLibrary.version)
            libcurl \(curl ?? "not found")
            """
    }
}
