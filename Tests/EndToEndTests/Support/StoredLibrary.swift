import Application
import Base
import Catalog
import Library

/// Stores GIFs in a library, as the gallery and the player do.
enum StoredLibrary {
    /// A GIF of Commons, without a file.
    static func gif(_ id: String, title: String? = nil, page: String? = nil, files: [Rendition] = []) -> GIFReference {
        GIFReference(
            provider: "commons", id: id, title: title ?? "GIF \(id)", pageURL: page, attribution: "Ann",
            renditions: files, cachePolicy: .persistent)
    }

    /// Creates the library if it does not exist. The favourites are of 6 May 2024, 07:08:09 UTC, the views a day later.
    /// - Parameters:
    ///   - data: the folder that XDG_DATA_HOME names.
    ///   - viewed: a GIF is viewed as often as it is listed.
    /// - Returns: the path of the library.
    @discardableResult
    static func fill(_ data: String, favourites: [GIFReference] = [], viewed: [GIFReference] = []) throws -> String {
        let path = data + "/gifplay/library.sqlite"
        try runBlocking { () async throws(Base.Failure) in
            let library = try Library(path: path)
            for gif in favourites { try await library.setFavourite(gif, true, at: 1_714_979_289) }
            for gif in viewed { try await library.markViewed(gif, at: 1_715_065_689) }
        }
        return path
    }
}
