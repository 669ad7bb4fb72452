import Base
import Catalog

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
