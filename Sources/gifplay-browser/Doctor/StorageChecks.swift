import Application
import Base
import Catalog
import Fetching
import Foundation
import Library

/// Checks the media cache and the library. Creates neither.
struct StorageChecks {
    let settings: LoaderSettings
    let environment: [String: String]

    var findings: [Finding] { [cache, library] }

    private var cache: Finding {
        guard let path = settings.cacheDirectory else {
            return .warning("cache", "no folder: neither XDG_CACHE_HOME nor HOME is set", "set HOME")
        }
        guard FileManager.default.fileExists(atPath: path) else { return .ok("cache", "\(path) does not exist yet") }
        do throws(FetchError) {
            let cache = try MediaCache(directory: path, limit: settings.cacheBytes)
            let statistics = try cache.statistics()
            let size = "\(statistics.entries) files, \(ByteSize.file(statistics.bytes))"
            let text = "\(path): \(size) of \(ByteSize.limit(statistics.limit))"
            let damaged = try cache.countDamagedEntries()
            guard damaged > 0 else { return .ok("cache", "\(text), all intact") }
            return .warning("cache", "\(text), \(damaged) damaged", "'gifplay cache --clear' empties the cache")
        } catch {
            return .error(
                "cache", "\(path): \(ErrorMessages.describe(error))",
                "remove it or correct its owner; GIFs play uncached")
        }
    }

    private var library: Finding {
        guard let path = Library.path(environment: environment) else {
            return .warning("library", "no folder: neither XDG_DATA_HOME nor HOME is set", "set HOME")
        }
        do throws(StoreError) {
            guard let health = try LibraryHealth(path: path) else {
                return .ok("library", "\(path) does not exist yet")
            }
            let marks = "\(health.favourites) favourites, \(health.viewed) viewed, \(health.dismissed) dismissed"
            let schema = "schema \(health.schema) of \(health.newestSchema)"
            let text = "\(path): \(ByteSize.file(health.bytes)), \(schema), \(marks)"
            guard let problem = health.problems.first else { return .ok("library", "\(text), integrity check passed") }
            return .error(
                "library", "\(text), integrity check failed: \(problem)",
                "export it with 'gifplay library export', or restore it with 'sqlite3 FILE .recover'")
        } catch {
            return .error("library", ErrorMessages.describe(error))
        }
    }
}
