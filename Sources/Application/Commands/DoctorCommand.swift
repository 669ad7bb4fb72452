import Base
import Catalog
import Gallery
import Glibc
import Library
import Pixels

struct DoctorCommand {
    private let invocation: Invocation
    private let given: Settings

    init(_ invocation: Invocation) throws(Failure) {
        self.invocation = invocation
        given = try Settings(given: invocation)
        if given.printsJSON, given.drawsPicture { throw .usage("--picture: cannot be combined with --json") }
    }

    func run() throws(Failure) {
        let environment = Environment.variables
        var hasError = false
        func report(_ findings: [Finding]) {
            for finding in findings {
                if finding.status == .error { hasError = true }
                if given.printsJSON { JSONLine.printLine(finding) } else { printLine(finding.line) }
            }
        }
        report(TerminalChecks(environment: environment).findings)
        report(Finding.versions)
        let (settings, configuration) = try ConfigurationCheck.settings(invocation, environment)
        report(configuration)
        report(StorageChecks(settings: settings, environment: environment).findings)
        report(SourceChecks(settings: settings, environment: environment).findings)
        if given.drawsPicture { try TerminalChecks(environment: environment).drawTestPicture() }
        if hasError { throw Failure.reported }
    }
}

/// One line of `gifplay doctor`: a fact, the verdict and what to do.
struct Finding: Encodable, Sendable {
    enum Status: String, Encodable { case ok, warning, error }

    var status: Status
    /// Such as `terminal size`.
    var subject: String
    var text: String
    /// Nil if there is nothing to do.
    var advice: String?

    init(_ subject: String, _ text: String, _ status: Status = .ok, _ advice: String? = nil) {
        (self.subject, self.text, self.status, self.advice) = (subject, text, status, advice)
    }

    var line: String {
        let gap = String(repeating: " ", count: 9 - status.rawValue.count)
        return "\(status.rawValue)\(gap)\(subject): \(text)\(advice.map { "; \($0)" } ?? "")"
    }

    /// The versions of gifplay and its libraries.
    static var versions: [Finding] {
        let curl = CurlHTTPClient.library()
        let problem = (curl.problem ?? "cannot be loaded") + ", so only local GIFs play"
        return [
            Finding("gifplay", Product.version), Finding("giflib", GIFLibrary.version),
            curl.versions.map { Finding("libcurl", $0.replacing("libcurl/", with: "")) }
                ?? Finding("libcurl", problem, .error, CurlHTTPClient.advice),
            Finding("SQLite", LibraryHealth.sqliteVersion),
        ]
    }
}

/// Checks the media cache and the library. Creates neither.
struct StorageChecks {
    let settings: Settings
    let environment: [String: String]

    var findings: [Finding] {
        let relative = ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_DOWNLOAD_DIR"].filter {
            environment[$0].map { !$0.isEmpty && XDGDirectory.absolute($0) == nil } ?? false
        }
        let failures = FailureLog(cacheDirectory: settings.cacheDirectory).problem
        return relative.map { name in
            let problem = "'\(environment[name] ?? "")' is not an absolute path, so it is ignored"
            return Finding(name, problem, .warning, "set an absolute path")
        } + [cache] + (failures.map { [Finding("stored failures", $0, .warning, "remove the file")] } ?? []) + [library]
    }

    private var cache: Finding {
        guard let path = settings.cacheDirectory else {
            return Finding("cache", "no folder: \(XDGDirectory.cache.problem)", .warning, "set HOME")
        }
        do throws(Failure) {
            guard let cache = try MediaCache(existing: path, limit: settings.cacheBytes) else {
                return unwritable("cache", path) ?? Finding("cache", "\(path) does not exist yet")
            }
            let statistics = try cache.statistics()
            let size = "\(counted(statistics.entries, "file")), \(ByteSize.file(statistics.bytes))"
            let text = "\(path): \(size) of \(ByteSize.limit(statistics.limit))"
            let damaged = try cache.countDamagedEntries()
            if damaged > 0 {
                let advice = "'gifplay cache --clear' empties the cache"
                return Finding("cache", "\(text), \(damaged) damaged", .warning, advice)
            }
            guard let foreign = try cache.foreignNames() else { return Finding("cache", "\(text), all intact") }
            return Finding("cache", "\(text), all intact; not written by gifplay: \(foreign)", .warning, "remove it")
        } catch {
            let advice = "remove it; until then, GIFs play uncached"
            return Finding("cache", "\(path): \(error.message)", .error, advice)
        }
    }

    /// A warning if the file, or the folder that has or gets it, cannot be written.
    private func unwritable(_ name: String, _ path: String) -> Finding? {
        var folder = FileSystem.parent(of: path)
        while access(folder.systemPath, F_OK) != 0, folder != "/" { folder = FileSystem.parent(of: folder) }
        let places = access(path.systemPath, F_OK) == 0 ? [path, folder] : [folder]
        guard let place = places.first(where: { access($0.systemPath, W_OK) != 0 }) else { return nil }
        let problem = "\(path): \(place) cannot be written: \(Failure.systemMessage())"
        return Finding(name, problem, .warning, "change its rights")
    }

    private var library: Finding {
        guard let path = Library.path(environment: environment) else {
            return Finding("library", "no folder: \(XDGDirectory.data.problem)", .warning, "set HOME")
        }
        do throws(Failure) {
            guard let health = try LibraryHealth(path: path) else {
                return unwritable("library", path) ?? Finding("library", "\(path) does not exist yet")
            }
            let text = """
                \(path): \(ByteSize.file(health.bytes)), schema \(health.schema) of \(health.newestSchema), \
                \(counted(health.favourites, "favourite")), \(health.viewed) viewed, \(health.dismissed) dismissed, \
                integrity check
                """
            guard let problem = health.problems.first else {
                return unwritable("library", path) ?? Finding("library", "\(text) passed")
            }
            let advice = "'sqlite3 FILE .recover' may restore its content"
            return Finding("library", "\(text) failed: \(problem)", .error, advice)
        } catch {
            return Finding("library", error.message, .error)
        }
    }
}

/// Reads the configuration file and reports errors in it and which keys are set.
enum ConfigurationCheck {
    /// If the configuration file is broken, the settings are loaded without it.
    static func settings(
        _ invocation: Invocation, _ environment: [String: String]
    ) throws(Failure) -> (Settings, [Finding]) {
        let settings: Settings
        let finding: Finding
        do throws(Failure) {
            settings = try Settings(invocation)
            let path = ConfigurationFile.path(environment: environment)
            let text = path.map { access($0, F_OK) == 0 ? $0 : "\($0) does not exist, the defaults apply" }
            let problem = ConfigurationFile.fileWithReadableKey(settings.given).map {
                Finding("configuration", "\($0): \(ConfigurationFile.readableKey)", .warning, "run chmod 600 on it")
            }
            finding = problem ?? Finding("configuration", text ?? "no folder for it")
        } catch {
            settings = try Settings(invocation, ignoresFiles: true)
            finding = Finding("configuration", error.message, .error)
        }
        return (settings, [finding] + certificates(settings) + keys(settings))
    }

    /// A file of certificates that cannot be used. Each request of a service fails then.
    static func certificates(_ settings: Settings) -> [Finding] {
        guard let path = settings.fetch.caFile, let problem = OptionValue.certificateProblem(path) else { return [] }
        return [Finding("certificates", "\(path): \(problem)", .error, "'gifplay config' says where it is set")]
    }

    /// Reports where the API key of each service is set, but not its value, and the configured communities.
    static func keys(_ settings: Settings) -> [Finding] {
        let keys = settings.catalog.keys
        let findings = settings.catalog.profilesInOrder.compactMap { profile in
            profile.key.map { key in
                guard keys[profile.name] != nil else {
                    return Finding("key", "\(key.variable) is not set, so \(profile.title) is not queried")
                }
                let place = settings.given.last { $0.name == "key" + profile.name }?.place ?? ""
                return Finding("key", "the key of \(profile.title) is from \(place)")
            }
        }
        let communities = settings.catalog.reddit.communities.count
        guard communities > 0 else { return findings }
        let feed = keys[RedditSettings.feedSource] == nil ? "public feeds are used" : "a feed token is set"
        return findings + [Finding("Reddit", "\(communities) communities; \(feed)")]
    }
}

/// Queries each source with a test search.
struct SourceChecks {
    let settings: Settings
    let environment: [String: String]

    var findings: [Finding] {
        guard !settings.isOffline else {
            return [Finding("sources", "not queried, because --offline or GIFPLAY_OFFLINE is set")]
        }
        // The line about libcurl says what to do.
        guard CurlHTTPClient.library().versions != nil else { return [] }
        let profiles = settings.catalog.profilesInOrder.filter { profile in
            settings.source.map { $0 == profile.name }
                ?? (!profile.isOptional || settings.catalog.order?.contains(profile.name) == true)
        }
        let contact = Finding(
            "contact", "not set; Wikimedia limits the requests of programs without a contact", .warning,
            "write --contact you@example.org into "
                + (ConfigurationFile.path(environment: Environment.variables) ?? "the configuration"))
        let session = ServiceSession(settings)
        defer { session.close() }
        return (settings.contact == nil ? [contact] : [])
            + BackgroundValue { [self] in
                // All sources are queried at the same time, because each can take several seconds to time out.
                await withTaskGroup(of: (Int, Finding).self) { group in
                    for (number, profile) in profiles.enumerated() {
                        group.addTask { (number, await query(profile, session)) }
                    }
                    return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
                }
            }.wait()
    }

    private func query(_ profile: ServiceProfile, _ session: ServiceSession) async -> Finding {
        let subject = "source \(profile.name)"
        let base = settings.catalog.endpoints[profile.name]?.base ?? profile.base
        let proxy = EnvironmentProxy(url: base, environment: environment)
        let route = proxy.map { "through the proxy \($0.address) (\($0.variable))" } ?? "without a proxy"
        let start = ContinuousClock.now
        do throws(Failure) {
            let repository = try GIFSources.repository(
                named: profile.name, settings: session.settings.catalog, client: session.client)
            let page = try await repository.search(
                SearchQuery(profile.isOptional ? "hug" : "cat", preferences: settings.preferences), page: nil)
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            let text = "works: \(counted(page.items.count, "result")) in \(milliseconds) ms, \(route)"
            guard page.items.isEmpty else { return Finding(subject, text) }
            return Finding(subject, text, .warning, "try '--rating' with a higher level")
        } catch {
            let advice: String?
            switch error.kind {
            case .noKey: return Finding(subject, "not queried, because its key is not set")
            case .unreachable, .timedOut, .transfer: advice = proxy == nil ? "check the network" : "check the proxy"
            case .keyRefused: advice = "correct the key"
            default: advice = nil
            }
            return Finding(subject, "fails: \(error.message), \(route)", .error, advice)
        }
    }
}
