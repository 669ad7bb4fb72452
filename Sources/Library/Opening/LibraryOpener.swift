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

    /// If other users can access `item`, a file or directory, changes its permissions to `mode`.
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
        fchmod(descriptor, mode)
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
