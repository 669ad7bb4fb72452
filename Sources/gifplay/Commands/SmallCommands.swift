import Application
import ArgumentParser
import Catalog
import Fetching

/// Lists the services and their terms of use, in the order in which gifplay queries the services.
struct SourcesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources", abstract: "List the sources of GIFs in the order in which they are queried",
        discussion: """
            For each source: its terms, whether a key is set, and its last failure. Keys are not printed. \
            'gifplay doctor' queries each source.
            """)

    @OptionGroup var services: ServiceOptions

    func run() throws {
        let session = ServiceSession(try Settings(services).services)
        defer { session.close() }
        lines(session.settings.catalog, session.failures.entries).forEach(printLine)
        if let problem = session.failures.problem { printError(problem) }
        printLine("user agent: \(session.client.userAgent)")
    }

    func lines(_ settings: CatalogSettings, _ failures: [String: FailureLog.Entry]) -> [String] {
        var lines: [String] = []
        for profile in settings.profilesInOrder where isListed(profile.name) {
            lines.append("\(profile.name)  \(profile.title)\(Self.key(profile, settings))")
            lines.append("    \(profile.terms)")
            if let failure = failures[profile.name] {
                lines.append("    failed \(FailureLog.age(failure)): \(failure.message)")
            }
        }
        if isListed(SampleRepository.name) { lines.append("\(SampleRepository.name)  Built-in GIFs") }
        return lines
    }

    private func isListed(_ source: String) -> Bool { services.source == nil || services.source == source }

    private static func key(_ profile: ServiceProfile, _ settings: CatalogSettings) -> String {
        if profile.isOptional, settings.order?.contains(profile.name) != true {
            return " — not queried: not named in 'sources'"
        }
        guard let key = profile.key else { return "" }
        return settings.keys[profile.name] == nil ? " — not queried: no key in \(key.variable)" : " — key is set"
    }
}

/// Prints the versions of gifplay and its libraries, as `--version` does.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Print the versions of gifplay, giflib and libcurl")

    func run() { for line in ProgramVersion.text.split(separator: "\n") { printLine(String(line)) } }
}

struct SamplesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "samples", abstract: "List the built-in GIFs")

    func run() { Self.lines.forEach(printLine) }

    static var lines: [String] { TextTable.lines(Sample.all.map { [$0.title, $0.tags.joined(separator: " ")] }) }
}

struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Show the size of the media cache, or empty it")

    @Flag(help: "Delete all cached files")
    var clear = false

    func run() throws {
        let settings = try Settings().services
        guard let directory = settings.cacheDirectory else {
            throw CommandError("no folder for the cache: neither XDG_CACHE_HOME nor HOME is set")
        }
        do throws(FetchError) {
            let cache = try MediaCache(existing: directory, limit: settings.cacheBytes)
            let before = try cache?.statistics()
            let held = "\(counted(before?.entries ?? 0, "file")), \(ByteSize.file(before?.bytes ?? 0))"
            if clear { try cache?.clear() }
            printLine("\(directory): \(held) " + (clear ? "removed" : "of \(ByteSize.limit(settings.cacheBytes))"))
            if let foreign = try cache?.foreignNames() {
                printError("\(directory): not written by gifplay: \(foreign)")
            }
        } catch {
            throw CommandError("\(directory): \(ErrorMessages.describe(error))")
        }
    }
}
