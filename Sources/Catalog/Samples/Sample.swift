import CSamples

/// A built-in sample GIF.
public struct Sample {
    /// The file name without extension, such as `dancing-cat`.
    public let name: String
    public let title: String
    /// The tags in lower case.
    public let tags: [String]
    /// The bytes of the GIF file, valid for the lifetime of the process.
    public let bytes: UnsafeRawBufferPointer

    init(_ sample: gifplay_sample) {
        name = String(cString: sample.name)
        title = String(cString: sample.title)
        tags = String(cString: sample.tags).split(separator: " ").map(String.init)
        bytes = UnsafeRawBufferPointer(start: sample.bytes, count: sample.count)
    }

    /// All built-in samples; the dancing cat is the first.
    public static let all: [Sample] = (0..<gifplay_sample_count).map { Sample(gifplay_sample_at($0).pointee) }
}

// The conformance to `Sendable` is safe, because `bytes` points to constants of the binary.
extension Sample: @unchecked Sendable {}
