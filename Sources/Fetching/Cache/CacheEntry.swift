import Base
import Crypto

/// How an entry of the media cache lies on disk: a header of 48 bytes, then the GIF.
///
///     0   8  "GIFPLAY" and the version, 1
///     8   8  length of the content in bytes, little-endian
///     16  32 SHA-256 of the content
enum CacheEntry {
    /// In bytes.
    static let headerLength = 48
    private static let magic = Array("GIFPLAY".utf8) + [1]

    /// What stands before the content.
    static func header(length: Int, digest: SHA256Digest) -> [UInt8] {
        magic + (0..<8).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } + Array(digest)
    }

    /// - Parameter file: a whole entry.
    /// - Returns: the content; nil when a byte of it or of the header is not as it was written.
    static func content(of file: [UInt8]) -> [UInt8]? {
        guard file.count >= headerLength else { return nil }
        let content = file[headerLength...]
        var digest = SHA256()
        content.withUnsafeBytes { digest.update(bufferPointer: $0) }
        let expected = header(length: content.count, digest: digest.finalize())
        return file.starts(with: expected) ? Array(content) : nil
    }

    /// The entry's file name: a digest, so that no key of a URL stands in a directory.
    static func name(url: String) -> String {
        SHA256.hash(data: Array(url.utf8)).hexadecimal
    }

    /// Whether a file of the directory is an entry, by its name.
    static func isName(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
