import Base
import Catalog
import Fetching
import Glibc

/// The settings of the services, their results and the media cache.
public struct LoaderSettings: Sendable {
    public var catalog = CatalogSettings()
    public var fetch = FetchOptions(userAgent: "")
    public var preferences = ListingPreferences(targetWidth: 80)
    /// Its ``RenditionChoice/maximumBytes`` also limits each download.
    public var renditions = RenditionChoice(width: 80, height: 48)
    /// The language of the texts on the screen, from the locale. `preferences.language` is that of the results.
    public var screenLanguage = Language.english
    /// For the operators of services; a part of the user agent.
    public var contact: String?
    /// The only source to query, without fallback to others; nil for all sources.
    public var source: String?
    public var isOffline = false
    /// Whether the server of each stored GIF is asked at its first use in this run.
    public var reloads = false
    /// Nil if the environment defines no location for the media cache.
    public var cacheDirectory: String?
    public var cacheBytes = 512 << 20
    /// The Reddit settings, except the secrets and endpoints, which are in `catalog`.
    public var communities = CommunitySettings()

    /// Chooses files for a picture of this size in half-block pixels. Each cell contains two, one above the other.
    public mutating func setPictureSize(width: Int, height: Int) {
        preferences.targetWidth = width
        renditions = RenditionChoice(width: width, height: height, maximumBytes: renditions.maximumBytes)
    }

    static let endpointNames = GIFSources.profiles.map(\.name) + [CommunitySettings.source]
}

extension ServiceEndpoint {
    /// The base address, then the other addresses. Returns nil without an address.
    init?(_ addresses: [String]) {
        guard let base = addresses.first else { return nil }
        self.init(base: base, others: addresses.count > 1 ? Array(addresses.dropFirst()) : nil)
    }
}

extension LoaderSettings {
    /// Returns a copy that posts a notice if a service refuses a key and, if the user configured no contact, if
    /// Wikimedia answers with status 429 (too many requests).
    func reporting(to notices: Notices) -> LoaderSettings {
        var settings = self
        settings.catalog.onFailure = { failure in
            switch failure.reason {
            case .keyRefused(let variable, _): notices.post(.keyRefused(variable: variable))
            case .transport(.unreachable): notices.post(.noConnection)
            default: break
            }
        }
        guard contact == nil else { return settings }
        let mirror = catalog.endpoints["commons"].map { URLAuthority.host($0.base) }
        settings.fetch.onTooManyRequests = { host in
            if host == mirror || Wikimedia.isHost(host) { notices.post(.contactRequired) }
        }
        return settings
    }
}

extension LoaderSettings {
    /// Stores the index of a service in a file beside the media cache, which is used for a week.
    func storingIndices() -> LoaderSettings {
        guard let directory = cacheDirectory.map(FileSystem.parent) else { return self }
        var settings = self
        settings.catalog.storedIndex = { name in
            let path = "\(directory)/\(name).json"
            guard let status = try? FileSystem.status(path), FileSystem.irregularKind(status.st_mode) == nil,
                (0..<604_800).contains(time(nil) - status.st_mtim.tv_sec)
            else { return nil }
            return try? FileSystem.read(path, limit: 4 << 20, waits: false)
        }
        settings.catalog.storeIndex = { name, bytes in
            // The index is loaded again if it cannot be stored.
            try? FileSystem.makeDirectory(directory)
            try? FileSystem.writeOutput(bytes, to: "\(directory)/\(name).json", isSynchronized: false)
        }
        return settings
    }
}

/// The Reddit communities and the user names from the configuration file.
public struct CommunitySettings: Equatable, Sendable {
    /// The name of Reddit in the configuration, and of its endpoint in `CatalogSettings`.
    public static let source = "reddit"
    /// The name under which `CatalogSettings` stores the token for the user's own feeds.
    public static let feedSource = "reddit.feed"
    /// Earlier versions had `--reddit-client` and `--key reddit=SECRET`.
    static let appIsGone = "Reddit's API with your own app is no longer used; remove --reddit-client and --key reddit=…"

    /// Names without `r/`, in lower case and without duplicates; empty unless configured.
    public var names: [String] = []
    /// The user name that identifies the user to Reddit's operators.
    public var username: String?
    /// The user whose feeds can be read with the token.
    public var feedUser: String?
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
