/// A store of complete GIFs, with the URL as the key.
public protocol MediaStore: AnyObject, Sendable {
    /// Returns the stored GIF for a URL; nil if there is none.
    func read(_ url: String) -> [UInt8]?

    /// Returns a writer for a new entry. The entry becomes visible when the writer commits it.
    func writer(for url: String) throws(FetchError) -> any MediaStoreWriter
}

/// Writes one entry. If the writer is deallocated before its commit, the entry is discarded.
public protocol MediaStoreWriter: AnyObject, Sendable {
    /// Appends bytes to the entry. After an error, the entry is incomplete and must not be committed.
    func append(_ bytes: UnsafeRawBufferPointer) throws(FetchError)

    /// Makes the entry visible in place of an older entry for the same URL, which stays if this fails.
    func commit() throws(FetchError)
}
