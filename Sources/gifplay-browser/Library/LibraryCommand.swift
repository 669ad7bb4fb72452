import Application
import ArgumentParser
import Foundation
import Gallery
import Library

/// Lists, exports, imports and clears the library.
struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Tells what browsing keeps: favourites, history, what was dismissed.",
        subcommands: [LibraryList.self, LibraryExport.self, LibraryImport.self, LibraryClear.self],
        defaultSubcommand: LibraryList.self)
}

/// Opens and queries the library for the commands and the gallery.
enum Remembered {
    /// Opens the library and creates it if it does not exist.
    static func opened(_ options: Library.Options = .init()) throws(Complaint) -> Library {
        let path = try path()
        do throws(StoreError) {
            return try Library(path: path, options: options)
        } catch {
            throw Complaint(Sentences.describe(error))
        }
    }

    /// Opens the library only if it exists; otherwise prints a message and returns nil.
    static func openedIfThere() throws(Complaint) -> Library? {
        let path = try path()
        guard FileManager.default.fileExists(atPath: path) else {
            complain("nothing is remembered yet: there is no \(path)")
            return nil
        }
        return try opened()
    }

    /// Runs `body` while this thread waits, and converts its error to an error message.
    static func told<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(StoreError) -> Value
    ) throws(Complaint) -> Value {
        do throws(StoreError) { return try waiting(for: body) } catch { throw Complaint(Sentences.describe(error)) }
    }

    static var now: Int { Int(Date().timeIntervalSince1970) }

    private static func path() throws(Complaint) -> String {
        guard let path = Library.path(environment: ProcessInfo.processInfo.environment) else {
            throw Complaint("there is no place for the library: neither XDG_DATA_HOME nor HOME is set")
        }
        return path
    }
}
