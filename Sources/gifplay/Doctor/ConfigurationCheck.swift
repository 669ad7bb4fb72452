import Application
import Catalog
import FoundationEssentials

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
