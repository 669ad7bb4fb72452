@testable import Catalog
@testable import Reddit

/// Decodes service responses. The resulting references must be harmless on a terminal and contain only web addresses.
///
/// The first byte selects the service. The rest is the body, or a text that is inserted everywhere in a valid body.
enum ServicesTarget {
    /// A realistic API key, which must not occur in any result.
    static let key = "KeY0+SeCrEt/9876"

    private enum Answerer: CaseIterable {
        case giphy, klipy, commons, gifCities, gifCitiesSite, openverse, redditListing, redditFeed, refusal

        var template: String {
            switch self {
            case .giphy: ServiceTemplates.giphy
            case .klipy: ServiceTemplates.klipy
            case .commons: ServiceTemplates.commons
            case .gifCities: ServiceTemplates.gifCities
            case .gifCitiesSite: ServiceTemplates.site
            case .openverse: ServiceTemplates.openverse
            case .redditListing: ServiceTemplates.listing
            case .redditFeed: ServiceTemplates.feed
            case .refusal: ServiceTemplates.refusal
            }
        }
    }

    static func check(_ bytes: [UInt8]) throws {
        guard let choice = bytes.first else { return }
        let answerer = Answerer.allCases[Int(choice & 0x3F) % Answerer.allCases.count]
        let rating: Rating = choice & 0x80 == 0 ? .r : .g
        // A feed is requested without a key, so the response cannot contain one.
        let redactor = Redactor(answerer == .redditFeed ? [] : [Secret(key)].compactMap(\.self))
        var body = Array(bytes.dropFirst())
        if choice & 0x40 != 0 {
            body = ServiceTemplates.filled(answerer.template, with: String(decoding: body, as: UTF8.self))
        }
        let response = HTTPResponse(status: 200, headers: [:], body: body)
        let answer = Answer(response: response, redactor: redactor)
        switch answerer {
        case .giphy: try check(Giphy(), answer, rating)
        case .klipy: try check(Klipy(), answer, rating)
        case .commons: try check(Commons(), answer, rating)
        case .gifCities: try check(GifCities(), answer, rating)
        case .gifCitiesSite: try check(GifCities(), answer, rating, page: [GifCities.site: "1"])
        case .openverse: try check(Openverse(), answer, rating)
        case .redditListing: try check(answer, rating) { () throws(CatalogError) in try ListingAnswer.posts(answer) }
        case .redditFeed:
            guard let community = Community("gifs") else { return }
            try check(answer, rating) { () throws(CatalogError) in
                try FeedAnswer.posts(answer, community: community)
            }
        case .refusal: try checkRefusals(answer)
        }
    }

    private static func check(
        _ service: some Service, _ answer: Answer, _ rating: Rating, page: [String: String] = [:]
    ) throws {
        var preferences = Preferences()
        preferences.rating = rating
        var question = Question(listing: .search(words: "tea pot"), preferences: preferences, page: page)
        do {
            let listed = try service.decode(answer, to: question)
            for item in listed.items { try check(item, answer.redactor) }
            guard let next = listed.next else { return }
            question.page = next
            // The parameters of the next page become part of a URL and must be percent-encoded.
            for parameter in service.call(question)?.parameters ?? [] {
                let escaped = WebAddress.component(parameter.value)
                try promise(escaped.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(escaped) in an address")
            }
        } catch let error as CatalogError {
            try check(service.refined(error), answer.redactor)
        }
    }

    private static func check(
        _ answer: Answer, _ rating: Rating, _ posts: () throws(CatalogError) -> Posts
    ) throws {
        do {
            for post in try posts().posts {
                guard let item = post.reference(provider: "r/gifs", rating: rating) else { continue }
                try check(item, answer.redactor)
            }
        } catch let error as CatalogError {
            try check(error, answer.redactor)
        }
    }

    /// Checks the response with error statuses, each for another service.
    private static func checkRefusals(_ answer: Answer) throws {
        for (status, service) in zip([400, 401, 403, 404, 429, 503], GIFSources.services + [Giphy()]) {
            var answer = answer
            answer.response.status = status
            try check(service.refined(answer.refusal(of: service.profile)), answer.redactor)
        }
    }

    // MARK: - Properties

    private static func check(_ item: GIFReference, _ redactor: Redactor) throws {
        let optional = [item.author, item.licence, item.rating, item.community]
        for text in [item.id, item.title, item.attribution] + optional.compactMap(\.self) + item.tags {
            try checkText(text, redactor)
        }
        let addresses = [item.pageURL, item.licenceURL].compactMap(\.self)
        for address in addresses + item.renditions.flatMap({ [$0.url] + $0.alternatives }) {
            try checkAddress(address, redactor)
        }
        try promise(!item.renditions.isEmpty, "nothing to play: \(item)")
        for rendition in item.renditions {
            let numbers = [rendition.width, rendition.height, rendition.bytes, rendition.frames].compactMap(\.self)
            try promise(numbers.allSatisfy { $0 > 0 }, "no size: \(rendition)")
        }
        if let clean = item.cleaned() {
            try promise(clean.cleaned() == clean, "cleaned twice is another: \(clean)")
        }
    }

    private static func check(_ error: CatalogError, _ redactor: Redactor) throws {
        switch error {
        case .refused(_, let message, _): try checkText(message ?? "", redactor)
        case .api(let code, let message, _):
            try checkText(code, redactor)
            try checkText(message, redactor)
        case .keyRefused(_, let message): try checkText(message ?? "", redactor)
        default: break
        }
    }

    private static func checkText(_ text: String, _ redactor: Redactor) throws {
        var marks = 0
        for scalar in text.unicodeScalars {
            let properties = scalar.properties
            let isVariation = scalar == "\u{FE0E}" || scalar == "\u{FE0F}"
            switch properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                throw BrokenPromise(description: "U+\(String(scalar.value, radix: 16)) in \(text.debugDescription)")
            case .nonspacingMark, .enclosingMark: marks += 1
            default: marks = 0
            }
            try promise(
                isVariation || !properties.isDefaultIgnorableCodePoint, "invisible: \(text.debugDescription)")
            try promise(marks <= 8, "\(marks) marks on one another in \(text.debugDescription)")
        }
        try promise(!redactor.isTouched(text), "the key came out: \(text.debugDescription)")
    }

    private static func checkAddress(_ address: String, _ redactor: Redactor) throws {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        try promise(scheme == "http" || scheme == "https", "not of the web: \(address.debugDescription)")
        try promise(
            address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "bytes to escape: \(address.debugDescription)")
        try promise(!redactor.isTouched(address), "the key came out: \(address)")
        try promise(WebAddress.checked(address) == address, "checked twice is another: \(address)")
    }
}
