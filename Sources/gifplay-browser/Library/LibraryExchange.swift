import Application
import ArgumentParser
import Base
import Foundation
import Gallery
import Glibc
import Library

/// Writes the library as JSON.
struct LibraryExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes favourites, history and what was dismissed as JSON.")

    @Argument(help: "The file; standard output without one or with '-'.")
    var file = "-"

    func run() throws {
        let library = try Remembered.openedIfThere()
        let document = try Remembered.told { () async throws(StoreError) in
            guard let library else { return try Library.emptyExport() }
            return try await library.exported()
        }
        signal(SIGPIPE, SIG_IGN)
        do throws(SystemError) {
            try file == "-" ? FileSystem.writeAll(document, to: STDOUT_FILENO) : Self.write(document, to: file)
        } catch {
            // A reader that closed standard output is not an error.
            guard file != "-" || error.code != EPIPE else { return }
            throw Complaint("\(file): cannot be written: \(error.message)")
        }
    }

    /// Replaces a regular file; writes to anything else, such as a pipe.
    private static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
            return try FileSystem.replaceFile(at: path, with: bytes)
        }
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw SystemError(call: "open") }
        defer { close(file) }
        try FileSystem.writeAll(bytes, to: file)
    }
}

/// Adds the contents of an export to the library.
struct LibraryImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Adds what an export holds to what is remembered; nothing is lost.")

    @Argument(help: "The file; '-' is standard input.")
    var file: String

    func run() throws {
        let document = try Self.read(file)
        let library = try Remembered.opened()
        let now = Remembered.now
        do throws(ImportError) {
            let counts = try waiting { () async throws(ImportError) in
                try await library.imported(document, at: now)
            }
            say("new: \(counts.favourites) favourites, \(counts.history) viewed, \(counts.dismissed) dismissed")
        } catch {
            throw Complaint("\(file == "-" ? "standard input" : file): \(Sentences.describe(error))")
        }
    }

    private static func read(_ path: String) throws(Complaint) -> [UInt8] {
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Complaint("\(path): \(SystemError.message())") }
        defer { close(file) }
        do throws(SystemError) {
            return try FileSystem.read(file, limit: Library.importLimit)
        } catch {
            throw Complaint("\(path): \(error.message)")
        }
    }
}

/// Deletes history, searches and listings; with `--all` also favourites and dismissals.
struct LibraryClear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Forgets history, searches and listings, and overwrites them on disk.")

    @Flag(help: "Delete favourites and dismissals too; asks first.")
    var all = false

    @Flag(help: "Do not ask before deleting; needed where there is no terminal.")
    var yes = false

    func run() throws {
        let asks = all && !yes
        guard !asks || isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 else {
            throw Complaint("library clear --all: no terminal to ask for confirmation on; add --yes", exit: .usage)
        }
        guard let library = try Remembered.openedIfThere() else { return }
        guard !asks || confirm("Delete favourites, dismissals, history and listings?") else {
            throw Complaint("library clear --all: not confirmed: nothing is deleted")
        }
        let all = all
        let outcome = try Remembered.told { () async throws(StoreError) in try await library.clear(all: all) }
        say(all ? "forgotten: all of it" : "forgotten: history, searches and listings; favourites stay")
        if outcome == .logInUse {
            complain("another gifplay reads the library; once it has ended, clear again to take the words off the disk")
        }
    }
}
