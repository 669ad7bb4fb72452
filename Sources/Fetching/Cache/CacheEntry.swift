import Base
import Crypto

/// The file format of a media cache entry: a header of 48 bytes, then the GIF. The fields of the header, each with its
/// offset and its length in bytes:
///
///     0   8  "GIFPLAY", then a byte with the format version, 1
///     8   8  length of the content in bytes, little-endian
///     16  32 SHA-256 of the content
enum CacheEntry {
    /// The length of the header in bytes.
    static let headerLength = 48
    private static let magic = Array("GIFPLAY".utf8) + [1]

    /// Returns the header for content of `length` bytes with this SHA-256 digest.
    static func header(length: Int, digest: SHA256Digest) -> [UInt8] {
        magic + (0..<8).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } + Array(digest)
    }

    /// - Parameter file: the bytes of a complete entry.
    /// - Returns: the content; nil if any byte of the content or the header has changed since the entry was written.
    static func content(of file: [UInt8]) -> [UInt8]? {
        guard file.count >= headerLength else { return nil }
        let content = file[headerLength...]
        var digest = SHA256()
        content.withUnsafeBytes { digest.update(bufferPointer: $0) }
        let expected = header(length: content.count, digest: digest.finalize())
        return file.starts(with: expected) ? Array(content) : nil
    }

    /// Returns the file name of the entry for a URL. The name is a digest, because a URL can contain a key.
    static func name(url: String) -> String {
        SHA256.hash(data: Array(url.utf8)).hexadecimal
    }

    /// Whether a file name has the form of an entry's name: 64 lower-case hexadecimal digits.
    static func isName(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
