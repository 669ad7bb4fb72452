import CSQLite

/// An error of SQLite. It never contains the SQL text or its arguments, which can be search terms of the user.
public struct SQLiteError: Error, Equatable, Sendable {
    public enum Cause: Sendable {
        /// Another connection held a lock until the timeout.
        case busy
        /// The file is not a database, or its content is corrupt.
        case damaged
        case other
    }

    /// SQLite's extended result code.
    public let code: Int32
    /// SQLite's own description, such as "database or disk is full".
    public let message: String

    init(_ code: Int32, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Must be created directly after the failed call, because the next call on the same connection replaces the text.
    init(_ code: Int32, of connection: OpaquePointer?) {
        self.init(code, String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)))
    }

    public var cause: Cause {
        // The lowest byte of an extended code is the primary code.
        switch code & 0xFF {
        case SQLITE_BUSY: .busy
        case SQLITE_NOTADB, SQLITE_CORRUPT: .damaged
        default: .other
        }
    }
}
