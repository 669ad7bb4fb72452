import Application
import ArgumentParser
import Base
import Catalog
import FoundationEssentials
import Library

/// Lists, exports, imports and clears the library.
struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Show and manage favourites, history and dismissed GIFs",
        subcommands: [LibraryList.self, LibraryExport.self, LibraryImport.self, LibraryClear.self],
        defaultSubcommand: LibraryList.self)
}

/// Finds the library for the gallery and the library commands, and opens it for the commands.
enum LibraryAccess {
    /// Opens the library and creates it if it does not exist.
    static func open(_ options: Library.Options = .init()) throws(CommandError) -> Library {
        let path = try path()
        let notice = waitNotice(path)
        defer { withExtendedLifetime(notice) {} }
        do throws(StoreError) {
            return try Library(path: path, options: options)
        } catch {
            throw CommandError(ErrorMessages.describe(error))
        }
    }

    /// Opens the library only if it exists; otherwise prints a message and returns nil.
    static func openIfExists() throws(CommandError) -> Library? {
        let path = try path()
        guard FileManager.default.fileExists(atPath: path) else {
            printError("\(path): no library yet")
            return nil
        }
        return try open()
    }

    /// Runs `body` while this thread waits, and converts an error of `body` to an error message.
    static func perform<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(StoreError) -> Value
    ) throws(CommandError) -> Value {
        let notice = waitNotice(try path())
        defer { withExtendedLifetime(notice) {} }
        do throws(StoreError) {
            return try runBlocking(body)
        } catch {
            throw CommandError(ErrorMessages.describe(error))
        }
    }

    /// Reports on standard error that the library is in use, unless the returned object is deallocated within a second.
    static func waitNotice(_ path: String) -> BackgroundValue<Void> {
        BackgroundValue {
            guard (try? await SystemWaitClock().wait(milliseconds: 1_000)) != nil else { return }
            printError("\(path): waiting, because another program may have locked the library")
        }
    }

    static var now: Int { Int(Date().timeIntervalSince1970) }

    static func path() throws(CommandError) -> String {
        guard let path = Library.path(environment: ProcessInfo.processInfo.environment) else {
            throw CommandError("no folder for the library: neither XDG_DATA_HOME nor HOME is set")
        }
        return path
    }
}
