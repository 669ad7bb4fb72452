import Application
import ArgumentParser
import Base
import Catalog
import FoundationEssentials
import Library

struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Show and manage favourites, history and dismissed GIFs",
        subcommands: [LibraryList.self, LibraryExport.self, LibraryImport.self, LibraryClear.self],
        defaultSubcommand: LibraryList.self)
}

/// Finds the library for the gallery and the library commands, and opens it for the commands.
enum LibraryAccess {
    /// Creates the library if it does not exist.
    static func open(_ options: Library.Options = .init()) throws(CommandError) -> Library {
        let path = try path()
        let notice = waitNotice(path)
        defer { withExtendedLifetime(notice) {} }
        do throws(StoreError) { return try Library(path: path, options: options) } catch {
            throw CommandError(ErrorMessages.describe(error))
        }
    }

    /// Prints a message and returns nil if the library does not exist.
    static func openIfExists() throws(CommandError) -> Library? {
        let path = try path()
        let exists: Bool
        do throws(SystemError) { exists = try FileSystem.status(path) != nil } catch {
            throw CommandError("\(path): cannot be opened: \(error.message)")
        }
        guard !exists else { return try open() }
        printError("\(path): no library yet")
        return nil
    }

    /// Runs `body` while this thread waits, and converts an error of `body` to an error message.
    static func perform<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(StoreError) -> Value
    ) throws(CommandError) -> Value {
        let notice = waitNotice(try path())
        defer { withExtendedLifetime(notice) {} }
        do throws(StoreError) { return try runBlocking(body) } catch {
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

extension ErrorMessages {
    static func describe(_ error: StoreError) -> String {
        switch error {
        case .cannotOpen(let path, let reason): "\(path) cannot be opened: \(reason)"
        case .failed(let reason): "the library failed: \(reason)"
        case .locked(let path): "\(path): locked by another program; try again after it has finished"
        case .tooNew(let path): "\(path) was written by a newer gifplay; use that version, or another XDG_DATA_HOME"
        case .damaged(let path, let reason):
            "\(path) is damaged: \(reason); move it away to start a new library; "
                + "'sqlite3 FILE .recover' may restore its content"
        }
    }

    static func describe(_ error: ImportError) -> String {
        switch error {
        case .tooLarge(_, let limit): "more than \(ByteSize.limit(limit)); nothing is imported"
        case .notJSON(let reason, let line):
            "not JSON\(line.map { ", line \($0)" } ?? ""): \(reason); nothing is imported"
        case .unknownVersion(let version):
            "export version \(Int(exactly: version).map(String.init) ?? String(version)) is not supported, only 1; nothing is imported"
        case .field(let field, let problem): "\(field): \(problem); nothing is imported"
        case .historyFull(let entries, let bound):
            "the history would have \(entries) GIFs, but its limit is \(bound); nothing is imported; "
                + "'gifplay library clear' empties it"
        case .store(let error): "nothing is imported: \(describe(error))"
        }
    }
}
