import Base
import Catalog
import Glibc

extension Settings {
    public var choice: ResultChoice {
        if let pick { return .number(pick) }
        return picksRandomly ? .any : .first
    }

    public func checkSearch(with others: [String]) throws(Failure) {
        guard let search, let other = others.first else { return }
        throw .usage("--search \(SafeText.excerpt(search)): cannot be combined with '\(SafeText.excerpt(other))'")
    }

    /// Chooses files for a picture of this size in half-block pixels. Each cell contains two, one above the other.
    public mutating func setPictureSize(width: Int, height: Int) {
        preferences.targetWidth = width
        renditions = RenditionChoice(width: width, height: height, maximumBytes: renditions.maximumBytes)
    }

    /// Returns a copy that posts a notice if a service refuses a key and, if the user configured no contact, if
    /// Wikimedia answers with status 429 (too many requests).
    func reporting(to notices: Notices) -> Settings {
        var settings = self
        settings.catalog.onFailure = { failure in
            switch failure.kind {
            case .keyRefused(let variable): notices.post(.keyRefused(variable: variable))
            case .unreachable: notices.post(.noConnection)
            default: break
            }
        }
        guard contact == nil else { return settings }
        let mirror = catalog.endpoints["commons"].map { WebAddress.host($0.base) }
        settings.fetch.onTooManyRequests = { host in
            if host == mirror || Wikimedia.isHost(host) { notices.post(.contactRequired) }
        }
        return settings
    }

    /// Stores the index of a service in a file beside the media cache, which is used for a week.
    func storingIndices() -> Settings {
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

extension ServiceEndpoint {
    /// The base address, then the other addresses. Returns nil without an address.
    init?(_ addresses: [String]) {
        guard let base = addresses.first else { return nil }
        self.init(base: base, others: addresses.count > 1 ? Array(addresses.dropFirst()) : nil)
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
