import Catalog

/// The JSON form of a `GIFReference`. Decoding cleans the texts, and rejects an invalid `provider`, `id` or address.
struct GIFRecord: Codable {
    private static let known = [
        "provider", "id", "title", "page", "author", "licence", "licencePage", "attribution", "cachePolicy", "rating",
        "tags", "posted", "comments", "community", "renditions",
    ]
    private static let policies: [CachePolicy] = [.persistent, .sessionOnly, .embedded]

    let reference: GIFReference

    init(_ reference: GIFReference) { self.reference = reference }

    init(from decoder: any Decoder) throws {
        let fields = try StrictFields(decoder, known: Self.known)
        let name: (String) -> String? = { GIFReference.isName($0) ? $0 : nil }
        let address: (String) -> String? = { GIFReference.isAddress($0) ? $0 : nil }
        let policies = Self.policies.map(\.rawValue).joined(separator: ", ")
        let records: [ImportedRendition] = try fields.value("renditions")
        let read = GIFReference(
            provider: try fields.value("provider", StrictFields.name, name),
            id: try fields.value("id", StrictFields.name, name),
            title: try fields.value("title"), pageURL: try fields.optional("page", StrictFields.address, address),
            author: try fields.optional("author"), licence: try fields.optional("licence"),
            licenceURL: try fields.optional("licencePage", StrictFields.address, address),
            attribution: try fields.value("attribution"), renditions: records.map(\.record.rendition),
            cachePolicy: try fields.value("cachePolicy", "one of " + policies) { CachePolicy(rawValue: $0) },
            rating: try fields.optional("rating"), tags: try fields.optional("tags") ?? [],
            posted: try fields.optional("posted", StrictFields.timestamp) { (text: String) in Timestamp.seconds(text) },
            comments: try fields.optional("comments", StrictFields.positive) { $0 == 0 ? 0 : StrictFields.size($0) },
            community: try fields.optional("community"))
        guard let clean = read.cleaned() else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "should be \(StrictFields.name)"))
        }
        reference = clean
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: MemberName.self)
        try fields.encode(reference.provider, forKey: MemberName("provider"))
        try fields.encode(reference.id, forKey: MemberName("id"))
        try fields.encode(reference.title, forKey: MemberName("title"))
        try fields.encodeIfPresent(reference.pageURL, forKey: MemberName("page"))
        try fields.encodeIfPresent(reference.author, forKey: MemberName("author"))
        try fields.encodeIfPresent(reference.licence, forKey: MemberName("licence"))
        try fields.encodeIfPresent(reference.licenceURL, forKey: MemberName("licencePage"))
        try fields.encode(reference.attribution, forKey: MemberName("attribution"))
        try fields.encode(reference.cachePolicy.rawValue, forKey: MemberName("cachePolicy"))
        try fields.encodeIfPresent(reference.rating, forKey: MemberName("rating"))
        if !reference.tags.isEmpty { try fields.encode(reference.tags, forKey: MemberName("tags")) }
        try fields.encodeIfPresent(reference.posted.map(Timestamp.text), forKey: MemberName("posted"))
        try fields.encodeIfPresent(reference.comments, forKey: MemberName("comments"))
        try fields.encodeIfPresent(reference.community, forKey: MemberName("community"))
        try fields.encode(reference.renditions.map(RenditionRecord.init), forKey: MemberName("renditions"))
    }
}

/// A rendition in an imported document. Decoding checks every field.
private struct ImportedRendition: Decodable {
    private static let known = ["url", "alternatives", "width", "height", "bytes", "frames", "mayBeStill"]

    let record: RenditionRecord

    init(from decoder: any Decoder) throws {
        let fields = try StrictFields(decoder, known: Self.known)
        let url: String = try fields.value("url", StrictFields.address) { GIFReference.isAddress($0) ? $0 : nil }
        let alternatives: [String]? = try fields.optional("alternatives", StrictFields.address) { (list: [String]) in
            list.allSatisfy(GIFReference.isAddress) ? list : nil
        }
        record = RenditionRecord(
            Rendition(
                url: url, alternatives: alternatives ?? [],
                width: try fields.optional("width", StrictFields.positive, StrictFields.size),
                height: try fields.optional("height", StrictFields.positive, StrictFields.size),
                bytes: try fields.optional("bytes", StrictFields.positive, StrictFields.size),
                frames: try fields.optional("frames", StrictFields.positive, StrictFields.size),
                mayBeStill: try fields.optional("mayBeStill") ?? false))
    }
}
