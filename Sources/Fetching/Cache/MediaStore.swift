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

extension MediaStore {
    /// Keeps a GIF in place of what was kept for the URL.
    /// - Throws: what the store's writer throws; what was there stays then.
    public func store(_ content: [UInt8], for url: String) throws(FetchError) {
        let writer = try writer(for: url)
        // Typed throws do not pass through withUnsafeBytes, so the error is carried out by hand.
        let failure: FetchError? = content.withUnsafeBytes { bytes in
            do throws(FetchError) {
                try writer.append(bytes)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
        try writer.commit()
    }
}
