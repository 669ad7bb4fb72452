import Application
import Base
import Catalog
import Fetching

/// Queries each source with a test search.
struct SourceChecks {
    let settings: LoaderSettings
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
        guard CurlLibrary.load().versions != nil else { return [] }
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
                "set contact = \"you@example.org\" in the configuration, or GIFPLAY_CONTACT")
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

    private func advice(_ error: CatalogError, _ proxy: EnvironmentProxy?) -> String {
        switch error {
        case .transport where proxy != nil: "check the network and the proxy"
        case .transport: "check the network, or set a proxy (https_proxy)"
        case .keyRefused: "correct the key"
        default: "other sources are used in the meantime"
        }
    }
}
