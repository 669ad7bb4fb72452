import Base

/// The part of a file that a running download has received.
public struct LoadProgress: Hashable, Sendable {
    /// In bytes.
    public var received: Int
    /// The size of the file in bytes; nil if the server did not report it.
    public var expected: Int?

    public init(received: Int, expected: Int?) { (self.received, self.expected) = (received, expected) }
}

/// A report about a running download.
public struct PartialFile: Sendable {
    public var progress: LoadProgress
    /// The bytes received so far; nil if they have grown little since the last report.
    public var bytes: [UInt8]?

    public init(_ progress: LoadProgress, bytes: [UInt8]? = nil) { (self.progress, self.bytes) = (progress, bytes) }
}

extension Language {
    public func bytes(_ count: Int) -> String { ByteSize.file(count, decimalMark: self(en: ".", de: ",")) }

    /// Returns a text such as "87 kB of 278 kB".
    public func amount(_ progress: LoadProgress) -> String {
        let received = bytes(progress.received)
        guard let expected = progress.expected.map(bytes) else { return received }
        return self(en: "\(received) of \(expected)", de: "\(received) von \(expected)")
    }
}
