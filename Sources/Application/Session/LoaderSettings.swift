import Catalog
import Configuration
import Fetching
import FoundationEssentials

public enum ConfigurationUse: Sendable {
    /// An error in the file is thrown.
    case required
    case ignored
}

/// Command-line options override environment variables, which override the configuration file.
public struct LoaderSettings: Sendable {
    public var catalog: CatalogSettings
    public var fetch: FetchOptions
    public var preferences = ListingPreferences()
    public var renditions: RenditionChoice
    /// Whether the user configured a contact for the operators of services.
    public var hasContact: Bool
    /// The only source to query, without fallback to others; nil for all sources.
    public var source: String?
    public var isOffline: Bool
    /// The size limit of one GIF, in bytes.
    public var maximumBytes: Int
    /// Nil if the environment defines no location for the media cache.
    public var cacheDirectory: String?
    public var cacheBytes = 512 << 20
    /// The time between two GIFs of an endless list, in nanoseconds; nil if not configured.
    public var switchInterval: Int64?
    public var color: ColorRule?
    public var mode: ModeValue?
    /// Each is nil if not configured.
    public var colors: (colors: ColorsValue?, dither: DitherValue?)
    /// The Reddit settings, except the secrets and endpoints, which are in `catalog`.
    public var communities: CommunitySettings

    /// - Parameters:
    ///   - size: the size of the picture in half-block pixels. Each cell contains two such pixels, one above the other.
    ///   - caFile: the file with the certificates to trust instead of the system's.
    public init(
        source: String? = nil, rating: Rating? = nil, language: String? = nil, isOffline: Bool = false,
        caFile: String? = nil, size: (width: Int, height: Int), maximumBytes: Int? = nil,
        configuration: ConfigurationUse = .required, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandError) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let file = try ConfigurationFile(environment: configuration == .ignored ? [:] : environment)
        self.maximumBytes = maximumBytes ?? 64 << 20
        let contact = value("GIFPLAY_CONTACT") ?? file.configuration.contact
        hasContact = contact != nil
        catalog = CatalogSettings(order: file.configuration.sources)
        catalog.reportsUse = file.configuration.reportsUse
        for profile in GIFSources.profiles where profile.key != nil {
            let key = profile.key.flatMap { value($0.variable) } ?? file.configuration.keys[profile.name]
            catalog.keys[profile.name] = key.flatMap(Secret.init)
        }
        communities = CommunitySettings(file.configuration.reddit)
        catalog.keys[CommunitySettings.source] = file.configuration.reddit.clientSecret.flatMap(Secret.init)
        catalog.keys[CommunitySettings.feedSource] = file.configuration.reddit.feedToken.flatMap(Secret.init)
        catalog.endpoints = Self.endpoints(environment, file.configuration.endpoints)
        if !catalog.keys.isEmpty { APIKeys.disableCoreDumps() }
        fetch = FetchOptions(
            userAgent: UserAgent.text(version: Product.version, contact: contact),
            caFile: caFile, environment: environment)
        renditions = RenditionChoice(width: size.width, height: size.height, maximumBytes: self.maximumBytes)
        self.source = source
        self.isOffline = isOffline || value("GIFPLAY_OFFLINE").map { $0 != "0" } ?? false
        cacheDirectory = MediaCache.directory(environment: environment)
        cacheBytes = try file.cacheBytes ?? cacheBytes
        switchInterval = try file.switchInterval
        color = try file.color
        mode = try file.mode
        colors = (try file.colors, try file.dither)
        let configuredRating = try file.rating
        preferences.rating = rating ?? configuredRating ?? .g
        let configuredLanguage = try file.language
        preferences.language = language ?? configuredLanguage ?? "en"
        preferences.targetWidth = size.width
    }

    /// From the environment or the configuration file. They replace the default endpoints.
    private static func endpoints(
        _ environment: [String: String], _ configured: [String: [String]]
    ) -> [String: ServiceEndpoint] {
        var endpoints: [String: ServiceEndpoint] = [:]
        for name in GIFSources.profiles.map(\.name) + [CommunitySettings.source] {
            let variable = environment["GIFPLAY_ENDPOINT_\(name.uppercased())"].flatMap { $0.isEmpty ? nil : $0 }
            let addresses = variable?.split(separator: ",").map(String.init) ?? configured[name] ?? []
            guard let base = addresses.first else { continue }
            let others = Array(addresses.dropFirst())
            endpoints[name] = ServiceEndpoint(base: base, others: others.isEmpty ? nil : others)
        }
        return endpoints
    }
}

extension LoaderSettings {
    /// Returns a copy that posts a notice if a service refuses a key and, if the user configured no contact, if
    /// Wikimedia answers with status 429 (too many requests).
    func reporting(to notices: Notices) -> LoaderSettings {
        var settings = self
        settings.catalog.onFailure = { failure in
            if case .keyRefused(let variable, _) = failure.reason { notices.post(.keyRefused(variable: variable)) }
        }
        guard !hasContact else { return settings }
        let mirror = catalog.endpoints["commons"].map { URLAuthority.host($0.base) }
        settings.fetch.onTooManyRequests = { host in
            if host == mirror || Wikimedia.isHost(host) { notices.post(.contactRequired) }
        }
        return settings
    }
}

/// The Reddit communities, the identifier of the user's app and the user names from the configuration file.
public struct CommunitySettings: Equatable, Sendable {
    /// The name of Reddit in the configuration, and of its client secret and endpoint in `CatalogSettings`.
    public static let source = "reddit"
    /// The name under which `CatalogSettings` stores the token for the user's own feeds.
    public static let feedSource = "reddit.feed"

    /// Names without `r/`, in lower case and without duplicates; empty unless configured.
    public var names: [String] = []
    /// The identifier of the user's own Reddit app. It is usable only with the client secret.
    public var clientIdentifier: String?
    /// The user name that identifies the user to Reddit's operators.
    public var username: String?
    /// The user whose feeds can be read with the token.
    public var feedUser: String?

    /// Ignores invalid community names, which `ConfigurationFile` reports as errors.
    init(_ table: Configuration.RedditTable) {
        var seen: Set<String> = []
        names = table.communities.compactMap { Community($0)?.name }.filter { seen.insert($0).inserted }
        clientIdentifier = table.clientIdentifier
        username = table.username
        feedUser = table.feedUser
    }
}

extension CatalogSettings {
    /// The services in the configured order, then the services that the configuration does not name.
    public var profilesInOrder: [ServiceProfile] {
        let profiles = GIFSources.profiles
        guard let order else { return profiles }
        let named = order.compactMap { name in profiles.first { $0.name == name } }
        return named + profiles.filter { !order.contains($0.name) }
    }
}
