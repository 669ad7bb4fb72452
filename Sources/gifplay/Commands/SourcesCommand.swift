import Application
import ArgumentParser
import Catalog

/// Lists the services in the order in which gifplay queries them, with their terms.
struct SourcesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources", abstract: "List the sources of GIFs, in query order",
        discussion: "For each source: its terms, whether a key is set, and its last failure. Keys are not printed.")

    @Flag(help: "Query each source and print the outcome")
    var check = false

    @OptionGroup var services: ServiceOptions

    func run() throws {
        let loader = GIFLoader(try LoaderSettings(services, size: (80, 48)))
        defer { loader.close() }
        if let source = services.source, !GIFSources.names.contains(source) {
            throw CommandError.usage(ErrorMessages.describe(.unknownSource(name: source, known: GIFSources.names)))
        }
        let failures = loader.failures.entries
        if check, loader.settings.isOffline {
            throw CommandError("--check: no source can be queried while --offline or GIFPLAY_OFFLINE is set")
        }
        var failed = false
        for profile in Self.inOrder(loader.settings.catalog) where isListed(profile.name) {
            printLine("\(profile.name)  \(profile.title)\(Self.key(profile, loader.settings.catalog))")
            printLine("    \(profile.terms)")
            if let failure = failures[profile.name] {
                printLine("    failed \(FailureLog.age(failure)): \(failure.message)")
            }
            guard check else { continue }
            let (text, isGood) = BackgroundValue { await Self.query(profile.name, loader) }.wait()
            printLine("    \(text)")
            if !isGood { failed = true }
        }
        if isListed("samples") { printLine("samples  Built-in GIFs") }
        printLine("user agent: \(loader.client.userAgent)")
        if failed { throw CommandError("") }
    }

    private func isListed(_ source: String) -> Bool { services.source == nil || services.source == source }

    /// Returns the services in the configured order, then the services that the configuration does not name.
    private static func inOrder(_ settings: CatalogSettings) -> [ServiceProfile] {
        let profiles = GIFSources.profiles
        guard let order = settings.order else { return profiles }
        let named = order.compactMap { name in profiles.first { $0.name == name } }
        return named + profiles.filter { !order.contains($0.name) }
    }

    private static func key(_ profile: ServiceProfile, _ settings: CatalogSettings) -> String {
        guard let key = profile.key else { return "" }
        return settings.keys[profile.name] == nil ? " — not queried: no key in \(key.variable)" : " — key is set"
    }

    /// - Returns: a line that describes the outcome, and whether the outcome is good. A service whose key is missing
    ///   counts as good.
    private static func query(_ name: String, _ loader: GIFLoader) async -> (String, Bool) {
        let start = ContinuousClock.now
        do throws(CatalogError) {
            let repository = try GIFSources.repository(
                named: name, settings: loader.settings.catalog, client: loader.client)
            let query = SearchQuery("cat", preferences: loader.settings.preferences)
            let page = try await repository.search(query, page: nil)
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            return ("works: \(page.items.count) results in \(milliseconds) ms", !page.items.isEmpty)
        } catch {
            if case .noKey = error { return ("not queried", true) }
            return ("fails: \(ErrorMessages.describe(error))", false)
        }
    }
}
