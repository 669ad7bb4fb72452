import Catalog
import Pixels

/// The version of the program. `scripts/package` reads it from this file.
public enum Product {
    public static let version = "1.1.0"

    /// The text of `--version`: the versions of gifplay, giflib and libcurl, one per line. Loads libcurl.
    public static var versions: String {
        let curl = CurlHTTPClient.library().versions?.split(separator: " ").first?.split(separator: "/").last
        return """
            gifplay \(Product.version)
            giflib \(GIFLibrary.version)
            libcurl \(curl ?? "not found")
            """
    }
}
