PRAGMA application_id = 1734960752;
PRAGMA journal_mode = WAL;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('v1 works, marks, listings');
INSERT INTO grdb_migrations VALUES('v2 comments, community, second of creation');
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
    renditions TEXT NOT NULL, community TEXT, comments INTEGER, createdAt INTEGER,
    UNIQUE (provider, name),
    CHECK (policy <> 'sessionOnly' OR renditions = '[]')
) STRICT;
INSERT INTO work VALUES(1,'tests','whole','GIF whole','https://example.org/whole','Ann','CC BY 4.0','https://creativecommons.org/licenses/by/4.0/','tests','persistent','g','["cat","Tänzer"]','[{"height":240,"url":"https://example.org/whole.gif","width":320}]',NULL,NULL,1709164800);
INSERT INTO work VALUES(2,'tests','lent','GIF lent','https://example.org/lent',NULL,NULL,NULL,'tests','sessionOnly',NULL,'[]','[]',NULL,NULL,NULL);
INSERT INTO work VALUES(3,'tests','third','GIF third','https://example.org/third',NULL,NULL,NULL,'tests','persistent',NULL,'[]','[{"height":240,"url":"https://example.org/third.gif","width":320}]',NULL,NULL,NULL);
INSERT INTO work VALUES(4,'tests','viewed','GIF viewed','https://example.org/viewed',NULL,NULL,NULL,'tests','persistent',NULL,'[]','[{"height":240,"url":"https://example.org/viewed.gif","width":320}]',NULL,NULL,NULL);
CREATE TABLE mark (
    work INTEGER PRIMARY KEY REFERENCES work (id),
    favourite INTEGER,
    viewed INTEGER,
    views INTEGER NOT NULL DEFAULT 0,
    dismissed INTEGER
) STRICT;
INSERT INTO mark VALUES(1,1700000002,1700000005,2,NULL);
INSERT INTO mark VALUES(2,1700000003,NULL,0,NULL);
INSERT INTO mark VALUES(3,NULL,NULL,0,1700000007);
INSERT INTO mark VALUES(4,NULL,1700000006,1,NULL);
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
INSERT INTO listing VALUES(1,'search','dancing cat','g en',1700000000,40,'{"parameters":{"offset":"3"},"source":"tests"}');
INSERT INTO listing VALUES(2,'trending','','g en',1700000001,40,'{"parameters":{"offset":"3"},"source":"tests"}');
CREATE TABLE entry (
    listing INTEGER NOT NULL REFERENCES listing (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    work INTEGER NOT NULL REFERENCES work (id),
    PRIMARY KEY (listing, position),
    UNIQUE (work, listing)
) STRICT, WITHOUT ROWID;
INSERT INTO entry VALUES(1,0,1);
INSERT INTO entry VALUES(1,1,2);
INSERT INTO entry VALUES(1,2,3);
INSERT INTO entry VALUES(2,0,1);
INSERT INTO entry VALUES(2,1,2);
INSERT INTO entry VALUES(2,2,3);
CREATE INDEX markByFavourite ON mark (favourite) WHERE favourite IS NOT NULL;
CREATE INDEX markByViewed ON mark (viewed) WHERE viewed IS NOT NULL;
CREATE INDEX markByDismissed ON mark (dismissed) WHERE dismissed IS NOT NULL;
CREATE INDEX listingByKept ON listing (kept);
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
COMMIT;
