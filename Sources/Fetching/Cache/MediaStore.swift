/// Where whole GIFs are kept by URL.
public protocol MediaStore: AnyObject, Sendable {
    /// The GIF that was kept for a URL; nil when there is none.
    func read(_ url: String) -> [UInt8]?

    /// A new entry for the URL, to be written piece by piece; nobody sees it before its commit.
    func writer(for url: String) throws(FetchError) -> any MediaStoreWriter
}

/// An entry that is being written. Dropped before its commit, it leaves nothing behind.
public protocol MediaStoreWriter: AnyObject, Sendable {
    /// After an error the entry is given up.
    func append(_ bytes: UnsafeRawBufferPointer) throws(FetchError)

    /// Makes the entry visible, in place of an older one. What was there stays when it fails.
    func commit() throws(FetchError)
}
