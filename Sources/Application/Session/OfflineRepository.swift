import Base
import Catalog

/// Lists GIFs without using the network. Search and trending list the built-in samples. The random feed lists the GIFs
/// in the media cache and the built-in samples.
struct OfflineRepository: GIFRepository {
    var name: String { SampleRepository.name }
    let session: ServiceSession
    private let samples = SampleRepository()

    init(session: ServiceSession) { self.session = session }

    func search(_ query: SearchQuery, page: PageToken?) async throws(CatalogError) -> ResultPage {
        try samples.search(query, page: page)
    }

    func trending(_ preferences: ListingPreferences, page: PageToken?) async throws(CatalogError) -> ResultPage {
        try samples.trending(preferences, page: page)
    }

    func random(_ preferences: ListingPreferences) async throws(CatalogError) -> ResultPage {
        let builtIn = try samples.random(preferences)
        return ResultPage(items: session.cachedReferences + builtIn.items)
    }
}

extension ServiceSession {
    /// The GIFs of the media cache that have a credit entry.
    public var cachedReferences: [GIFReference] {
        // A search creates nothing.
        guard let directory = settings.cacheDirectory, FileIdentity(path: directory) != nil, let cache else {
            return []
        }
        return cache.contents(beginning: CachedCredit.start).compactMap { CachedCredit($0)?.reference }
    }
}

/// The credit (address, title and attribution) of a cached GIF, stored as a separate entry of the media cache.
struct CachedCredit {
    var url: String
    var title: String
    var attribution: String

    static let start = Array("gifplay credit 1\n".utf8)
}

extension CachedCredit {
    /// Returns nil unless the entry has three lines after ``start``.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes.dropFirst(Self.start.count), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 3 else { return nil }
        self.init(url: lines[0], title: lines[1], attribution: lines[2])
    }

    var key: String { "credit:" + url }

    /// The fields are separated by line breaks, which texts from the services never contain.
    var bytes: [UInt8] { Self.start + Array([url, title, attribution].joined(separator: "\n").utf8) }

    var reference: GIFReference {
        GIFReference(
            provider: GIFReference.cacheProvider, id: url, title: title, attribution: attribution,
            renditions: [Rendition(url: url)], cachePolicy: .persistent)
    }
}
