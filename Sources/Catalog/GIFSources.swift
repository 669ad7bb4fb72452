import Base

public enum GIFSources {
    /// All services in their default order: first those that require a key, then those without a key. In both groups,
    /// the service with the best results comes first.
    static let services: [any Service] = [
        Giphy(), Klipy(), Commons(), Emoji(), GifCities(), Openverse(), Nekos(),
    ]

    public static var profiles: [ServiceProfile] { services.map(\.profile) }

    /// By the name of the service.
    static let credits = Dictionary(uniqueKeysWithValues: profiles.map { ($0.name, $0.credit) })

    /// The names of all services in the default order, followed by `samples`.
    public static var names: [String] { profiles.map(\.name) + [SampleRepository.name] }

    /// Child processes must not inherit these environment variables.
    public static var keyVariables: [String] { profiles.compactMap { $0.key?.variable } }

    /// If a required key is missing, the calls of the repository throw `Failure.noKey`.
    /// - Throws: `Failure.unknownSource`.
    public static func repository(
        named name: String, settings: CatalogSettings, client: any HTTPClient
    ) throws(Failure) -> any GIFRepository {
        guard let service = services.first(where: { $0.profile.name == name }) else {
            throw .unknownSource(name: SafeText.line(name), known: names)
        }
        return ServiceRepository(service: service, client: client, settings: settings)
    }

    /// Returns the sources for these settings in their order. The source `last` comes after the services.
    ///
    /// If `settings.order` contains the name of `last`, the position of that name determines the position of `last`.
    /// - Throws: `Failure.unknownSource`, if `settings.order` contains an unknown name.
    public static func repositories(
        settings: CatalogSettings, client: any HTTPClient, last: any GIFRepository
    ) throws(Failure) -> [any GIFRepository] {
        var repositories: [any GIFRepository] = []
        for name in order(settings) {
            repositories.append(
                name == last.name ? last : try repository(named: name, settings: settings, client: client))
        }
        return repositories.contains { $0.name == last.name } ? repositories : repositories + [last]
    }

    /// Returns at most five search terms that begin with `prefix`, from the first service that has any. Only services
    /// whose key is set are queried. Empty after a failure.
    ///
    /// Each request counts against the hourly limit of a key, so call this only after a pause in typing. A failure does
    /// not count in `SourceHealth`, because completion is a separate endpoint that says nothing about listings.
    public static func completions(
        for prefix: String, settings: CatalogSettings, client: any HTTPClient
    ) async -> [String] {
        let prefix = SafeText.line(prefix)
        guard !prefix.isEmpty else { return [] }
        for service in services(settings) where !Task.isCancelled {
            let terms = await ServiceRepository(service: service, client: client, settings: settings)
                .completions(for: prefix)
            if !terms.isEmpty { return terms }
        }
        return []
    }

    /// Returns the hits in the indices of sources that are stored on this machine. Sends no request.
    public static func indexedItems(
        _ query: SearchQuery, settings: CatalogSettings, client: any HTTPClient
    ) -> [GIFReference] {
        services(settings).flatMap { service in
            ServiceRepository(service: service, client: client, settings: settings).indexedItems(query)
        }
    }

    /// Returns the repositories of the configured Reddit communities, by the name of the community.
    /// - Parameter version: of gifplay, for the user agent.
    public static func communities(
        _ settings: CatalogSettings, version: String, client: any HTTPClient
    ) -> [String: any GIFRepository] {
        // One gate for all communities, because Reddit limits the requests per user and not per community.
        let gate = SerialGate()
        var repositories: [String: any GIFRepository] = [:]
        for community in settings.reddit.communities.compactMap(Community.init) {
            let service = Reddit(community, settings, version: version)
            var settings = settings
            settings.endpoints[service.profile.name] = settings.endpoints[RedditSettings.source]
            repositories[community.name] = ServiceRepository(
                service: service, client: client, settings: settings, gate: gate)
        }
        return repositories
    }

    /// Returns the GIF of KLIPY with this slug.
    public static func klipyItem(
        _ slug: String, _ settings: CatalogSettings, client: any HTTPClient
    ) async throws(Failure) -> GIFReference {
        try await ServiceRepository(service: Klipy(), client: client, settings: settings).item(slug)
    }

    /// The services of ``order(_:)``.
    private static func services(_ settings: CatalogSettings) -> [any Service] {
        order(settings).compactMap { name in services.first { $0.profile.name == name } }
    }

    /// By default, all services without optional ones and those whose key is missing.
    private static func order(_ settings: CatalogSettings) -> [String] {
        settings.order
            ?? profiles.filter { !$0.isOptional && ($0.key == nil || settings.keys[$0.name] != nil) }.map(\.name)
    }
}

/// Allows one request to a service at a time, in order of arrival, and stores the service's cool-down.
///
/// Wikimedia asks clients not to send parallel requests. gifplay follows this rule for all services.
package actor SerialGate {
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var cooldownEnd: ContinuousClock.Instant?

    package init() {}

    /// Waits until no other request is running. The caller must call `leave` afterwards.
    package func enter() async {
        guard isBusy else {
            isBusy = true
            return
        }
        // `leave` keeps `isBusy` true when it resumes this caller.
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Admits the caller that has waited longest.
    package func leave() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }

    package func startCooldown(until moment: ContinuousClock.Instant) { cooldownEnd = moment }

    /// Returns the milliseconds that remain for a request that is sent now. Throws if none may be sent: during a
    /// cool-down, after the deadline, or if the task is cancelled.
    package func remainingMilliseconds(
        until deadline: ContinuousClock.Instant, at now: ContinuousClock.Instant
    ) throws(Failure) -> Int {
        guard !Task.isCancelled else { throw .cancelled }
        if let cooldownEnd, cooldownEnd > now { throw .coolingDown(seconds: (cooldownEnd - now).wholeSeconds) }
        let milliseconds = (deadline - now).wholeMilliseconds
        guard milliseconds > 0 else { throw .outOfTime }
        return milliseconds
    }
}

extension Duration {
    /// Rounded up, so that a cool-down of half a second does not become 0.
    package var wholeSeconds: Int {
        let (seconds, fraction) = components
        return Int(clamping: fraction > 0 ? seconds + 1 : seconds)
    }

    /// Rounded down.
    package var wholeMilliseconds: Int {
        let (seconds, fraction) = components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? .max : Int(clamping: milliseconds + fraction / 1_000_000_000_000_000)
    }
}
