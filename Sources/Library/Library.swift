import Base
import Catalog
import Foundation
import GRDB
import Gallery

/// The stored favourites, history, dismissals and listings: one SQLite file that several processes can share.
///
/// A call that writes returns after SQLite has synchronized the write-ahead log. The write survives the end of the
/// process, and a power failure if the disk honours synchronization. Within a process there is one write at a time,
/// concurrent with reads; a write waits for the writes of other processes.
public final class Library: Sendable {
    /// The limits of what is stored. Favourites and dismissals have no limit.
    public struct Bounds: Sendable {
        /// Maximum number of listings; those with the oldest first page are deleted first.
        public var listings = 500
        /// Maximum number of entries of all listings together.
        public var entries = 20_000
        /// Maximum number of entries of one listing; a first page is cut to it, a further page beyond it is not stored.
        public var entriesPerListing = 2_000
        /// Maximum number of GIFs in the history; those viewed longest ago are removed and no longer count as viewed.
        public var history = 20_000
        /// Maximum number of GIFs that the gallery shows of favourites and of history each, newest first.
        public var shown = 2_000

        public init() {}
    }

    /// Options of one run.
    public struct Options: Sendable {
        /// Whether listings, searches and views are stored. Favourites and dismissals are always stored.
        public var keepsHistory = true
        /// Parameters of listings other than the query, such as rating and language. Only listings of the same variant
        /// are read.
        public var variant = ""
        public var bounds = Bounds()

        public init(keepsHistory: Bool = true, variant: String = "") {
            self.keepsHistory = keepsHistory
            self.variant = variant
        }
    }

    /// The path of the database file.
    public let path: String
    let options: Options
    let pool: DatabasePool
    let session = SessionAddresses()

    /// Opens and migrates the library. Creates its directory (mode 0700) and its file (mode 0600) if they are missing.
    ///
    /// Blocks while another process opens the library; do not call it on a thread that must not block.
    public init(path: String, options: Options = Options()) throws(StoreError) {
        self.path = path
        self.options = options
        pool = try LibraryOpener.pool(path)
    }

    /// The library's default path: gifplay/library.sqlite under XDG_DATA_HOME or ~/.local/share.
    /// - Returns: nil if the environment sets neither XDG_DATA_HOME nor HOME.
    public static func path(environment: [String: String]) -> String? {
        XDGDirectory.data.path(environment: environment).map { $0 + "/gifplay/library.sqlite" }
    }

    /// Reads from one snapshot of the database.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do { return try await pool.read(body) } catch { throw StoreError(using: path, error) }
    }

    /// Writes in one transaction.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do { return try await pool.write(body) } catch { throw StoreError(using: path, error) }
    }
}
