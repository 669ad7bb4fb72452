import Base
import CSamples

public struct Sample {
    /// The file name without extension, such as `dancing-cat`.
    public let name: String
    public let title: String
    /// Search terms in lower case. A tag of several words has hyphens between them.
    public let tags: [String]
    /// The number of tags at the start that fit also with other words behind them, such as `thanks`.
    let openingCount: Int
    /// The number of tags at the start that fit also in inflected forms, such as `hug`. At least ``openingCount``.
    let subjectCount: Int
    /// Valid for the lifetime of the process.
    public let bytes: UnsafeRawBufferPointer
    /// In pixels, from the header of the file.
    var width: Int { Int(bytes[6]) | Int(bytes[7]) << 8 }
    var height: Int { Int(bytes[8]) | Int(bytes[9]) << 8 }

    init(_ sample: gifplay_sample) {
        name = String(cString: sample.name)
        title = String(cString: sample.title)
        let sections = String(cString: sample.tags).split(separator: " ").map(String.init).split(separator: "|")
        tags = Array(sections.joined())
        openingCount = sections.count > 2 ? sections[0].count : 0
        subjectCount = tags.count - (sections.count > 1 ? sections.last?.count ?? 0 : 0)
        bytes = UnsafeRawBufferPointer(start: sample.bytes, count: sample.count)
    }

    /// The dancing cat is the first.
    public static let all: [Sample] = (0..<gifplay_sample_count).map { Sample(gifplay_sample_at($0).pointee) }
}

extension Sample: Hashable {
    public static func == (one: Sample, other: Sample) -> Bool { one.name == other.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// `bytes` points to constants of the binary.
extension Sample: @unchecked Sendable {}

/// The source of the built-in samples, which needs no network. By default it is the last source of a chain.
public struct SampleRepository: GIFRepository {
    public static let name = "samples"
    public var name: String { Self.name }
    /// The built-in samples in their own order.
    public static let allReferences = Sample.all.map(GIFReference.sample)

    public init() {}

    public func search(_ query: SearchQuery, page: PageToken?) throws(Failure) -> ResultPage {
        Self.page(of: SampleSearch().search(query.text))
    }

    public func trending(_ preferences: ListingPreferences, page: PageToken?) throws(Failure) -> ResultPage {
        Self.page(of: Sample.all)
    }

    public func random(_ preferences: ListingPreferences) throws(Failure) -> ResultPage {
        Self.page(of: Sample.all.shuffled())
    }

    private static func page(of samples: [Sample]) -> ResultPage {
        ResultPage(items: samples.map(GIFReference.sample), total: samples.count)
    }
}
