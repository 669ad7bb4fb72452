import Base
import Catalog
import Foundation
import GRDB
import Gallery

/// What is remembered, in one SQLite file that several gifplays may share.
///
/// A call that wrote returns when SQLite has synchronized the log: what it wrote survives the process, and the loss of
/// power as far as the disk tells the truth. In a process one writes at a time, readers beside it; other processes are
/// waited for.
public final class Library: Sendable {
    /// How much is kept. Favourites and what was dismissed have no bound.
    public struct Bounds: Sendable {
        /// Listings; those whose first page is oldest go first.
        public var listings = 500
        /// Entries of all listings together.
        public var entries = 20_000
        /// Entries of one listing; a page beyond is not kept.
        public var entriesPerListing = 2_000
        /// GIFs in the history; those viewed longest ago are forgotten, and unread again.
        public var history = 20_000
        /// GIFs that the gallery shows of favourites and of history, newest first.
        public var shown = 2_000

        public init() {}
    }

    /// How the library is used by this run.
    public struct Options: Sendable {
        /// Whether listings, searches and views are written. Favourites and what is dismissed always are.
        public var keepsHistory = true
        /// What listings were asked with besides their words, such as rating and language: those of another stay away.
        public var variant = ""
        public var bounds = Bounds()

        public init(keepsHistory: Bool = true, variant: String = "") {
            self.keepsHistory = keepsHistory
            self.variant = variant
        }
    }

    /// The database's file.
    public let path: String
    let options: Options
    let pool: DatabasePool
    let session = SessionAddresses()

    /// Opens the library, making its directory (mode 0700) and its file (mode 0600), and migrates it.
    ///
    /// Waits for other processes that open it; not for a thread that must not wait.
    public init(path: String, options: Options = Options()) throws(StoreError) {
        self.path = path
        self.options = options
        pool = try Opening.pool(path)
    }

    /// The library's default path: gifplay/library.sqlite under XDG_DATA_HOME or ~/.local/share.
    /// - Returns: nil if the environment sets neither XDG_DATA_HOME nor HOME.
    public static func path(environment: [String: String]) -> String? {
        XDGDirectory.data.path(environment: environment).map { $0 + "/gifplay/library.sqlite" }
    }

    /// Reads in one moment of the database.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do { return try await pool.read(body) } catch { throw StoreError(using: path, error) }
    }

    /// Writes all of it or nothing.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do { return try await pool.write(body) } catch { throw StoreError(using: path, error) }
    }
}
