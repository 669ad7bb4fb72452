import Base

/// Queries one service through an HTTP client and returns its results as pages of references.
struct ServiceRepository: GIFRepository {
    let service: any Service
    let client: any HTTPClient
    let settings: CatalogSettings
    private let gate = SerialGate()
    private let answers = AnswerCache()
    private let visitor: String

    /// The maximum number of requests per call, including those after an empty page or with another question.
    private static let requestsPerCall = 3

    init(service: any Service, client: any HTTPClient, settings: CatalogSettings) {
        self.service = service
        self.client = client
        self.settings = settings
        visitor = Visitor.identifier(settings.draw(), settings.draw())
    }

    var name: String { service.profile.name }
    var profile: ServiceProfile { service.profile }

    func search(_ query: SearchQuery, page: PageToken?) async throws(CatalogError) -> ResultPage {
        let words = SafeText.line(query.words)
        guard !words.isEmpty else { return ResultPage(items: []) }
        return try await ask(.search(words: words), query.preferences, page, matchesAnyTerm: query.matchesAnyTerm)
    }

    func trending(_ preferences: Preferences, page: PageToken?) async throws(CatalogError) -> ResultPage {
        try await ask(.trending, preferences, page)
    }

    func random(_ preferences: Preferences) async throws(CatalogError) -> ResultPage {
        try await ask(.random(draw: settings.draw()), preferences, nil)
    }

    private func ask(
        _ listing: Listing, _ preferences: Preferences, _ page: PageToken?, matchesAnyTerm: Bool = false
    ) async throws(CatalogError) -> ResultPage {
        if let page, page.source != name { throw .foreignPage(source: page.source) }
        var question = Question(
            listing: listing, preferences: preferences, page: page?.parameters ?? [:], visitor: visitor,
            otherBases: settings.endpoints[name]?.others ?? profile.otherBases)
        if matchesAnyTerm, page == nil {
            guard let widened = service.widened(question) else { throw .notOffered }
            question = widened
        }
        guard service.call(question) != nil else { throw .notOffered }
        if let key = profile.key, settings.keys[name] == nil { throw .noKey(variable: key.variable) }
        let key = AnswerCache.Key(
            listing: listing, rating: preferences.rating, language: preferences.language,
            targetWidth: preferences.targetWidth, page: question.page)
        if !preferences.asksAnew, let kept = await answers.page(key, at: settings.now()) { return kept }
        let deadline = settings.now() + .milliseconds(preferences.budgetMilliseconds)
        await gate.enter()
        let outcome = await outcome(question, deadline)
        await gate.leave()
        if case .failure(let error) = outcome { settings.noteFailure(SourceFailure(source: name, reason: error)) }
        let found = try outcome.get()
        if profile.answersKeptSeconds > 0, listing.isRepeatable {
            await answers.keep(found, for: key, until: settings.now() + .seconds(profile.answersKeptSeconds))
        }
        return found
    }

    /// Returns the first page with items. Without one, returns the first failure after the last empty page, or that
    /// page if no request failed after it.
    private func outcome(
        _ question: Question, _ deadline: ContinuousClock.Instant
    ) async -> Result<ResultPage, CatalogError> {
        var question = question
        var outcome: Result<ResultPage, CatalogError> = .success(ResultPage(items: []))
        for _ in 0..<Self.requestsPerCall {
            let failure: CatalogError?
            let following: [String: String]?
            do throws(CatalogError) {
                let listed = try await attempted(question, deadline)
                let page = page(listed, question)
                outcome = .success(page)
                guard page.items.isEmpty else { return outcome }
                (failure, following) = (nil, listed.next)
            } catch {
                let refined = service.refined(error)
                // A later failure says less than the first one, which caused the second attempt.
                if !outcome.isFailure { outcome = .failure(refined) }
                (failure, following) = (refined, nil)
            }
            if let following {
                question.page = following
            } else if let again = service.secondChance(question, after: failure) {
                question = again
            } else {
                return outcome
            }
        }
        return outcome
    }

    private func attempted(
        _ question: Question, _ deadline: ContinuousClock.Instant
    ) async throws(CatalogError) -> Listed {
        guard !Task.isCancelled else { throw .cancelled }
        if let seconds = await gate.restingSeconds(at: settings.now()) { throw .coolingDown(seconds: seconds) }
        let left = (deadline - settings.now()).wholeMilliseconds
        guard left > 0 else { throw .outOfTime }
        guard let call = service.call(question) else { throw .notOffered }
        let response = try await response(to: call, milliseconds: min(left, profile.timeoutMilliseconds))
        await noteQuota(response)
        let answer = Answer(response: response, redactor: settings.redactor)
        guard (200..<300).contains(response.status) else { throw answer.refusal(of: profile) }
        return try service.decode(answer, to: question)
    }

    private func response(to call: Call, milliseconds: Int) async throws(CatalogError) -> HTTPResponse {
        let request = HTTPRequest(
            url: address(of: call),
            headers: ["Accept": "application/json, */*;q=0.1"],
            maximumBytes: profile.maximumBytes, timeoutMilliseconds: milliseconds)
        do throws(HTTPError) {
            return try await client.get(request)
        } catch {
            throw error == .cancelled ? .cancelled : .transport(error.redacted(settings.redactor))
        }
    }

    private func address(of call: Call) -> String {
        var address = call.base ?? settings.endpoints[name]?.base ?? profile.base
        var parameters = call.parameters
        if let key = profile.key, let secret = settings.keys[name] {
            switch key.place {
            case .path: address += "/" + WebAddress.component(secret.reveal())
            case .query(let name): parameters.insert(.init(name: name, value: secret.reveal()), at: 0)
            }
        }
        let query = parameters.map { "\($0.name)=\(WebAddress.component($0.value))" }.joined(separator: "&")
        return address + call.path + (query.isEmpty ? "" : "?" + query)
    }

    private func noteQuota(_ response: HTTPResponse) async {
        let seconds = profile.quotaHeaders.filter { response.headers[$0.key].flatMap(FlexInt.parsed) == 0 }.values.max()
        guard let seconds, response.status != 429 else { return }
        await gate.rest(until: settings.now() + .seconds(seconds))
    }

    private func page(_ listed: Listed, _ question: Question) -> ResultPage {
        var seen: Set<String> = []
        let items = listed.items.filter { item in
            guard seen.insert(item.id).inserted else { return false }
            guard let url = item.renditions.first?.url, seen.insert(url).inserted else { return false }
            return profile.rates || question.preferences.rating == .r || !ExplicitWords.areIn(item.title)
        }
        let next = listed.next.map { PageToken(source: name, parameters: $0) }
        return ResultPage(items: items, next: next, total: listed.total)
    }
}

extension Listing {
    /// Whether the listing should be the same for the same question.
    fileprivate var isRepeatable: Bool { if case .random = self { false } else { true } }
}

extension Result {
    /// Whether the result is a failure.
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}

extension HTTPError {
    /// A copy without keys, in case the transport's message contains a URL.
    package func redacted(_ redactor: Redactor) -> HTTPError {
        func clean(_ text: String) -> String { SafeText.shortened(redactor(SafeText.line(text)), to: 300) }
        switch self {
        case .unreachable(let host, let reason): return .unreachable(host: clean(host), reason: clean(reason))
        case .redirectRefused(let host, let reason): return .redirectRefused(host: clean(host), reason: clean(reason))
        case .timedOut(let host, let milliseconds): return .timedOut(host: clean(host), milliseconds: milliseconds)
        case .tooLarge(let host, let limit): return .tooLarge(host: clean(host), limit: limit)
        case .invalidURL, .cancelled: return self
        }
    }
}

/// A random visitor identifier, which some services require. It is new in each run, so that it cannot be used for
/// tracking.
enum Visitor {
    /// Returns a UUID of version 4.
    static func identifier(_ high: UInt64, _ low: UInt64) -> String {
        let first = (high & ~0xF000) | 0x4000
        let second = (low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        let bytes = [first, second].flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        var identifier = ""
        for (index, digit) in bytes.hexadecimal.enumerated() {
            if [8, 12, 16, 20].contains(index) { identifier.append("-") }
            identifier.append(digit)
        }
        return identifier
    }
}
