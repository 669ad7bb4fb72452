import Application
import ArgumentParser
import Catalog

/// Lists the services in the order in which gifplay queries them, with their terms.
struct SourcesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources", abstract: "Lists the services that GIFs come from.",
        discussion: "In the order of asking. A key is never shown, only whether there is one.")

    @Flag(help: "Ask each of them, and tell what comes of it.")
    var check = false

    @OptionGroup var services: ServiceOptions

    func run() throws {
        let online = Online(try OnlineSettings(services, size: (80, 48)))
        defer { online.close() }
        let failures = online.failures.entries
        if check, online.settings.isOffline {
            throw Complaint("none can be asked: --offline or GIFPLAY_OFFLINE allows no service")
        }
        var failed = false
        for profile in Self.inOrder(online.settings.catalog) {
            say("\(profile.name)  \(profile.title)\(Self.key(profile, online.settings.catalog))")
            say("    \(profile.terms)")
            if let failure = failures[profile.name] {
                say("    failed \(FailureLog.age(failure)): \(failure.sentence)")
            }
            guard check else { continue }
            let (text, isGood) = Pending { await Self.ask(profile.name, online) }.wait()
            say("    \(text)")
            if !isGood { failed = true }
        }
        say("samples  The GIFs that gifplay carries")
        say("user agent: \(online.client.userAgent)")
        if failed { throw Complaint("") }
    }

    /// The services in the configured order, then the services that are not in it.
    private static func inOrder(_ settings: CatalogSettings) -> [ServiceProfile] {
        let profiles = GIFSources.profiles
        guard let order = settings.order else { return profiles }
        let named = order.compactMap { name in profiles.first { $0.name == name } }
        return named + profiles.filter { !order.contains($0.name) }
    }

    private static func key(_ profile: ServiceProfile, _ settings: CatalogSettings) -> String {
        guard let key = profile.key else { return "" }
        return settings.keys[profile.name] == nil ? " — not asked: no key in \(key.variable)" : " — key in place"
    }

    /// - Returns: a line that describes the outcome, and whether it is good; a service without its key counts as good.
    private static func ask(_ name: String, _ online: Online) async -> (String, Bool) {
        let start = ContinuousClock.now
        do throws(CatalogError) {
            let repository = try GIFSources.repository(
                named: name, settings: online.settings.catalog, client: online.client)
            let query = SearchQuery("cat", preferences: online.settings.preferences)
            let page = try await repository.search(query, page: nil)
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            return ("answers: \(page.items.count) results in \(milliseconds) ms", !page.items.isEmpty)
        } catch {
            if case .noKey = error { return ("not asked", true) }
            return ("fails: \(Sentences.describe(error))", false)
        }
    }
}
