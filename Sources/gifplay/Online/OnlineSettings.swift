import Catalog
import Fetching
import FoundationEssentials

/// What flags, environment and configuration say of services and downloads, in that order.
struct OnlineSettings: Sendable {
    var catalog: CatalogSettings
    var fetch: FetchOptions
    var preferences = Preferences()
    var renditions: RenditionChoice
    /// The one source that is asked, whatever comes of it.
    var source: String?
    var isOffline: Bool
    /// Of one GIF.
    var maximumBytes: Int
    /// Nil where the environment names no place.
    var cacheDirectory: String?
    var cacheBytes = 512 << 20

    /// - Parameter size: of the picture, in pixels of half blocks.
    init(
        _ options: ServiceOptions, size: (width: Int, height: Int), maximumBytes: Int? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        self.maximumBytes = maximumBytes ?? 64 << 20
        let agent = UserAgent.text(
            version: Gifplay.version, contacts: [value("GIFPLAY_CONTACT")].compactMap(\.self), library: "libcurl")
        catalog = CatalogSettings(userAgent: agent)
        for profile in GIFSources.profiles {
            let name = profile.name.uppercased()
            if let key = profile.key, let secret = value(key.variable).flatMap(Secret.init) {
                catalog.keys[profile.name] = secret
            }
            if let places = value("GIFPLAY_ENDPOINT_\(name)")?.split(separator: ",").map(String.init), !places.isEmpty {
                let others = Array(places.dropFirst())
                catalog.endpoints[profile.name] = ServiceEndpoint(
                    base: places[0], others: others.isEmpty ? nil : others)
            }
        }
        fetch = FetchOptions(userAgent: agent, caFile: options.cacert, environment: environment)
        renditions = RenditionChoice(width: size.width, height: size.height, maximumBytes: self.maximumBytes)
        source = options.source
        isOffline = options.offline || value("GIFPLAY_OFFLINE").map { $0 != "0" } ?? false
        cacheDirectory = MediaCache.directory(environment: environment)
        preferences.rating = options.rating?.rating ?? .g
        preferences.language = options.lang ?? "en"
        preferences.targetWidth = size.width
    }
}
