import Catalog

extension CatalogSettings {
    /// The services in the configured order, then the services that the configuration does not name.
    public var profilesInOrder: [ServiceProfile] {
        let profiles = GIFSources.profiles
        guard let order else { return profiles }
        let named = order.compactMap { name in profiles.first { $0.name == name } }
        return named + profiles.filter { !order.contains($0.name) }
    }
}
