import Application
import Base
import Catalog
import Fetching
import FoundationEssentials
import Gallery
import Library

/// Checks the media cache and the library. Creates neither.
struct StorageChecks {
    let settings: LoaderSettings
    let environment: [String: String]

    var findings: [Finding] { relativeVariables + [cache] + failures + [library] }

    private var relativeVariables: [Finding] {
        ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_DOWNLOAD_DIR"].compactMap { name in
            guard let value = environment[name], !value.isEmpty, XDGDirectory.absolute(value) == nil else { return nil }
            return .warning(name, "'\(value)' is not an absolute path, so it is ignored", "set an absolute path")
        }
    }

    private var failures: [Finding] {
        FailureLog(cacheDirectory: settings.cacheDirectory).problem.map { problem in
            [.warning("stored failures", problem, "remove the file")]
        } ?? []
    }

    private var cache: Finding {
        guard let path = settings.cacheDirectory else {
            return .warning("cache", "no folder: neither XDG_CACHE_HOME nor HOME is set", "set HOME")
        }
        do throws(FetchError) {
            guard let cache = try MediaCache(existing: path, limit: settings.cacheBytes) else {
                return .ok("cache", "\(path) does not exist yet")
            }
            let statistics = try cache.statistics()
            let size = "\(counted(statistics.entries, "file")), \(ByteSize.file(statistics.bytes))"
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
            let favourites = counted(health.favourites, "favourite")
            let marks = "\(favourites), \(health.viewed) viewed, \(health.dismissed) dismissed"
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

/// Reads the configuration file and reports errors in it and which keys are set.
enum ConfigurationCheck {
    /// If the configuration file is broken, the settings are loaded without it.
    static func settings(
        _ options: ServiceOptions, _ environment: [String: String]
    ) throws(CommandError) -> (LoaderSettings, [Finding]) {
        let path = SettingsFile.path(environment: environment)
        do throws(CommandError) {
            let settings = try Settings(options).services
            let isPresent = path.map { FileManager.default.fileExists(atPath: $0) } ?? false
            let text = path.map { isPresent ? $0 : "\($0) does not exist, the defaults apply" }
            return (settings, [.ok("configuration", text ?? "no folder for it")] + keys(settings, environment))
        } catch {
            let settings = try Settings(options, ignoresFile: true).services
            let finding = Finding.error("configuration", error.message, "local files play even so")
            return (settings, [finding] + keys(settings, environment))
        }
    }

    /// Reports whether the API key of each service is set, but not its value, and the configured communities.
    static func keys(_ settings: LoaderSettings, _ environment: [String: String]) -> [Finding] {
        var findings = settings.catalog.profilesInOrder.compactMap { profile -> Finding? in
            guard let variable = profile.key?.variable else { return nil }
            guard settings.catalog.keys[profile.name] != nil else {
                return .ok("key", "\(variable) is not set, so \(profile.title) is not queried")
            }
            let isInEnvironment = environment[variable].map { !$0.isEmpty } ?? false
            return .ok("key", "\(variable) is set in the \(isInEnvironment ? "environment" : "configuration")")
        }
        if !settings.communities.names.isEmpty {
            let hasApp = settings.catalog.keys[CommunitySettings.source] != nil
            let hasFeed = settings.catalog.keys[CommunitySettings.feedSource] != nil
            let text = hasApp ? "app credentials are set" : hasFeed ? "a feed token is set" : "public feeds are used"
            findings.append(.ok("Reddit", "\(settings.communities.names.count) communities; \(text)"))
        }
        return findings
    }
}
