import Base

/// nekos.best v2: anime clips by category. It is only queried if the user names it in `sources` or `--source`.
///
/// Facts: APIS.md, sections 4 and 9. Its user agent needs a contact.
struct Nekos: Service {
    let profile = ServiceProfile(
        name: "nekos", title: "nekos.best",
        terms: "No key; anime clips of a few reactions; only if it is named in '--sources'; wants a contact.",
        credit: .author(site: "nekos.best"), base: "https://nekos.best/api/v2", cachePolicy: .persistent,
        timeoutMilliseconds: 8_000, isOptional: true)

    func target(for request: ListingRequest) -> RequestTarget? {
        let category: String
        switch request.listing {
        case .search(let query): category = Self.key(query)
        case .random(let number): category = Self.categories[Int(number % UInt64(Self.categories.count))]
        case .trending, .item: return nil
        }
        guard Self.categories.contains(category) else { return nil }
        return RequestTarget("/" + category, ["amount": "20"])
    }

    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(Failure) -> DecodedListing {
        guard let results = try response.json(LenientObject.self).listing("results") else {
            throw response.unexpectedJSON
        }
        var title = "anime"
        if case .search(let query) = request.listing { title = query }
        return DecodedListing(
            items: results.compactMap { item in
                guard let url = item.address("url"), WebAddress.fileExtension(url) == "gif",
                    let name = url.split(separator: "/").last
                else { return nil }
                let (show, size) = (item.text("anime_name"), item.object("dimensions"))
                return GIFReference(
                    provider: profile.name, id: String(name), title: title, pageURL: "https://nekos.best",
                    author: show,
                    attribution: GIFReference.attributionLine(title, show, "nekos.best", "https://nekos.best"),
                    renditions: [Rendition(url: url, width: size?.size("width"), height: size?.size("height"))],
                    cachePolicy: profile.cachePolicy)
            })
    }

    private static func key(_ query: String) -> String { query.lowercased().filter { $0.isLetter } }

    private static let categories = [
        "bite", "blush", "bored", "clap", "cry", "cuddle", "dance", "facepalm", "feed", "handhold", "handshake",
        "happy",
        "highfive", "hug", "kick", "kiss", "laugh", "nod", "nom", "nope", "pat", "peck", "poke", "pout", "punch", "run",
        "shoot", "shrug", "slap", "sleep", "smile", "smug", "stare", "think", "thumbsup", "tickle", "wave", "wink",
        "yawn", "yeet",
    ]
}
