import Base
import CSQLite

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
