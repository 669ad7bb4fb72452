import CSamples

/// A GIF that the binary carries.
public struct Sample {
    /// The file's stem: `dancing-cat`.
    public let name: String
    public let title: String
    /// Lower case.
    public let tags: [String]
    /// The GIF itself, for as long as the process runs.
    public let bytes: UnsafeRawBufferPointer

    init(_ sample: gifplay_sample) {
        name = String(cString: sample.name)
        title = String(cString: sample.title)
        tags = String(cString: sample.tags).split(separator: " ").map(String.init)
        bytes = UnsafeRawBufferPointer(start: sample.bytes, count: sample.count)
    }

    /// All of them, the dancing cat first.
    public static let all: [Sample] = (0..<gifplay_sample_count).map { Sample(gifplay_sample_at($0).pointee) }
}

// The bytes are constants of the binary.
extension Sample: @unchecked Sendable {}
