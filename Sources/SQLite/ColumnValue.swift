import CSQLite

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
