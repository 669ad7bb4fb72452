import Base

/// Creates sources by name, and chains of sources.
public enum GIFSources {
    /// All services in their default order: first those that require a key, then those without a key. In both groups,
    /// the service with the best results comes first.
    static let services: [any Service] = [Giphy(), Klipy(), Commons(), GifCities(), Openverse()]

    public static var profiles: [ServiceProfile] { services.map(\.profile) }

    /// The names of all services in the default order, followed by `samples`.
    public static var names: [String] { profiles.map(\.name) + ["samples"] }

    /// Child processes must not inherit these environment variables.
    public static var keyVariables: [String] { profiles.compactMap { $0.key?.variable } }

    /// If a required key is missing, the calls of the repository throw `CatalogError.noKey`.
    /// - Throws: `CatalogError.unknownSource`.
    public static func repository(
        named name: String, settings: CatalogSettings, client: any HTTPClient
    ) throws(CatalogError) -> any GIFRepository {
        guard let service = services.first(where: { $0.profile.name == name }) else {
            throw .unknownSource(name: SafeText.line(name), known: services.map(\.profile.name))
        }
        return ServiceRepository(service: service, client: client, settings: settings)
    }

    /// Returns the chain of sources for these settings. The source `last` comes after the services.
    ///
    /// If `settings.order` contains the name of `last`, the position of that name determines the position of `last`.
    /// - Throws: `CatalogError.unknownSource`, if `settings.order` contains an unknown name.
    public static func chain(
        settings: CatalogSettings, client: any HTTPClient, last: (any GIFRepository)?,
        health: SourceHealth? = nil
    ) throws(CatalogError) -> ServiceChain {
        var links: [ServiceChain.Link] = []
        for name in settings.order ?? defaultOrder(settings) {
            if let last, name == last.name {
                links.append(.init(last, isOnline: false))
            } else {
                links.append(.init(try source(named: name, settings: settings, client: client, last: last)))
            }
        }
        if let last, !links.contains(where: { $0.repository.name == last.name }) {
            links.append(.init(last, isOnline: false))
        }
        return ServiceChain(links, hedge: settings.hedge, health: health ?? SourceHealth(now: settings.now))
    }

    /// The chain throws the source's errors unchanged.
    /// - Throws: `CatalogError.unknownSource` if there is no source with this name.
    public static func single(
        _ name: String, settings: CatalogSettings, client: any HTTPClient, last: (any GIFRepository)?,
        health: SourceHealth? = nil
    ) throws(CatalogError) -> ServiceChain {
        let health = health ?? SourceHealth(now: settings.now)
        if let last, last.name == name { return ServiceChain([.init(last, isOnline: false)], health: health) }
        return ServiceChain(
            [.init(try source(named: name, settings: settings, client: client, last: last))], health: health)
    }

    private static func defaultOrder(_ settings: CatalogSettings) -> [String] {
        services.map(\.profile).filter { $0.key == nil || settings.keys[$0.name] != nil }.map(\.name)
    }

    private static func source(
        named name: String, settings: CatalogSettings, client: any HTTPClient, last: (any GIFRepository)?
    ) throws(CatalogError) -> any GIFRepository {
        do throws(CatalogError) {
            return try repository(named: name, settings: settings, client: client)
        } catch .unknownSource(let name, let known) {
            throw .unknownSource(name: name, known: known + (last.map { [$0.name] } ?? []))
        }
    }
}
