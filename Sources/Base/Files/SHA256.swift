private import CCrypto

/// A SHA-256 digest of bytes that arrive in pieces, computed by OpenSSL. A copy continues independently.
public struct SHA256: Sendable {
    public static let digestLength = 32
    private var context = SHA256_CTX()

    public init() { SHA256_Init(&context) }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        SHA256_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// The 32 bytes of the digest of all bytes so far. More bytes may follow.
    public func digest() -> [UInt8] {
        var context = context
        return [UInt8](unsafeUninitializedCapacity: Self.digestLength) { buffer, count in
            SHA256_Final(buffer.baseAddress, &context)
            count = Self.digestLength
        }
    }
}
