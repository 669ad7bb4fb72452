/// A store of complete GIFs by URL.
public protocol MediaStore: AnyObject, Sendable {
    /// Returns the stored GIF for a URL; nil if there is none.
    func read(_ url: String) -> [UInt8]?

    /// Returns a writer for a new entry, which is not visible before its commit.
    func writer(for url: String) throws(FetchError) -> any MediaStoreWriter
}

/// An entry that is being written. Releasing it before its commit discards the entry.
public protocol MediaStoreWriter: AnyObject, Sendable {
    /// Appends bytes to the entry. An error discards the entry.
    func append(_ bytes: UnsafeRawBufferPointer) throws(FetchError)

    /// Makes the entry visible and replaces an older one for the URL. If it fails, the older entry stays.
    func commit() throws(FetchError)
}
