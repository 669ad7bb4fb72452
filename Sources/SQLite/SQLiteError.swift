import CSQLite
import Glibc

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
        let text = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
        // For an error of the system, SQLite's own text does not tell a missing right from a lack of descriptors.
        let isOfSystem = [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xFF)
        let number = isOfSystem ? connection.map { sqlite3_system_errno($0) } ?? 0 : 0
        self.init(code, number == 0 ? text : "\(text): \(String(cString: strerror(number)))")
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
