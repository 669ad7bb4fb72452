import Base
import CSQLite
import Glibc

/// A connection to a database file. One thread at a time can use it; ``ConnectionActor`` shares it between tasks.
public final class Connection {
    public static var sqliteVersion: String { String(cString: sqlite3_libversion()) }

    private let handle: OpaquePointer
    /// Prepared statements that do not run, by their SQL. A program has a fixed number, so there is no limit.
    private var statements: [String: Statement] = [:]

    /// Creates the file if it is missing, unless `isReadOnly` is true.
    /// - Parameter lockSeconds: the longest wait for the lock of another connection, before the code `SQLITE_BUSY`.
    public init(path: String, isReadOnly: Bool = false, lockSeconds: Double = 0) throws(Failure) {
        let flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard result == SQLITE_OK, let opened else {
            let error = Failure(sqlite: result, of: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        try check(sqlite3_busy_timeout(handle, Int32(min(max(lockSeconds * 1_000, 0), Double(Int32.max)))))
    }

    deinit {
        statements = [:]
        // Version 2 of this call cannot fail. A connection that is the last one of its file empties the log first.
        sqlite3_close_v2(handle)
    }

    /// Runs one or more statements that have no arguments.
    public func execute(_ sql: String) throws(Failure) { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    /// Runs one statement with arguments. Ignores its rows.
    public func run(_ sql: String, _ arguments: [(any ColumnValue)?]) throws { try run(sql, arguments) { _ in true } }

    /// Returns the results of `body`, without those that are nil.
    public func rows<Value>(
        _ sql: String, _ arguments: [(any ColumnValue)?] = [], _ body: (borrowing Row) throws -> Value?
    ) throws -> [Value] {
        var values: [Value] = []
        try run(sql, arguments) { row in
            if let value = try body(row) { values.append(value) }
            return true
        }
        return values
    }

    /// Returns the result of `body` for the first row; nil if there is no row.
    public func first<Value>(
        _ sql: String, _ arguments: [(any ColumnValue)?] = [], _ body: (borrowing Row) throws -> Value?
    ) throws -> Value? {
        var value: Value?
        try run(sql, arguments) { row in
            value = try body(row)
            return false
        }
        return value
    }

    /// Returns the first column of the first row; nil if there is no row, or if the column is NULL or has another type.
    public func value<Value: ColumnValue>(_ sql: String, _ arguments: [(any ColumnValue)?] = []) throws -> Value? {
        try first(sql, arguments) { row in row[0] }
    }

    private func run(
        _ sql: String, _ arguments: [(any ColumnValue)?], _ body: (borrowing Row) throws -> Bool
    ) throws {
        // A running statement is not in the dictionary, so `body` can run the same SQL.
        let statement = try statements.removeValue(forKey: sql) ?? Statement(sql, handle)
        defer { statements[sql] = statement }
        try statement.run(arguments, body)
    }

    /// Runs `body` in a transaction, and rolls it back if an error is thrown. A transaction inside another one fails.
    /// - Parameter isDeferred: whether to take a snapshot at the first read. Otherwise, waits for the write lock at the
    ///   beginning, so that no other connection can write before the end.
    public func transaction<Value>(isDeferred: Bool = false, _ body: () throws -> Value) throws -> Value {
        try execute(isDeferred ? "BEGIN DEFERRED" : "BEGIN IMMEDIATE")
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // After some errors, such as a full disk, SQLite has already rolled the transaction back.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// The number of migrations that the file has, which SQLite stores in its header.
    public var userVersion: Int { get throws { try value("PRAGMA user_version") ?? 0 } }

    /// Runs the missing migrations, in one transaction with the new ``userVersion``.
    /// - Parameter version: also called in the transaction, because another process can migrate the file before it.
    public func migrate(_ migrations: [String], version: () throws -> Int) throws {
        guard try userVersion < migrations.count else { return }
        try transaction {
            for sql in migrations.dropFirst(try version()) { try execute(sql) }
            try execute("PRAGMA user_version = \(migrations.count)")
        }
    }

    /// Copies the write-ahead log into the database file and truncates the log.
    /// - Returns: false if another connection uses the log.
    public func truncateLog() throws(Failure) -> Bool {
        let result = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        if result & 0xFF == SQLITE_BUSY { return false }
        try check(result)
        return true
    }

    /// Whether the file was deleted, moved or replaced since it was opened, so that a write to it is lost.
    public var hasMoved: Bool {
        var moved: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    private func check(_ result: Int32) throws(Failure) {
        guard result == SQLITE_OK else { throw Failure(sqlite: result, of: handle) }
    }
}

extension Failure {
    /// An error of SQLite. It never contains the SQL text or its arguments, which can be search terms of the user.
    /// - Parameter message: SQLite's own description, such as "database or disk is full".
    static func sqlite(_ code: Int32, _ message: String) -> Failure { Failure(.database(code: code), message) }

    /// Must be created directly after the failed call, because the next call on the same connection replaces the text.
    init(sqlite code: Int32, of connection: OpaquePointer?) {
        let text = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
        // For an error of the system, SQLite's own text does not tell a missing right from a lack of descriptors.
        let isOfSystem = [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xFF)
        let number = isOfSystem ? connection.map { sqlite3_system_errno($0) } ?? 0 : 0
        self = .sqlite(code, number == 0 ? text : "\(text): \(Self.systemMessage(number))")
    }

    /// Returns the failure of the library at this path for what SQLite, or a cancelled task, has thrown.
    /// - Parameter isOpening: whether the library is not in use yet.
    static func library(_ path: String, isOpening: Bool = false, _ error: any Error) -> Failure {
        let failure = error as? Failure ?? .cancelled
        switch failure.kind {
        // The lowest byte of an extended code is the primary code.
        case .database(let code) where code & 0xFF == SQLITE_BUSY: return .locked(path: path)
        case .database(let code) where [SQLITE_NOTADB, SQLITE_CORRUPT].contains(code & 0xFF):
            return .damaged(path: path, reason: failure.message)
        case .database, .cancelled:
            let reason = failure.message
            return isOpening ? .cannotOpen(path: path, reason: reason) : .libraryFailed(reason: reason)
        default: return failure
        }
    }
}

/// A connection for many tasks. Its calls run one after the other on a thread of its own, because a call can wait for a
/// lock for seconds, and the threads of Swift's concurrency must not wait.
public actor ConnectionActor {
    private let connection: Connection
    private let executor: ThreadExecutor

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Returns: nil if the system could not create a thread.
    public init?(_ connection: sending Connection) {
        guard let executor = ThreadExecutor() else { return nil }
        self.executor = executor
        self.connection = connection
    }

    deinit { executor.close() }

    /// Runs `body`, unless the task is cancelled before its turn.
    public func perform<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
        try Task.checkCancellation()
        return try body(connection)
    }
}

/// Runs the jobs of an actor on one thread.
private final class ThreadExecutor: SerialExecutor {
    private let state = Monitor((jobs: [UnownedJob](), isClosed: false))

    /// - Returns: nil if the system could not create a thread.
    init?() {
        guard DetachedThread.start({ [self] in runJobs() }) else { return nil }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Ends the thread. Afterwards, there must be no further job.
    func close() { state.withLock { $0.isClosed = true } }

    private func runJobs() {
        while let jobs = nextJobs() {
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    /// Waits for jobs. Returns nil if the executor is closed.
    private func nextJobs() -> [UnownedJob]? {
        state.wait { state -> [UnownedJob]?? in
            guard !state.jobs.isEmpty || state.isClosed else { return nil }
            defer { state.jobs = [] }
            return .some(state.jobs.isEmpty ? nil : state.jobs)
        }
    }
}

/// A prepared statement that can run several times.
final class Statement {
    fileprivate let handle: OpaquePointer
    fileprivate let columns: [String]

    /// - Parameter sql: one statement; SQLite ignores any text after it.
    init(_ sql: String, _ connection: OpaquePointer) throws(Failure) {
        var prepared: OpaquePointer?
        let result = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard result == SQLITE_OK else { throw Failure(sqlite: result, of: connection) }
        guard let prepared else { throw Failure.sqlite(SQLITE_MISUSE, "no statement") }
        handle = prepared
        columns = (0..<sqlite3_column_count(prepared)).map { index in
            sqlite3_column_name(prepared, index).map { String(cString: $0) } ?? ""
        }
    }

    // The result repeats the error of the last run, which has been reported.
    deinit { sqlite3_finalize(handle) }

    /// Runs the statement until its end, or until `body` returns false for a row.
    // Swift 6.3.1 crashes when it inlines the loop over rows, which cannot be copied, into another function.
    @inline(never)
    func run(_ arguments: [(any ColumnValue)?], _ body: (borrowing Row) throws -> Bool) throws {
        guard arguments.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw Failure.sqlite(SQLITE_RANGE, "wrong number of arguments")
        }
        do {
            for (index, argument) in zip(Int32(1)..., arguments) {
                try check(argument?.bind(to: handle, index) ?? sqlite3_bind_null(handle, index))
            }
            while try step(), try body(Row(self)) {}
        } catch {
            // The result of resetting repeats the error of the last step.
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
            throw error
        }
        try check(sqlite3_reset(handle))
        try check(sqlite3_clear_bindings(handle))
    }

    /// - Returns: whether there is a row.
    private func step() throws(Failure) -> Bool {
        let result = sqlite3_step(handle)
        guard result != SQLITE_ROW else { return true }
        guard result != SQLITE_DONE else { return false }
        throw Failure(sqlite: result, of: sqlite3_db_handle(handle))
    }

    fileprivate func index(of column: String) -> Int {
        guard let index = columns.firstIndex(of: column) else { preconditionFailure("no column \(column)") }
        return index
    }

    fileprivate func value<Value: ColumnValue>(_ index: Int) -> Value? {
        precondition(columns.indices.contains(index), "no column \(index)")
        return Value.column(Int32(index), of: handle)
    }

    private func check(_ result: Int32) throws(Failure) {
        guard result == SQLITE_OK else { throw Failure(sqlite: result, of: sqlite3_db_handle(handle)) }
    }
}

/// The current row of a statement. It cannot be copied, so it cannot outlive the step.
public struct Row: ~Copyable {
    private let statement: Statement

    init(_ statement: Statement) { self.statement = statement }

    /// The value in a column; nil if it is NULL or has another type. The column must exist.
    public subscript<Value: ColumnValue>(_ name: String) -> Value? {
        self[statement.index(of: name)]
    }

    /// The value in the column with this index, which starts at 0; nil if it is NULL or has another type.
    public subscript<Value: ColumnValue>(_ index: Int) -> Value? {
        statement.value(index)
    }
}

/// A Swift type that a column or an argument can have. NULL is nil.
public protocol ColumnValue {
    /// Binds the value to the argument with this index, which starts at 1, and returns SQLite's result code.
    func bind(to statement: OpaquePointer, _ index: Int32) -> Int32

    /// Returns nil if the column holds another type.
    static func column(_ index: Int32, of statement: OpaquePointer) -> Self?
}

extension Int: ColumnValue {
    public func bind(to statement: OpaquePointer, _ index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, Int64(self))
    }

    public static func column(_ index: Int32, of statement: OpaquePointer) -> Int? {
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { return nil }
        return Int(sqlite3_column_int64(statement, index))
    }
}

extension String: ColumnValue {
    public func bind(to statement: OpaquePointer, _ index: Int32) -> Int32 {
        gifplay_sqlite3_bind_text(statement, index, self, UInt64(utf8.count))
    }

    public static func column(_ index: Int32, of statement: OpaquePointer) -> String? {
        // Without memory, SQLite returns a null pointer, and the next call on the statement reports that.
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT, let start = sqlite3_column_text(statement, index)
        else { return nil }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
