import Application
import ArgumentParser
import Base
import Catalog
import Glibc
import Library

struct LibraryExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write favourites, history and dismissed GIFs as JSON")

    @Argument(help: "Output file, or '-' for standard output", completion: .file())
    var file = "-"

    func run() throws {
        let output = file == "-" ? FileIdentity(descriptor: STDOUT_FILENO) : FileIdentity(path: file)
        let path = try LibraryAccess.path()
        guard output == nil || !["", "-wal", "-shm"].contains(where: { FileIdentity(path: path + $0) == output }) else {
            throw CommandError.usage("\(file): is the library itself; export to another file")
        }
        let library = try LibraryAccess.openIfExists()
        let document = try LibraryAccess.perform { () async throws(StoreError) in
            guard let library else { return try Library.emptyExport() }
            return try await library.exportDocument()
        }
        signal(SIGPIPE, SIG_IGN)
        do throws(SystemError) {
            try file == "-"
                ? FileSystem.writeAll(document, to: STDOUT_FILENO) : FileSystem.writeOutput(document, to: file)
        } catch {
            // A closed pipe is not an error: the reader of standard output needs no more data.
            guard file != "-" || error.code != EPIPE else { return }
            throw CommandError("\(file): cannot be written: \(error.message)")
        }
    }
}

struct LibraryImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add the content of an export; nothing is removed")

    @Argument(help: "File that was exported, or '-' for standard input", completion: .file())
    var file: String

    func run() throws {
        let document = try Self.read(file)
        let library = try LibraryAccess.open()
        let now = LibraryAccess.now
        let notice = LibraryAccess.waitNotice(library.path)
        defer { withExtendedLifetime(notice) {} }
        do throws(ImportError) {
            let counts = try runBlocking { () async throws(ImportError) in
                try await library.importDocument(document, at: now)
            }
            let favourites = counted(counts.favourites, "favourite")
            printLine("new: \(favourites), \(counts.history) viewed, \(counts.dismissed) dismissed")
        } catch {
            throw CommandError("\(file == "-" ? "standard input" : file): \(ErrorMessages.describe(error))")
        }
    }

    static func read(_ path: String) throws(CommandError) -> [UInt8] {
        do throws(SystemError) { return try FileSystem.read(path, limit: Library.importLimit) } catch {
            throw CommandError("\(path): \(error.message)")
        }
    }
}

struct LibraryClear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Delete history, searches and result lists, and overwrite them on disk")

    @Flag(help: "Delete favourites and dismissed GIFs too; asks first")
    var all = false

    @Flag(help: "With --all: do not ask; required without a terminal")
    var yes = false

    func run() throws {
        let asks = all && !yes
        guard !asks || isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 else {
            throw CommandError("library clear --all: no terminal to ask for confirmation; add --yes", status: .usage)
        }
        guard let library = try LibraryAccess.openIfExists() else { return }
        guard !asks || confirm("Delete favourites, dismissed GIFs, history and result lists?") else {
            throw CommandError("library clear --all: not confirmed; nothing is deleted")
        }
        let all = all
        let outcome = try LibraryAccess.perform { () async throws(StoreError) in try await library.clear(all: all) }
        printLine(all ? "deleted: the whole library" : "deleted: history, searches and result lists")
        if outcome == .logInUse {
            printError("another gifplay uses the library; clear again after it ends to overwrite the data on disk")
        }
    }
}
