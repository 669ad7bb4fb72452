import Base
import Catalog
import Glibc

/// Opens the database: first inspects the file, then creates or migrates the tables.
enum LibraryOpener {
    /// - Parameter lockSeconds: the maximum number of seconds to wait for another process to finish writing.
    static func connections(
        _ path: String, lockSeconds: Double
    ) throws(Failure) -> (writer: ConnectionActor, reader: ConnectionActor) {
        try createFile(path)
        return try locked(path, seconds: lockSeconds) { () throws(Failure) in
            do {
                let writer = try writer(path, lockSeconds)
                let reader = try connection(path, lockSeconds)
                try reader.execute("PRAGMA query_only = ON")
                guard let writer = ConnectionActor(writer), let reader = ConnectionActor(reader) else {
                    throw Failure.cannotOpen(path: path, reason: DetachedThread.failure)
                }
                return (writer, reader)
            } catch {
                throw Failure.library(path, isOpening: true, error)
            }
        }
    }

    private static func writer(_ path: String, _ lockSeconds: Double) throws -> Connection {
        let db = try connection(path, lockSeconds)
        // Inspect the file before anything is written to it.
        _ = try db.transaction(isDeferred: true) { try Schema.version(db, path) }
        guard try db.value("PRAGMA journal_mode = WAL") == "wal" else {
            throw Failure.cannotOpen(path: path, reason: "could not activate WAL Mode at path: \(path)")
        }
        // With the value NORMAL, a power failure can undo the last writes.
        try db.execute("PRAGMA synchronous = FULL")
        try db.migrate(Schema.migrations) { try Schema.version(db, path) }
        return db
    }

    private static func connection(_ path: String, _ lockSeconds: Double) throws -> Connection {
        let db = try Connection(path: path, lockSeconds: lockSeconds)
        // Overwrite deleted data. Store temporary data in memory and not in files.
        try db.execute(
            """
            PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;
            PRAGMA trusted_schema = OFF
            """)
        return db
    }
}

/// Creates the library so that only its owner can read it, and locks its directory while a process opens it.
extension LibraryOpener {
    /// Creates the missing directories of the path (mode 0700) and the file (mode 0600).
    ///
    /// SQLite must not create the file, because the umask would then determine its mode, which the files that SQLite
    /// adds later get too. Restricts an existing file or directory that other users can access, but neither the target
    /// of a symbolic link nor a directory with the sticky bit, because others might use them too.
    static func createFile(_ path: String) throws(Failure) {
        let folder = FileSystem.parent(of: path)
        do throws(Failure) { try FileSystem.makeDirectory(folder) } catch {
            throw .cannotOpen(path: path, reason: error.message)
        }
        try restrict(folder, to: 0o700, for: path)
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotOpen(path: path, reason: Failure.systemMessage()) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .cannotOpen(path: path, reason: Failure.systemMessage()) }
        try checkKind(status, of: path)
        try restrict(path, to: 0o600, for: path)
    }

    /// Throws if the library is not a regular file. SQLite would wait forever for the data of a FIFO.
    static func checkKind(_ status: stat, of path: String) throws(Failure) {
        guard let kind = FileSystem.irregularKind(status.st_mode) else { return }
        throw .cannotOpen(path: path, reason: "it is \(kind), not a regular file")
    }

    /// If other users can access `item`, a file or directory, leaves of its permissions only those in `mode`.
    /// - Throws: if `item` belongs to another user, because that user could replace it with anything.
    private static func restrict(_ item: String, to mode: mode_t, for path: String) throws(Failure) {
        var status = stat()
        guard lstat(item, &status) == 0, status.st_uid == geteuid() else {
            throw .cannotOpen(path: path, reason: "\(item) belongs to another user")
        }
        // A directory with the sticky bit is shared intentionally, so do not change its permissions.
        guard status.st_mode & S_IFMT != S_IFLNK, status.st_mode & S_ISVTX == 0, status.st_mode & 0o077 != 0 else {
            return
        }
        let descriptor = open(item, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        fchmod(descriptor, mode & status.st_mode)
        close(descriptor)
    }

    /// Runs `body` with an exclusive lock on the directory. Without it, two processes that find the same missing
    /// migration would both run it. If a process dies, the kernel releases its lock. On a file system that does not
    /// support locks, `body` runs without a lock.
    /// - Parameter seconds: the longest wait. After this time, ``Failure/locked(path:)`` is thrown.
    static func locked<Value>(
        _ path: String, seconds: Double, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let directory = open(FileSystem.parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        let end = Instant.monotonic + Int64(seconds * Double(Span.second))
        // A wait in flock would have no timeout, and a thread that waits in it cannot be ended.
        while directory >= 0, flock(directory, LOCK_EX | LOCK_NB) != 0, [EINTR, EWOULDBLOCK].contains(errno) {
            guard .monotonic < end else { throw .locked(path: path) }
            poll(nil, 0, 20)
        }
        return try body()
    }
}

/// The size, schema, contents and problems of a library file, for diagnostics.
public struct LibraryHealth: Equatable, Sendable {
    /// In bytes, without the write-ahead log.
    public var bytes = 0
    /// The number of migrations that were applied to the file, and the number that this program knows.
    public var (schema, newestSchema) = (0, 0)
    public var (favourites, viewed, dismissed) = (0, 0, 0)
    /// The problems that SQLite's integrity check found; empty if there is none.
    public var problems: [String] = []

    public static var sqliteVersion: String { Connection.sqliteVersion }

    /// Reads and checks the library without changing it. This takes time in proportion to the size of the library.
    /// - Returns: nil if the file does not exist.
    public init?(path: String) throws(Failure) {
        let found: stat?
        do throws(Failure) { found = try FileSystem.status(path) } catch {
            throw .cannotOpen(path: path, reason: error.message)
        }
        guard let status = found else { return nil }
        try LibraryOpener.checkKind(status, of: path)
        bytes = Int(status.st_size)
        do {
            let db = try Connection(path: path, isReadOnly: true, lockSeconds: 2)
            try db.transaction(isDeferred: true) { try check(db, path) }
        } catch {
            throw .library(path, isOpening: true, error)
        }
    }

    private mutating func check(_ db: Connection, _ path: String) throws {
        schema = try Schema.version(db, path)
        guard schema > 0 else { return }
        newestSchema = Schema.migrations.count
        problems = try db.rows("PRAGMA integrity_check(10)") { row in row[0] }.filter { $0 != "ok" }
        let broken = try db.rows("PRAGMA foreign_key_check") { _ in true }.count
        if broken > 0 { problems.append("\(broken) references to missing rows") }
        let counts = try db.first("SELECT count(favourite), count(viewed), count(dismissed) FROM mark") { row in
            (row[0] ?? 0, row[1] ?? 0, row[2] ?? 0)
        }
        (favourites, viewed, dismissed) = counts ?? (0, 0, 0)
    }
}

/// The schema as a list of migrations. A released migration is never changed.
///
/// SQLite's `user_version` is the number of applied migrations. Versions before 1.0 stored the names of the migrations
/// in a table instead. That table is kept, so that such a version can still use the file. The next migration must
/// delete it, so that such a version does not write to a schema that it does not know.
///
/// Tests/LibraryTests/Schemas contains a database of each schema version, as SQL text.
enum Schema {
    /// "gifp" in ASCII.
    private static let applicationID = 0x6769_6670

    static let migrations = [
        "PRAGMA application_id = \(applicationID);" + tables + triggers,
        // Adds the columns for community posts. `createdAt` (seconds since 1970) replaces `created` (a day).
        additions,
    ]

    /// The names of the first migrations in the table of versions before 1.0.
    private static let names = ["v1 works, marks, listings", "v2 comments, community, second of creation"]

    /// Returns the number of migrations that the file has; 0 for an empty file.
    /// - Throws: if the file belongs to another program or to a newer version of gifplay.
    static func version(_ db: Connection, _ path: String) throws -> Int {
        let count = try db.value("SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE '%grdb_%'") ?? 0
        let named: [String] =
            if try db.value("SELECT 1 FROM sqlite_schema WHERE name = 'grdb_migrations'") == 1 {
                try db.rows("SELECT identifier FROM grdb_migrations") { row in row[0] }
            } else { [] }
        guard try db.value("PRAGMA application_id") == applicationID else {
            // Accept a file without tables of its own: a process died before the first migration.
            guard count == 0, named.isEmpty else {
                throw Failure.damaged(path: path, reason: "it is the database of another program")
            }
            return 0
        }
        let version = try db.userVersion
        guard version <= migrations.count, Set(names).isSuperset(of: named) else { throw Failure.tooNew(path: path) }
        return max(version, named.count)
    }

    /// The tables of version 1. A work is a GIF with the metadata from its source. A `sessionOnly` work is stored
    /// without file addresses. A mark holds the times when a GIF became a favourite, was last viewed, and was
    /// dismissed. A listing is the result of a feed or a search, with its entries in order.
    private static let tables = """
        CREATE TABLE work (
            id INTEGER PRIMARY KEY,
            provider TEXT NOT NULL,
            name TEXT NOT NULL,
            title TEXT NOT NULL,
            page TEXT,
            author TEXT,
            licence TEXT,
            licencePage TEXT,
            attribution TEXT NOT NULL,
            policy TEXT NOT NULL CHECK (policy IN ('persistent', 'sessionOnly', 'embedded')),
            rating TEXT,
            tags TEXT NOT NULL,
            created TEXT,
            renditions TEXT NOT NULL,
            UNIQUE (provider, name),
            CHECK (policy <> 'sessionOnly' OR renditions = '[]')
        ) STRICT;

        CREATE TABLE mark (
            work INTEGER PRIMARY KEY REFERENCES work (id),
            favourite INTEGER,
            viewed INTEGER,
            views INTEGER NOT NULL DEFAULT 0,
            dismissed INTEGER
        ) STRICT;
        CREATE INDEX markByFavourite ON mark (favourite) WHERE favourite IS NOT NULL;
        CREATE INDEX markByViewed ON mark (viewed) WHERE viewed IS NOT NULL;
        CREATE INDEX markByDismissed ON mark (dismissed) WHERE dismissed IS NOT NULL;

        CREATE TABLE listing (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            word TEXT NOT NULL,
            variant TEXT NOT NULL,
            kept INTEGER NOT NULL,
            total INTEGER,
            next TEXT,
            UNIQUE (kind, word, variant)
        ) STRICT;
        CREATE INDEX listingByKept ON listing (kept);

        CREATE TABLE entry (
            listing INTEGER NOT NULL REFERENCES listing (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            work INTEGER NOT NULL REFERENCES work (id),
            PRIMARY KEY (listing, position),
            UNIQUE (work, listing)
        ) STRICT, WITHOUT ROWID;
        """

    /// The triggers delete a work without entry and mark, and a mark whose times are all NULL.
    private static let triggers = """
        CREATE TRIGGER entryGone AFTER DELETE ON entry BEGIN
            DELETE FROM work WHERE id = OLD.work
                AND NOT EXISTS (SELECT 1 FROM entry WHERE work = OLD.work)
                AND NOT EXISTS (SELECT 1 FROM mark WHERE work = OLD.work);
        END;
        CREATE TRIGGER markGone AFTER DELETE ON mark BEGIN
            DELETE FROM work WHERE id = OLD.work
                AND NOT EXISTS (SELECT 1 FROM entry WHERE work = OLD.work);
        END;
        CREATE TRIGGER markEmpty AFTER UPDATE ON mark
            WHEN NEW.favourite IS NULL AND NEW.viewed IS NULL AND NEW.dismissed IS NULL BEGIN
            DELETE FROM mark WHERE work = NEW.work;
        END;
        """

    private static let additions = """
        ALTER TABLE work ADD COLUMN community TEXT;
        ALTER TABLE work ADD COLUMN comments INTEGER;
        ALTER TABLE work ADD COLUMN createdAt INTEGER;
        UPDATE work SET createdAt = CAST(strftime('%s', created) AS INTEGER) WHERE created IS NOT NULL;
        ALTER TABLE work DROP COLUMN created;
        """
}
