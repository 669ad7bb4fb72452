import Base

/// The sources by name, and the chains made of them.
public enum GIFSources {
    /// Every service in the order of asking: those with a key first, then by what they bring.
    static let services: [any Service] = [Giphy(), Klipy(), Commons(), GifCities(), Openverse()]

    /// What each service is, for a table of the sources.
    public static var profiles: [ServiceProfile] { services.map(\.profile) }

    /// The environment's variables that carry keys: no other program is to inherit them.
    public static var keyVariables: [String] { profiles.compactMap { $0.key?.variable } }

    /// One service as a repository of its own, asked even without its key, which is then the error.
    public static func repository(
        named name: String, settings: CatalogSettings, client: any HTTPClient
    ) throws(CatalogError) -> any GIFRepository {
        guard let service = services.first(where: { $0.profile.name == name }) else {
            throw .unknownSource(name: SafeText.line(name), known: services.map(\.profile.name))
        }
        return ServiceRepository(service: service, client: client, settings: settings)
    }

    /// The chain for these settings, with `last` behind the services.
    ///
    /// A name in `settings.order` may be that of `last`; then it stands where it is named.
    public static func chain(
        settings: CatalogSettings, client: any HTTPClient, last: (any GIFRepository)?
    ) throws(CatalogError) -> ServiceChain {
        var links: [ServiceChain.Link] = []
        for name in settings.order ?? usualOrder(settings) {
            if let last, name == last.name {
                links.append(.init(last, isOnline: false))
            } else {
                links.append(.init(try source(named: name, settings: settings, client: client, last: last)))
            }
        }
        if let last, !links.contains(where: { $0.repository.name == last.name }) {
            links.append(.init(last, isOnline: false))
        }
        return ServiceChain(
            links, now: settings.now, hedge: settings.hedge, failedLately: settings.failedLately)
    }

    /// A chain of the one source that was asked for: its failure is the error, with its reason.
    public static func single(
        _ name: String, settings: CatalogSettings, client: any HTTPClient, last: (any GIFRepository)?
    ) throws(CatalogError) -> ServiceChain {
        if let last, last.name == name { return ServiceChain([.init(last, isOnline: false)], now: settings.now) }
        return ServiceChain(
            [.init(try source(named: name, settings: settings, client: client, last: last))], now: settings.now)
    }

    private static func usualOrder(_ settings: CatalogSettings) -> [String] {
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
