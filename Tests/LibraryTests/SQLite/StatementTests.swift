import Base
import Testing

@testable import Library

/// Tests values, rows and errors of statements with a real file.
@Suite struct StatementTests {
    private let database: TemporaryDatabase
    private let connection: Connection

    init() throws {
        database = try TemporaryDatabase()
        connection = try database.connectWithTable()
    }

    @Test(
        "A text is read as it was written, including NUL characters and the empty text",
        arguments: ["", "cat", "Tänzer 🕺", "a\u{0}b\u{0}", String(repeating: "long ", count: 10_000)])
    func texts(text: String) throws {
        try connection.run("INSERT INTO item (name) VALUES (?)", [text])
        #expect(try connection.value("SELECT name FROM item") == text)
        #expect(try connection.value("SELECT typeof(name) FROM item") == "text")
        #expect(try connection.value("SELECT length(CAST(name AS BLOB)) FROM item") == text.utf8.count)
    }

    @Test("Bytes that are not UTF-8 become replacement characters")
    func invalidUTF8() throws {
        #expect(try connection.value("SELECT CAST(x'61FF62' AS TEXT)") == "a\u{FFFD}b")
    }

    @Test("An integer is read as it was written", arguments: [0, -1, Int.max, Int.min])
    func integers(number: Int) throws {
        #expect(try connection.value("SELECT ?", [number]) == number)
    }

    @Test("NULL is nil, and nil is NULL")
    func nulls() throws {
        try connection.run("INSERT INTO item (name) VALUES (?)", [String?.none])
        #expect(try connection.value("SELECT name IS NULL FROM item") == 1)
        #expect(try connection.value("SELECT name FROM item") as String? == nil)
        #expect(try connection.value("SELECT name FROM item") as Int? == nil)
    }

    @Test("A column of another type is nil")
    func otherTypes() throws {
        #expect(try connection.value("SELECT 7") as String? == nil)
        for sql in ["SELECT 'seven'", "SELECT 7.0", "SELECT x'07'"] {
            #expect(try connection.value(sql) as Int? == nil, "\(sql)")
        }
        #expect(try connection.value("SELECT x'61'") as String? == nil)
    }

    @Test("Columns are read by name and by index, and rows without a result are omitted")
    func columns() throws {
        let sql = "SELECT id, name FROM item ORDER BY id"
        for name in ["a", "b", "c"] { try connection.run("INSERT INTO item (name) VALUES (?)", [name]) }
        let names = try connection.rows(sql) { row -> String? in
            #expect(row["id"] as Int? == row[0])
            #expect(row["name"] as String? == row[1])
            return row["id"] == 2 ? nil : row["name"]
        }
        #expect(names == ["a", "c"])
        #expect(try connection.first(sql) { row in row["name"] } == "a")
        #expect(try connection.first(sql + " LIMIT 0") { row in row["name"] as String? } == nil)
    }

    @Test("An error has SQLite's extended code and text, and not the arguments")
    func errors() throws {
        let missing = try failure { try connection.run("SELECT * FROM missing", []) }
        #expect(missing == Failure.sqlite(1, "no such table: missing"))
        let insert = "INSERT INTO item (name) VALUES (?)"
        try connection.run(insert, ["secret"])
        let repeated = try failure { try connection.run(insert, ["secret"]) }
        #expect(repeated == Failure.sqlite(2_067, "UNIQUE constraint failed: item.name"))
        let script = try failure { try connection.execute("DELETE FROM item; SELECT absent") }
        #expect(script == Failure.sqlite(1, "no such column: absent"))
    }

    @Test("A statement without SQL and a wrong number of arguments are errors")
    func misuse() throws {
        #expect(try failure { try connection.run("", []) }?.message == "no statement")
        for arguments in [[], [1, 2]] as [[Int]] {
            let error = try failure { try connection.run("SELECT ?", arguments) }
            #expect(error?.message == "wrong number of arguments")
        }
    }

    @Test("A statement can be repeated, also within its own rows, after an error and after an early end")
    func reuse() throws {
        let (insert, select) = ("INSERT INTO item (id, name) VALUES (?, ?)", "SELECT id FROM item ORDER BY id")
        for id in 1...3 { try connection.run(insert, [id, "\(id)"]) }
        #expect(try failure { try connection.run(insert, [4, "1"]) } != nil)
        try connection.run(insert, [4, "4"])
        let inner: [[Int]] = try connection.rows(select) { _ in try connection.rows(select) { row in row[0] } }
        #expect(inner == Array(repeating: [1, 2, 3, 4], count: 4))
        #expect(try connection.value(select) == 1)
        struct Stop: Error {}
        #expect(throws: Stop.self) { try connection.rows(select) { _ -> Int? in throw Stop() } }
        // A statement that still runs would lock the table.
        try connection.execute("DROP TABLE item")
        #expect(try failure { try connection.run(insert, [5, "5"]) }?.message == "no such table: item")
    }
}
