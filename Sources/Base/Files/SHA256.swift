private import CMd

/// A SHA-256 digest of bytes that arrive in pieces, computed by libmd. A copy continues independently.
public struct SHA256: Sendable {
    public static let digestLength = 32
    private var context = SHA2_CTX()

    public init() { SHA256Init(&context) }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        SHA256Update(&context, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    }

    /// The 32 bytes of the digest of all bytes so far. More bytes may follow.
    public func digest() -> [UInt8] {
        var context = context
        return [UInt8](unsafeUninitializedCapacity: Self.digestLength) { buffer, count in
            SHA256Final(buffer.baseAddress, &context)
            count = Self.digestLength
        }
    }
}
