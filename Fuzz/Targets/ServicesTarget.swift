import Base

@testable import Catalog

/// Decodes the responses of services into GIF references. The text of the references must be safe to print on a
/// terminal, and their URLs must be `http` or `https` URLs.
///
/// The first byte of the input selects the service, the rating and the use of the other bytes. The other bytes are
/// either the body of the response, or a text that replaces each `%` in the service's template.
enum ServicesTarget {
    /// A realistic API key. It must not occur in any result.
    static let key = "KeY0+SeCrEt/9876"

    private enum Responder: CaseIterable {
        case giphy, klipy, commons, gifCities, gifCitiesSite, openverse, redditFeed, refusal

        var template: String {
            switch self {
            case .giphy: ServiceTemplates.giphy
            case .klipy: ServiceTemplates.klipy
            case .commons: ServiceTemplates.commons
            case .gifCities: ServiceTemplates.gifCities
            case .gifCitiesSite: ServiceTemplates.site
            case .openverse: ServiceTemplates.openverse
            case .redditFeed: ServiceTemplates.feed
            case .refusal: ServiceTemplates.refusal
            }
        }
    }

    static func check(_ bytes: [UInt8]) throws {
        guard let choice = bytes.first else { return }
        let responder = Responder.allCases[Int(choice & 0x3F) % Responder.allCases.count]
        let rating: Rating = choice & 0x80 == 0 ? .r : .g
        // The redactor for feeds has no key, because gifplay requests feeds without a key unless the user configured a
        // feed token.
        let redactor = Redactor(responder == .redditFeed ? [] : [Secret(key)].compactMap(\.self))
        var body = Array(bytes.dropFirst())
        if choice & 0x40 != 0 {
            body = ServiceTemplates.filled(responder.template, with: String(decoding: body, as: UTF8.self))
        }
        let response = HTTPResponse(status: 200, headers: [:], body: body)
        let serviceResponse = ServiceResponse(http: response, redactor: redactor)
        switch responder {
        case .giphy: try check(Giphy(), serviceResponse, rating)
        case .klipy: try check(Klipy(), serviceResponse, rating)
        case .commons: try check(Commons(), serviceResponse, rating)
        case .gifCities: try check(GifCities(), serviceResponse, rating)
        case .gifCitiesSite: try check(GifCities(), serviceResponse, rating, page: [GifCities.site: "1"])
        case .openverse: try check(Openverse(), serviceResponse, rating)
        case .redditFeed:
            guard let community = Community("gifs") else { return }
            try check(Reddit(community, CatalogSettings(), version: "1.0"), serviceResponse, rating)
        case .refusal: try checkRefusals(serviceResponse)
        }
    }

    private static func check(
        _ service: some Service, _ serviceResponse: ServiceResponse, _ rating: Rating, page: [String: String] = [:]
    ) throws {
        var preferences = ListingPreferences()
        preferences.rating = rating
        var request = ListingRequest(listing: .search(query: "tea pot"), preferences: preferences, page: page)
        do {
            let listing = try service.decode(serviceResponse, to: request)
            for item in listing.items { try check(item, serviceResponse.redactor) }
            _ = ResultRanking("tea pot").sorted(listing.items)
            _ = listing.items.map { RenditionChoice(width: 80, height: 48).ordered($0.renditions) }
            guard let next = listing.next else { return }
            request.page = next
            // The parameters for the next page become part of a URL, so they must be percent-encoded.
            for parameter in service.target(for: request)?.parameters ?? [] {
                let escaped = WebAddress.component(parameter.value)
                try require(escaped.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(escaped) in an address")
            }
        } catch let error as Failure {
            try check(error, serviceResponse.redactor)
        }
    }

    /// Checks how the services interpret the response if it has an error status. Each service gets one status, and
    /// GIPHY gets a second one.
    private static func checkRefusals(_ serviceResponse: ServiceResponse) throws {
        for (status, service) in zip([400, 401, 403, 404, 429, 503], GIFSources.services + [Giphy()]) {
            var serviceResponse = serviceResponse
            serviceResponse.http.status = status
            try check(service.refusal(serviceResponse), serviceResponse.redactor)
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
        try require(!item.renditions.isEmpty, "nothing to play: \(item)")
        for rendition in item.renditions {
            let numbers = [rendition.width, rendition.height, rendition.bytes, rendition.frames].compactMap(\.self)
            try require(numbers.allSatisfy { $0 > 0 }, "no size: \(rendition)")
        }
        if let clean = item.cleaned() {
            try require(clean.cleaned() == clean, "cleaning twice changes it again: \(clean)")
        }
    }

    private static func check(_ error: Failure, _ redactor: Redactor) throws {
        for text in [error.text.full, error.text.short, error.text.german] { try checkText(text, redactor) }
    }

    private static func checkText(_ text: String, _ redactor: Redactor) throws {
        var marks = 0
        for scalar in text.unicodeScalars {
            let properties = scalar.properties
            let isVariation = scalar == "\u{FE0E}" || scalar == "\u{FE0F}"
            switch properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                throw ViolatedProperty(description: "U+\(String(scalar.value, radix: 16)) in \(text.debugDescription)")
            case .nonspacingMark, .enclosingMark: marks += 1
            default: marks = 0
            }
            try require(
                isVariation || !properties.isDefaultIgnorableCodePoint, "invisible: \(text.debugDescription)")
            try require(marks <= 8, "\(marks) marks on one another in \(text.debugDescription)")
        }
        try require(!redactor.containsKey(text), "the output contains the key: \(text.debugDescription)")
    }

    private static func checkAddress(_ address: String, _ redactor: Redactor) throws {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        try require(scheme == "http" || scheme == "https", "not a web address: \(address.debugDescription)")
        try require(
            address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "unescaped bytes: \(address.debugDescription)")
        try require(!redactor.containsKey(address), "the output contains the key: \(address)")
        try require(WebAddress.checked(address) == address, "checking twice changes it again: \(address)")
    }
}
