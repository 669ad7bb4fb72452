import Application
import Fetching
import GIFDecode
import Library

/// Lists the versions of gifplay and its libraries.
enum LibraryVersionChecks {
    static var findings: [Finding] {
        [
            .ok("gifplay", Product.version), .ok("giflib", GIFLibrary.version), curl,
            .ok("SQLite", LibraryHealth.sqliteVersion),
        ]
    }

    private static var curl: Finding {
        let library = CurlLibrary.load()
        guard let versions = library.versions else {
            return .error(
                "libcurl", library.problem ?? "cannot be loaded",
                "install the package libcurl4; without it, only local GIFs play"
            )
        }
        return .ok("libcurl", versions.split(separator: "/", maxSplits: 1).last.map(String.init) ?? versions)
    }
}
