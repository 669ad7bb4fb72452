import Catalog

/// What is on this machine: the carried samples, and for the random feed what the media cache holds.
struct OfflineRepository: GIFRepository {
    let name = "samples"
    let online: Online
    private let samples = SampleRepository()

    init(online: Online) {
        self.online = online
    }

    func search(_ query: SearchQuery, page: PageToken?) async throws(CatalogError) -> ResultPage {
        try samples.search(query, page: page)
    }

    func trending(_ preferences: Preferences, page: PageToken?) async throws(CatalogError) -> ResultPage {
        try samples.trending(preferences, page: page)
    }

    func random(_ preferences: Preferences) async throws(CatalogError) -> ResultPage {
        let carried = try samples.random(preferences)
        return ResultPage(items: online.keptReferences + carried.items)
    }
}

extension Online {
    /// The GIFs of the media cache whose credit is known.
    public var keptReferences: [GIFReference] {
        guard let cache else { return [] }
        return cache.contents(beginning: KeptCredit.start).compactMap { KeptCredit($0)?.reference }
    }
}

/// Whose a kept GIF is: an entry of the media cache beside the GIF's own.
struct KeptCredit {
    var url: String
    var title: String
    var attribution: String

    /// What every such entry begins with.
    static let start = Array("gifplay credit 1\n".utf8)

    init(url: String, title: String, attribution: String) {
        self.url = url
        self.title = title
        self.attribution = attribution
    }

    /// Nil for anything but an entry as ``bytes`` writes it.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes.dropFirst(Self.start.count), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 3 else { return nil }
        self.init(url: lines[0], title: lines[1], attribution: lines[2])
    }

    /// Where it lies.
    var key: String { "credit:" + url }

    /// The catalogue's texts have no line ends.
    var bytes: [UInt8] { Self.start + Array([url, title, attribution].joined(separator: "\n").utf8) }

    var reference: GIFReference {
        GIFReference(
            provider: "cache", id: url, title: title, attribution: attribution, renditions: [Rendition(url: url)],
            cachePolicy: .persistent)
    }
}
