/// The source of the built-in samples, which needs no network. By default it is the last source of a chain.
public struct SampleRepository: GIFRepository {
    public let name = "samples"
    private let samples: [Sample]

    public init(_ samples: [Sample] = Sample.all) {
        self.samples = samples
    }

    public func search(_ query: SearchQuery, page: PageToken?) throws(CatalogError) -> ResultPage {
        Self.page(of: SampleSearch(samples).search(query.text))
    }

    public func trending(_ preferences: ListingPreferences, page: PageToken?) throws(CatalogError) -> ResultPage {
        Self.page(of: samples)
    }

    public func random(_ preferences: ListingPreferences) throws(CatalogError) -> ResultPage {
        Self.page(of: samples.shuffled())
    }

    private static func page(of samples: [Sample]) -> ResultPage {
        ResultPage(items: samples.map(Self.reference), total: samples.count)
    }

    static func reference(_ sample: Sample) -> GIFReference {
        GIFReference(
            provider: "samples", id: sample.name, title: sample.title, licence: "MIT",
            attribution: "built-in",
            renditions: [Rendition(url: "sample:" + sample.name, bytes: sample.bytes.count)],
            cachePolicy: .embedded, tags: sample.tags)
    }
}
