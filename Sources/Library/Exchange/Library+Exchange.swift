import Base
import Catalog
import FoundationEssentials
import SQLite

extension Library {
    /// In bytes; enough for more than a hundred thousand GIFs.
    public static let importLimit = 128 << 20

    /// Indented JSON. In each list, the newest entries come first.
    public func exportDocument() async throws(StoreError) -> [UInt8] {
        let document = try await read { db in
            var document = LibraryDocument()
            document.favourites = try Self.all(in: .favourites, db).compactMap { marked in
                marked.favourite.map { MarkRecord(since: $0, gif: marked.reference) }
            }
            document.history = try Self.all(in: .history, db).compactMap { marked in
                marked.viewed.map { ViewRecord(viewed: $0, times: max(1, marked.views), gif: marked.reference) }
            }
            document.dismissed = try Self.all(in: .dismissed, db).compactMap { marked in
                marked.dismissed.map { MarkRecord(since: $0, gif: marked.reference) }
            }
            return document
        }
        return try Self.text(document)
    }

    public static func emptyExport() throws(StoreError) -> [UInt8] { try text(LibraryDocument()) }

    private static func text(_ document: LibraryDocument) throws(StoreError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            // JSONEncoder does not escape C1 controls and similar characters, which could affect a terminal.
            let text = String(decoding: try encoder.encode(document), as: UTF8.self)
            return Array(SafeText.escaped(json: text).utf8) + [UInt8(ascii: "\n")]
        } catch {
            throw .failed(reason: "\(error)")
        }
    }

    /// If an error occurs, adds nothing. Existing entries are kept: a favourite or a dismissal gets the earlier of two
    /// times, a view the later time and the larger count. A time in the future is replaced by `seconds`, the current
    /// time in seconds since 1970.
    public func importDocument(_ document: [UInt8], at seconds: Int) async throws(ImportError) -> ImportCounts {
        guard document.count <= Self.importLimit else {
            throw .tooLarge(bytes: document.count, limit: Self.importLimit)
        }
        let read = try Self.parsed(document)
        let bound = options.bounds.history
        do {
            return try await transaction { db in try Self.merge(read, at: seconds, bound: bound, db) }
        } catch let error as ImportError {
            throw error
        } catch {
            throw .store(StoreError(using: path, error))
        }
    }

    private static func merge(
        _ document: LibraryDocument, at now: Int, bound: Int, _ db: Connection
    ) throws -> ImportCounts {
        var counts = ImportCounts()
        for favourite in document.favourites {
            if try add("favourite", favourite, at: now, db) { counts.favourites += 1 }
        }
        for dismissed in document.dismissed {
            if try add("dismissed", dismissed, at: now, db) { counts.dismissed += 1 }
        }
        for view in document.history {
            guard let work = try WorkRecord.writeIfNew(view.gif, db) else { continue }
            if try isUnset("viewed", work, db) { counts.history += 1 }
            try db.run(
                """
                INSERT INTO mark (work, viewed, views) VALUES (?, ?, ?)
                ON CONFLICT (work) DO UPDATE SET
                    viewed = max(coalesce(viewed, 0), excluded.viewed), views = max(views, excluded.views)
                """, [work, min(view.viewed, now), view.times])
        }
        let count = try db.value("SELECT count(*) FROM mark WHERE viewed IS NOT NULL") ?? 0
        guard count <= bound || counts.history == 0 else { throw ImportError.historyFull(entries: count, bound: bound) }
        return counts
    }

    /// - Returns: whether the mark in `column` is new.
    private static func add(_ column: String, _ record: MarkRecord, at now: Int, _ db: Connection) throws -> Bool {
        guard let work = try WorkRecord.writeIfNew(record.gif, db) else { return false }
        let isNew = try isUnset(column, work, db)
        let since = min(record.since, now)
        try db.run(
            """
            INSERT INTO mark (work, \(column)) VALUES (?, ?)
            ON CONFLICT (work) DO UPDATE SET \(column) = min(coalesce(\(column), excluded.\(column)), excluded.\(column))
            """, [work, since])
        return isNew
    }

    private static func isUnset(_ column: String, _ work: Int, _ db: Connection) throws -> Bool {
        try db.value("SELECT \(column) FROM mark WHERE work = ?", [work]) as Int? == nil
    }

    private static func parsed(_ document: [UInt8]) throws(ImportError) -> LibraryDocument {
        do {
            return try JSONDecoder().decode(LibraryDocument.self, from: Data(document))
        } catch let error as ImportError {
            throw error
        } catch let error as DecodingError {
            throw ImportError(error)
        } catch {
            throw .notJSON
        }
    }
}

/// A failed import changes nothing.
public enum ImportError: Error, Equatable, Sendable {
    case tooLarge(bytes: Int, limit: Int)
    /// The document is not valid JSON. The decoder reports no place.
    case notJSON
    /// For example, a newer gifplay wrote the document.
    case unknownVersion(Double)
    /// The path of the field, such as `history[2].gif.title`, and a description of the problem.
    case field(String, String)
    /// The history would exceed its maximum size. An import does not delete entries to make room.
    case historyFull(entries: Int, bound: Int)
    case store(StoreError)
}

/// The numbers of imported items that were new to the library.
public struct ImportCounts: Equatable, Sendable {
    public var favourites = 0
    public var history = 0
    public var dismissed = 0
}

extension ImportError {
    /// Adds the path of the field, unless the document is not JSON.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context): self = .field(fieldPath(context.codingPath + [key]), "is missing")
        case .valueNotFound(_, let context): self = .field(fieldPath(context.codingPath), "is missing")
        case .typeMismatch(let type, let context):
            self = .field(fieldPath(context.codingPath), "should be \(Self.name(type))")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            self = .field(fieldPath(context.codingPath), context.debugDescription)
        default: self = .notJSON
        }
    }

    private static func name(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Int.Type, is Double.Type: "a whole number"
        case is Bool.Type: "true or false"
        case is any Sequence.Type where !"\(type)".hasPrefix("Dictionary"): "a list"
        default: "an object"
        }
    }
}
