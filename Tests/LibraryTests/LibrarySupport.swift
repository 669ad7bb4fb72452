import Base
import Catalog
import Glibc
import Library
import TestServer

/// Returns a GIF whose files gifplay is allowed to store (`persistent`).
func gif(_ id: String, provider: String = "commons", title: String? = nil, tags: [String] = []) -> GIFReference {
    GIFReference(
        provider: provider, id: id, title: title ?? "GIF \(id)", pageURL: "https://example.org/\(id)", author: "Ann",
        licence: "CC BY-SA 4.0", licenceURL: "https://creativecommons.org/licenses/by-sa/4.0/",
        attribution: "Ann, CC BY-SA 4.0",
        renditions: [
            Rendition(
                url: "https://example.org/\(id).gif", alternatives: ["https://mirror.example.org/\(id).gif"],
                width: 480, height: 270, bytes: 123_456, frames: 12),
            Rendition(url: "https://example.org/\(id)-small.gif", width: 120, mayBeStill: true),
        ],
        cachePolicy: .persistent, rating: "g", tags: tags, posted: 1_709_164_800, comments: 0, community: "r/gifs")
}

/// Returns a GIF whose files gifplay must delete at the end of the session (`sessionOnly`).
func sessionOnlyGIF(_ id: String) -> GIFReference {
    var lent = gif(id, provider: "giphy")
    lent.cachePolicy = .sessionOnly
    return lent
}

func page(_ items: [GIFReference], next: String? = nil, total: Int? = nil) -> ResultPage {
    ResultPage(
        items: items, next: next.map { PageToken(source: "commons", parameters: ["offset": $0]) }, total: total)
}

func ids(_ listing: StoredListing?) -> [String]? { listing?.items.map(\.id) }

/// A library file in a temporary directory. A test can open the library several times.
struct TemporaryLibrary {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/gifplay/library.sqlite"
    }

    func open(_ options: Library.Options = .init()) throws(Failure) -> Library {
        try Library(path: path, options: options)
    }

    /// Returns the bytes of all files of the library.
    func bytes() -> [UInt8] {
        directory.names(in: "gifplay").flatMap { contents(directory.path + "/gifplay/" + $0) }
    }

    /// Queries the database directly, without the library, and returns the first column of the first row.
    func value(_ sql: String) throws -> String? {
        try Connection(path: path).first(sql) { row in row[0] ?? (row[0] as Int?).map(String.init) }
    }

    /// Returns the problems that SQLite's integrity check and foreign key check find.
    func damages() throws -> [String] {
        let db = try Connection(path: path, lockSeconds: 5)
        let check: [String] = try db.rows("PRAGMA integrity_check") { row in row[0] }
        return check.filter { $0 != "ok" } + (try db.rows("PRAGMA foreign_key_check") { row in row[0] })
    }
}

/// Returns the path of a file in Tests/LibraryTests/Schemas.
func schemaFile(_ name: String) -> String { #filePath.replacing("LibrarySupport.swift", with: "Schemas/\(name)") }

/// Returns the bytes of a file, or an empty array if the file cannot be opened.
func contents(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { all += buffer[..<count] }
    return all
}

/// Returns the error that `body` throws, or nil if `body` succeeds.
func storeError(_ body: () async throws(Failure) -> Void) async -> Failure? {
    do throws(Failure) {
        try await body()
        return nil
    } catch {
        return error
    }
}

extension [UInt8] {
    /// Returns whether these bytes contain the UTF-8 bytes of a text.
    func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
