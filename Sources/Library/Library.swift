import Base
import Catalog

/// Stores favourites, history, dismissals and listings in one SQLite file that several processes can share.
///
/// A call that writes returns only after SQLite has synchronized the write-ahead log to the disk, so the write survives
/// the end of the process, and even a power failure if the disk honours synchronization. A process performs one write
/// at a time, and can read during the write. A write waits for the writes of other processes.
public final class Library: Sendable {
    /// Favourites and dismissals have no limit.
    public struct Bounds: Sendable {
        /// The listing whose first page was stored longest ago is deleted first.
        public var listings = 500
        /// The maximum of all listings together.
        public var entries = 20_000
        /// A longer first page is truncated. A further page that would exceed this number is not stored.
        public var entriesPerListing = 2_000
        /// The GIFs viewed longest ago are removed first, and no longer count as viewed.
        public var history = 20_000
        /// How many of the newest favourites, and of the last viewed GIFs, the gallery shows.
        public var shown = 2_000

        public init() {}
    }

    public struct Options: Sendable {
        /// Whether to store listings, searches and views. Favourites and dismissals are always stored.
        public var keepsHistory = true
        /// The parameters of a listing apart from the query, such as rating and language, joined to one text. The
        /// library reads only listings that were stored with the same text.
        public var variant = ""
        /// The only source of the GIFs that a query finds among those of other listings; nil for all.
        public var source: String?
        public var bounds = Bounds()
        /// The maximum number of seconds that a call waits while another process writes. After this time, the call
        /// throws ``Failure/locked(path:)``. A write normally takes milliseconds.
        public var lockSeconds: Double

        public init(keepsHistory: Bool = true, variant: String = "", lockSeconds: Double = 20) {
            (self.keepsHistory, self.variant, self.lockSeconds) = (keepsHistory, variant, lockSeconds)
        }
    }

    public let path: String
    let options: Options
    /// The connection for all writes. SQLite serializes writes anyway.
    let writer: ConnectionActor
    /// Reads do not wait for a write.
    private let reader: ConnectionActor
    let session = SessionAddresses()

    /// Opens and migrates the library. Creates its directory (mode 0700) and its file (mode 0600) if they are missing.
    ///
    /// Blocks for at most ``Options/lockSeconds`` while another process opens the library.
    public init(path: String, options: Options = Options()) throws(Failure) {
        self.path = path
        self.options = options
        (writer, reader) = try LibraryOpener.connections(path, lockSeconds: options.lockSeconds)
    }

    /// gifplay/library.sqlite under XDG_DATA_HOME or ~/.local/share; nil if neither XDG_DATA_HOME nor HOME is set.
    public static func path(environment: [String: String]) -> String? {
        XDGDirectory.data.path(environment: environment).map { $0 + "/gifplay/library.sqlite" }
    }

    /// Reads from one snapshot of the database.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws(Failure) -> Value {
        try await perform(on: reader) { db in try db.transaction(isDeferred: true) { try body(db) } }
    }

    /// Writes in one transaction, which a cancelled task does not commit.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws(Failure) -> Value {
        try await perform(on: writer) { [path] db in
            let value = try db.transaction {
                let value = try body(db)
                try Task.checkCancellation()
                return value
            }
            guard !db.hasMoved else {
                throw Failure.cannotOpen(path: path, reason: "the file was deleted or moved while it was in use")
            }
            return value
        }
    }

    private func perform<Value: Sendable>(
        on connection: ConnectionActor, _ body: @Sendable (Connection) throws -> Value
    ) async throws(Failure) -> Value {
        do { return try await connection.perform(body) } catch { throw .library(path, error) }
    }
}

/// Settings that gifplay changes itself, such as a layout. Their table is created with the first one, so that versions
/// without settings can still open the file.
extension Library {
    /// Reads a setting without opening the whole library, because the first screen waits for it.
    /// - Returns: nil if it is not stored or cannot be read.
    public static func setting(_ name: String, path: String) -> Int? {
        guard let status = try? FileSystem.status(path), FileSystem.irregularKind(status.st_mode) == nil,
            let db = try? Connection(path: path, isReadOnly: true)
        else { return nil }
        return try? db.value("SELECT value FROM setting WHERE name = ?", [name])
    }

    public func set(_ name: String, to value: Int) async throws(Failure) {
        try await write { db in
            try db.execute(
                """
                CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID
                """)
            try db.run(
                "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [name, value])
        }
    }
}

/// Clearing also overwrites the deleted data in the file, for privacy.
extension Library {
    /// Deletes the history, searches and listings. If `all` is true, also deletes favourites and dismissals.
    /// - Returns: whether the data is gone from the disk. Otherwise the write-ahead log contains it until the process that
    ///   uses the log ends, or until the next clearing.
    public func clear(all: Bool) async throws(Failure) -> Bool {
        try await write { db in
            try db.execute("DELETE FROM listing")
            if all {
                try db.execute("DELETE FROM mark")
            } else {
                try db.execute("UPDATE mark SET viewed = NULL, views = 0 WHERE viewed IS NOT NULL")
            }
        }
        return try await perform(on: writer) { db in
            // The option secure_delete has already overwritten the rows. VACUUM rewrites the whole file.
            try db.execute("VACUUM")
            return try db.truncateLog()
        }
    }
}

/// Keeps the file addresses that a source forbids to store in memory, so that this run can play its favourites.
final class SessionAddresses: Sendable {
    private let limit: Int
    private let known = Monitor<(renditions: [GIFKey: [Rendition]], order: [GIFKey])>(([:], []))

    init(limit: Int = 2_000) { self.limit = limit }

    /// Keeps the addresses of at most `limit` GIFs; the oldest are discarded first.
    func record(_ references: [GIFReference]) {
        known.withLock { known in
            for reference in references where reference.cachePolicy == .sessionOnly && !reference.renditions.isEmpty {
                if known.renditions.updateValue(reference.renditions, forKey: reference.key) == nil {
                    known.order.append(reference.key)
                }
            }
            let surplus = max(0, known.order.count - limit)
            for key in known.order.prefix(surplus) { known.renditions[key] = nil }
            known.order.removeFirst(surplus)
        }
    }

    /// Adds the addresses that are known in this run if the library stored the reference without them.
    func addingAddresses(to reference: GIFReference) -> GIFReference {
        guard reference.cachePolicy == .sessionOnly else { return reference }
        var filled = reference
        filled.renditions = known.withLock { $0.renditions[reference.key] } ?? []
        return filled
    }
}
