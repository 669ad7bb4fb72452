import Base

struct ServiceRepository: GIFRepository {
    let service: any Service
    let client: any HTTPClient
    let settings: CatalogSettings
    /// Repositories with a common limit on requests share it.
    var gate = SerialGate()
    private let lastRequest = Monitor<ContinuousClock.Instant?>(nil)
    private let cachedPages = ResultPageCache()

    /// Includes the requests after an empty page and the fallback requests.
    private static let requestsPerCall = 3

    var name: String { service.profile.name }
    var profile: ServiceProfile { service.profile }
    private var index: [UInt8]? { profile.keepsIndex ? settings.index(of: name) : nil }

    func interest(in query: String?) -> SourceInterest { service.interest(in: query, index: index) }

    func search(_ query: SearchQuery, page: PageToken?) async throws(Failure) -> ResultPage {
        let text = SafeText.line(query.text)
        guard !text.isEmpty else { return ResultPage(items: []) }
        return try await requestPage(
            .search(query: text), query.preferences, page, matchesAnyTerm: query.matchesAnyTerm)
    }

    func trending(_ preferences: ListingPreferences, page: PageToken?) async throws(Failure) -> ResultPage {
        try await requestPage(.trending, preferences, page)
    }

    func random(_ preferences: ListingPreferences) async throws(Failure) -> ResultPage {
        try await requestPage(.random(number: settings.randomNumber()), preferences, nil)
    }

    /// The GIF with this identifier in the address of its page.
    func item(_ identifier: String) async throws(Failure) -> GIFReference {
        let page = try await requestPage(.item(identifier), ListingPreferences(), nil)
        guard let item = page.items.first else { throw .nothingFound }
        return item
    }

    /// At most five search terms that begin with `prefix`. Empty after a failure, or without completion or key.
    func completions(for prefix: String) async -> [String] {
        guard settings.keys[name] != nil,
            let target = service.completionTarget(for: prefix, base: settings.base(of: profile)),
            let http = try? await send(target, milliseconds: profile.timeoutMilliseconds, mayRepeat: false),
            http.status == 200
        else { return [] }
        let response = ServiceResponse(http: http, redactor: settings.redactor)
        guard let body = try? response.json(LenientObject.self) else { return [] }
        // GIPHY returns objects with a name, and KLIPY returns texts.
        let terms = body.texts("data", inside: ["name"]) + body.texts("results")
        return Array(terms.filter { !ExplicitTextFilter.matches($0) }.prefix(5))
    }

    /// The hits in the index that is stored on this machine. Sends no request.
    func indexedItems(_ query: SearchQuery) -> [GIFReference] {
        let request = request(.search(query: query.text), query.preferences, nil)
        return indexedListing(request).map { page($0, request).items } ?? []
    }

    /// Nil without an index that can be decoded.
    private func indexedListing(_ request: ListingRequest) -> DecodedListing? {
        guard let index else { return nil }
        let stored = ServiceResponse(http: HTTPResponse(status: 200, body: index), redactor: settings.redactor)
        return try? service.decode(stored, to: request)
    }

    private func request(
        _ listing: ListingKind, _ preferences: ListingPreferences, _ page: PageToken?
    ) -> ListingRequest {
        ListingRequest(
            listing: listing, preferences: preferences, page: page?.parameters ?? [:],
            visitorIdentifier: settings.visitorIdentifier(), reportsUse: settings.reportsUse,
            otherBases: settings.endpoints[name]?.others ?? profile.otherBases)
    }

    private func requestPage(
        _ listing: ListingKind, _ preferences: ListingPreferences, _ page: PageToken?, matchesAnyTerm: Bool = false
    ) async throws(Failure) -> ResultPage {
        if let page, page.source != name { throw .foreignPage(source: page.source) }
        var request = request(listing, preferences, page)
        if matchesAnyTerm, page == nil {
            guard let widened = service.widened(request) else { throw .notOffered }
            request = widened
        }
        guard service.target(for: request) != nil else { throw .notOffered }
        if let key = profile.key, settings.keys[name] == nil { throw .noKey(variable: key.variable) }
        let key = ResultPageCache.Key(
            listing: listing, rating: preferences.rating, language: preferences.language,
            targetWidth: preferences.targetWidth, page: request.page)
        if let cached = await cachedPage(key, preferences) { return cached }
        let deadline = settings.now() + .milliseconds(preferences.budgetMilliseconds)
        await gate.enter()
        let outcome = await cachedOrRequestedPage(request, key, deadline)
        await gate.leave()
        if case .failure(let error) = outcome { settings.onFailure(error.of(name)) }
        return try outcome.get()
    }

    /// An equal call can have stored the page while this one waited for the gate.
    private func cachedOrRequestedPage(
        _ request: ListingRequest, _ key: ResultPageCache.Key, _ deadline: ContinuousClock.Instant
    ) async -> Result<ResultPage, Failure> {
        if let cached = await cachedPage(key, request.preferences) { return .success(cached) }
        let outcome = await outcome(request, deadline)
        if case .success(let page) = outcome, profile.responseCacheSeconds > 0, key.listing.isRepeatable {
            let expiry = settings.now() + .seconds(profile.responseCacheSeconds)
            await cachedPages.store(page, for: key, until: expiry)
        }
        return outcome
    }

    /// A page that a refresh must bypass is not returned.
    private func cachedPage(_ key: ResultPageCache.Key, _ preferences: ListingPreferences) async -> ResultPage? {
        let seconds = preferences.bypassesCache ? profile.responseCacheSeconds - profile.spacingSeconds : 0
        return await cachedPages.page(key, at: settings.now(), longerThan: seconds)
    }

    /// Requests pages until one has items, and returns this page. If no page has items, returns the first failure, or
    /// the last empty page if there is no failure. An empty page discards the failures before it.
    private func outcome(
        _ request: ListingRequest, _ deadline: ContinuousClock.Instant
    ) async -> Result<ResultPage, Failure> {
        var request = request
        var outcome: Result<ResultPage, Failure> = .success(ResultPage(items: []))
        for _ in 0..<Self.requestsPerCall {
            let failure: Failure?
            let following: [String: String]?
            do throws(Failure) {
                let listing = try await requestListing(request, deadline)
                let page = page(listing, request)
                outcome = .success(page)
                guard page.items.isEmpty else { return outcome }
                (failure, following) = (nil, listing.next)
            } catch {
                // The first failure is more informative than a failure of the fallback request after it.
                if case .success = outcome { outcome = .failure(error) }
                (failure, following) = (error, nil)
            }
            if let following {
                request.page = following
            } else if let fallback = service.fallbackRequest(for: request, after: failure) {
                request = fallback
            } else {
                return outcome
            }
        }
        return outcome
    }

    private func requestListing(
        _ request: ListingRequest, _ deadline: ContinuousClock.Instant
    ) async throws(Failure) -> DecodedListing {
        let left = try await gate.remainingMilliseconds(until: deadline, at: settings.now())
        guard let target = service.target(for: request) else { throw .notOffered }
        if let listing = indexedListing(request) { return listing }
        try checkSpacing()
        let http = try await send(target, milliseconds: min(left, profile.timeoutMilliseconds))
        let response = ServiceResponse(http: http, redactor: settings.redactor)
        await checkLimits(response)
        guard (200..<300).contains(http.status) else { throw service.refusal(response) }
        let listing = try service.decode(response, to: request)
        if profile.keepsIndex { settings.setIndex(http.body, of: name) }
        return listing
    }

    private func send(
        _ target: RequestTarget, milliseconds: Int, mayRepeat: Bool = true
    ) async throws(Failure) -> HTTPResponse {
        var request = HTTPRequest(
            url: settings.address(of: target, at: profile), headers: profile.headers,
            maximumBytes: profile.maximumBytes, timeoutMilliseconds: milliseconds)
        request.mayRepeat = mayRepeat && profile.mayRepeat
        do throws(Failure) { return try await client.get(request) } catch {
            throw error.redacted(settings.redactor)
        }
    }

    /// Throws if the previous request was too recent; otherwise stores the time of this one.
    private func checkSpacing() throws(Failure) {
        let (now, spacing) = (settings.now(), Duration.seconds(profile.spacingSeconds))
        try lastRequest.withLock { last throws(Failure) in
            if let last, last + spacing > now { throw .coolingDown(seconds: (last + spacing - now).wholeSeconds) }
            last = now
        }
    }

    /// Starts a cool-down if the service accepts no further request now.
    private func checkLimits(_ response: ServiceResponse) async {
        let headers = response.http.headers
        let quota = profile.quotaHeaders.filter { headers[$0.key].flatMap { Int(lenient: $0) } == 0 }.values.max()
        guard let seconds = response.http.status == 429 ? profile.refusalCooldownSeconds : quota else { return }
        let wait = response.waitSeconds(at: profile) ?? seconds
        await gate.startCooldown(until: settings.now() + .seconds(wait))
    }

    private func page(_ listing: DecodedListing, _ request: ListingRequest) -> ResultPage {
        var seen: Set<String> = []
        let items = listing.items.filter { item in
            guard seen.insert(item.id).inserted else { return false }
            guard let url = item.renditions.first?.url, seen.insert(url).inserted, !item.isTiny else { return false }
            return profile.filtersByRating || request.preferences.rating == .r
                || !ExplicitTextFilter.matches(item.title)
        }
        let next = listing.next.map { PageToken(source: name, parameters: $0) }
        return ResultPage(items: items, next: next, total: listing.total)
    }
}

extension ListingKind {
    /// A random listing must return new results each time.
    fileprivate var isRepeatable: Bool { if case .random = self { false } else { true } }
}

extension GIFReference {
    /// Whether every file is known to be narrower or flatter than 32 pixels, as spacers and dividing lines are.
    var isTiny: Bool {
        !renditions.isEmpty && renditions.allSatisfy { min($0.width ?? .max, $0.height ?? .max) < 32 }
    }
}

/// Caches result pages of a service for a short time, so that a return to an earlier page needs no request.
///
/// It is a history in memory, as in RFC 9111, section 6, so `Cache-Control` does not apply to it. A refresh bypasses it.
actor ResultPageCache {
    /// Two calls with equal keys have the same result.
    struct Key: Hashable, Sendable {
        var listing: ListingKind
        var rating: Rating
        var language: String
        /// Two widths can lead to the same request, but their pages are cached separately.
        var targetWidth: Int?
        var page: [String: String]
    }

    private let limit: Int
    private var pages: [Key: (page: ResultPage, until: ContinuousClock.Instant)] = [:]

    init(limit: Int = 64) { self.limit = limit }

    /// Nil unless the page stays valid for longer than `seconds`.
    func page(_ key: Key, at now: ContinuousClock.Instant, longerThan seconds: Int = 0) -> ResultPage? {
        guard let cached = pages[key] else { return nil }
        guard cached.until > now else {
            pages[key] = nil
            return nil
        }
        return cached.until - now > .seconds(seconds) ? cached.page : nil
    }

    /// If the cache is full, the page that expires first is removed.
    func store(_ page: ResultPage, for key: Key, until moment: ContinuousClock.Instant) {
        if pages.count >= limit, pages[key] == nil {
            let oldest = pages.min { $0.value.until < $1.value.until }
            if let oldest { pages[oldest.key] = nil }
        }
        pages[key] = (page, moment)
    }
}
