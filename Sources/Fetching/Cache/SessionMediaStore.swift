import Base

/// Stores GIFs in memory, for services that forbid longer storage, and if the media cache cannot be opened.
public final class SessionMediaStore: MediaStore {
    private struct Entry {
        var content: [UInt8]
        /// The sequence number of the latest use.
        var used: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var bytes = 0
        var uses = 0
    }

    private let limit: Int
    private let state = Monitor(State())

    /// - Parameter limit: in bytes. Above it, the least recently used GIFs are removed first.
    public init(limit: Int = 32 << 20) { self.limit = limit }

    public func read(_ url: String) -> [UInt8]? {
        state.withLock { state in
            state.uses += 1
            state.entries[url]?.used = state.uses
            return state.entries[url]?.content
        }
    }

    public func writer(for url: String) -> any MediaStoreWriter { SessionMediaWriter(self, url: url, limit: limit) }

    fileprivate func insert(_ content: [UInt8], for url: String) {
        state.withLock { state in
            state.uses += 1
            state.bytes += content.count - (state.entries[url]?.content.count ?? 0)
            state.entries[url] = Entry(content: content, used: state.uses)
            while state.bytes > limit, let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) {
                state.bytes -= oldest.value.content.count
                state.entries[oldest.key] = nil
            }
        }
    }
}

private final class SessionMediaWriter: MediaStoreWriter {
    private let store: SessionMediaStore
    private let url: String
    private let limit: Int
    private let content = Monitor<[UInt8]>([])

    init(_ store: SessionMediaStore, url: String, limit: Int) {
        self.store = store
        self.url = url
        self.limit = limit
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(FetchError) {
        let fits = content.withLock { content in
            guard content.count + bytes.count <= limit else { return false }
            content.append(contentsOf: bytes)
            return true
        }
        if !fits { throw .tooLargeForCache(limit: limit) }
    }

    func commit() { store.insert(content.withLock { $0 }, for: url) }
}
