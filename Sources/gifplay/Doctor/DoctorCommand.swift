import Application
import Base
import Catalog
import Fetching
import GIFDecode
import Gallery
import Glibc
import Library

struct DoctorCommand {
    private let invocation: Invocation
    private let given: Settings

    init(_ invocation: Invocation) throws(CommandError) {
        self.invocation = invocation
        given = try Settings(given: invocation)
        if given.printsJSON, given.drawsPicture { throw .usage("--picture: cannot be combined with --json") }
    }

    func run() throws {
        let environment = Environment.variables
        var hasError = false
        func report(_ findings: [Finding]) {
            for finding in findings {
                if finding.status == .error { hasError = true }
                if given.printsJSON { JSONLine.printLine(finding) } else { printLine(finding.line) }
            }
        }
        report(TerminalChecks(environment: environment).findings)
        report(LibraryVersionChecks.findings)
        let (settings, configuration) = try ConfigurationCheck.settings(invocation, environment)
        report(configuration)
        report(StorageChecks(settings: settings, environment: environment).findings)
        report(SourceChecks(settings: settings, environment: environment).findings)
        if given.drawsPicture { try TerminalChecks(environment: environment).drawTestPicture() }
        if hasError { throw CommandError("") }
    }
}

/// One line of `gifplay doctor`.
struct Finding: Encodable, Sendable {
    enum Status: String, Encodable {
        case ok
        case warning
        case error
    }

    var status: Status
    /// Such as `terminal size`.
    var subject: String
    var text: String
    /// Nil if there is nothing to do.
    var advice: String?

    static func ok(_ subject: String, _ text: String) -> Finding { Finding(status: .ok, subject: subject, text: text) }

    static func warning(_ subject: String, _ text: String, _ advice: String) -> Finding {
        Finding(status: .warning, subject: subject, text: text, advice: advice)
    }

    static func error(_ subject: String, _ text: String, _ advice: String? = nil) -> Finding {
        Finding(status: .error, subject: subject, text: text, advice: advice)
    }

    var line: String {
        let gap = String(repeating: " ", count: 9 - status.rawValue.count)
        return "\(status.rawValue)\(gap)\(subject): \(text)\(advice.map { "; \($0)" } ?? "")"
    }
}

enum LibraryVersionChecks {
    static var findings: [Finding] {
        [
            .ok("gifplay", Product.version), .ok("giflib", GIFLibrary.version), curl,
            .ok("SQLite", LibraryHealth.sqliteVersion),
        ]
    }

    private static var curl: Finding {
        let library = CurlHTTPClient.library()
        guard let versions = library.versions else {
            return .error(
                "libcurl", (library.problem ?? "cannot be loaded") + ", so only local GIFs play",
                "install the package libcurl4")
        }
        return .ok("libcurl", versions.split(separator: "/", maxSplits: 1).last.map(String.init) ?? versions)
    }
}

/// Checks the media cache and the library. Creates neither.
struct StorageChecks {
    let settings: Settings
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
            if damaged == 0, let foreign = try cache.foreignNames() {
                return .warning("cache", "\(text), all intact; not written by gifplay: \(foreign)", "remove it")
            }
            guard damaged > 0 else { return .ok("cache", "\(text), all intact") }
            return .warning("cache", "\(text), \(damaged) damaged", "'gifplay cache --clear' empties the cache")
        } catch {
            return .error(
                "cache", "\(path): \(ErrorMessages.describe(error))",
                "remove it; until then, GIFs play uncached")
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
                "export it with 'gifplay library export'")
        } catch {
            return .error("library", ErrorMessages.describe(error))
        }
    }
}

/// Reads the configuration file and reports errors in it and which keys are set.
enum ConfigurationCheck {
    /// If the configuration file is broken, the settings are loaded without it.
    static func settings(
        _ invocation: Invocation, _ environment: [String: String]
    ) throws(CommandError) -> (Settings, [Finding]) {
        let path = ConfigurationFile.path(environment: environment)
        do throws(CommandError) {
            let settings = try Settings(invocation)
            let isPresent = path.map { access($0, F_OK) == 0 } ?? false
            let text = path.map { isPresent ? $0 : "\($0) does not exist, the defaults apply" }
            return (settings, [.ok("configuration", text ?? "no folder for it")] + keys(settings, environment))
        } catch {
            let settings = try Settings(invocation, ignoresFiles: true)
            return (settings, [.error("configuration", error.message)] + keys(settings, environment))
        }
    }

    /// Reports whether the API key of each service is set, but not its value, and the configured communities.
    static func keys(_ settings: Settings, _ environment: [String: String]) -> [Finding] {
        var findings = settings.catalog.profilesInOrder.compactMap { profile -> Finding? in
            guard let variable = profile.key?.variable else { return nil }
            guard settings.catalog.keys[profile.name] != nil else {
                return .ok("key", "\(variable) is not set, so \(profile.title) is not queried")
            }
            let isInEnvironment = environment[variable].map { !$0.isEmpty } ?? false
            return .ok("key", "\(variable) is set in the \(isInEnvironment ? "environment" : "configuration")")
        }
        if !settings.catalog.reddit.communities.isEmpty {
            let hasApp = settings.catalog.keys[RedditSettings.source] != nil
            let hasFeed = settings.catalog.keys[RedditSettings.feedSource] != nil
            let text = hasApp ? "app credentials are set" : hasFeed ? "a feed token is set" : "public feeds are used"
            findings.append(.ok("Reddit", "\(settings.catalog.reddit.communities.count) communities; \(text)"))
        }
        return findings
    }
}

/// Queries each source with a test search.
struct SourceChecks {
    let settings: Settings
    let environment: [String: String]

    var findings: [Finding] {
        let profiles = settings.catalog.profilesInOrder.filter {
            settings.source == $0.name
                || settings.source == nil
                    && (!$0.isOptional || settings.catalog.order?.contains($0.name) == true)
        }
        guard !settings.isOffline else {
            return [.ok("sources", "not queried, because --offline or GIFPLAY_OFFLINE is set")]
        }
        // The line about libcurl says what to do.
        guard CurlHTTPClient.library().versions != nil else { return [] }
        let session = ServiceSession(settings)
        defer { session.close() }
        return contact
            + BackgroundValue { [self] in
                // All sources are queried at the same time, because each can take several seconds to time out.
                await withTaskGroup(of: (Int, Finding).self) { group in
                    for (number, profile) in profiles.enumerated() {
                        group.addTask { (number, await query(profile, session)) }
                    }
                    var findings: [(Int, Finding)] = []
                    for await finding in group { findings.append(finding) }
                    return findings.sorted { $0.0 < $1.0 }.map(\.1)
                }
            }.wait()
    }

    private var contact: [Finding] {
        guard settings.contact == nil else { return [] }
        return [
            .warning(
                "contact", "not set; Wikimedia limits the requests of programs without a contact",
                "write --contact you@example.org into the configuration")
        ]
    }

    private func query(_ profile: ServiceProfile, _ session: ServiceSession) async -> Finding {
        let subject = "source \(profile.name)"
        let base = settings.catalog.endpoints[profile.name]?.base ?? profile.base
        let proxy = EnvironmentProxy(url: base, environment: environment)
        let route = proxy.map { "through the proxy \($0.address) (\($0.variable))" } ?? "without a proxy"
        let start = ContinuousClock.now
        do throws(CatalogError) {
            let repository = try GIFSources.repository(
                named: profile.name, settings: session.settings.catalog, client: session.client)
            let page = try await repository.search(
                SearchQuery(profile.isOptional ? "hug" : "cat", preferences: settings.preferences), page: nil)
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            let text = "works: \(counted(page.items.count, "result")) in \(milliseconds) ms, \(route)"
            guard !page.items.isEmpty else { return .warning(subject, text, "try '--rating' with a higher level") }
            return .ok(subject, text)
        } catch {
            if case .noKey = error { return .ok(subject, "not queried, because its key is not set") }
            return .error(subject, "fails: \(ErrorMessages.describe(error)), \(route)", advice(error, proxy))
        }
    }

    private func advice(_ error: CatalogError, _ proxy: EnvironmentProxy?) -> String? {
        switch error {
        case .transport: proxy == nil ? "check the network" : "check the proxy"
        case .keyRefused: "correct the key"
        default: nil
        }
    }
}
