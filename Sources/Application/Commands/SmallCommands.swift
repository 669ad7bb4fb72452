import Base
import Catalog
import Glibc
import Playback

/// Lists the services and their terms of use, in the order in which gifplay queries the services.
struct SourcesCommand {
    private let settings: Settings

    init(_ invocation: Invocation) throws(Failure) { settings = try Settings(invocation) }

    func run() throws(Failure) {
        let session = ServiceSession(settings)
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

    private func isListed(_ source: String) -> Bool { settings.source == nil || settings.source == source }

    private static func key(_ profile: ServiceProfile, _ settings: CatalogSettings) -> String {
        if profile.isOptional, settings.order?.contains(profile.name) != true {
            return " — not queried: not named in '--sources'"
        }
        guard let key = profile.key else { return "" }
        return settings.keys[profile.name] == nil ? " — not queried: no key in \(key.variable)" : " — key is set"
    }
}

enum SamplesCommand {
    static func run() { lines(width: isatty(STDOUT_FILENO) == 1 ? 80 : .max).forEach(printLine) }

    /// - Parameter width: the columns into which each line fits; the tags that do not fit are left out.
    static func lines(width: Int) -> [String] {
        TextTable.lines(Sample.all.map { [$0.title, $0.tags.joined(separator: " ")] }).map { line in
            guard TerminalText.width(line) > width else { return line }
            let words = TerminalText.fitted(line, to: width - 2).split(separator: " ", omittingEmptySubsequences: false)
            return words.dropLast().joined(separator: " ") + " …"
        }
    }
}

enum CacheCommand {
    static func run(_ invocation: Invocation) throws(Failure) {
        let settings = try Settings(invocation)
        guard let directory = settings.cacheDirectory else {
            throw Failure("no folder for the cache: \(XDGDirectory.cache.problem)")
        }
        do throws(Failure) {
            let cache = try MediaCache(existing: directory, limit: settings.cacheBytes)
            let before = try cache?.statistics()
            let held = "\(counted(before?.entries ?? 0, "file")), \(ByteSize.file(before?.bytes ?? 0))"
            if settings.clearsCache { try cache?.clear() }
            let note = settings.clearsCache ? "removed" : "of \(ByteSize.limit(settings.cacheBytes))"
            printLine("\(directory): \(held) \(note)")
            if let foreign = try cache?.foreignNames() {
                printError("\(directory): not written by gifplay: \(foreign)")
            }
        } catch {
            throw error.of(directory)
        }
    }
}

/// Prints the configuration file, and each setting with its origin.
enum ConfigCommand {
    static func run(_ invocation: Invocation) throws(Failure) {
        let settings = try Settings(invocation)
        let path = ConfigurationFile.path(environment: Environment.variables)
        printLine(path ?? "no folder for the configuration file")
        TextTable.lines(settings.differences).forEach(printLine)
    }
}
