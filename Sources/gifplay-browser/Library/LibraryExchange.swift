import Application
import ArgumentParser
import Foundation
import Gallery
import Glibc
import Library

/// Writes what is remembered as JSON.
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
        do {
            try file == "-" ? Self.write(document, to: STDOUT_FILENO) : Self.replace(file, with: document)
        } catch let error as POSIXFailure {
            // Whoever read it has left, which is no fault.
            guard file != "-" || error.code != EPIPE else { return }
            throw Complaint("\(file): cannot be written: \(String(cString: strerror(error.code)))")
        }
    }

    private struct POSIXFailure: Error {
        var code: Int32
    }

    /// Whole or not at all, and for nobody else to read; what is no file, such as a pipe, is written to as it is.
    private static func replace(_ path: String, with bytes: [UInt8]) throws {
        var status = stat()
        let isThere = stat(path, &status) == 0
        let isPlain = !isThere || status.st_mode & S_IFMT == S_IFREG
        let place = isPlain ? "\(path).\(getpid())" : path
        let file = open(place, isPlain ? O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC : O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw POSIXFailure(code: errno) }
        do {
            defer { close(file) }
            try write(bytes, to: file)
            guard isPlain else { return }
            guard fsync(file) == 0, rename(place, path) == 0 else { throw POSIXFailure(code: errno) }
        } catch {
            if isPlain { unlink(place) }
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) throws {
        signal(SIGPIPE, SIG_IGN)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw POSIXFailure(code: errno) }
            rest = rest.dropFirst(count)
        }
    }
}

/// Adds what an export holds.
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
        guard file >= 0 else { throw Complaint("\(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // One byte more than is taken is enough to be told so.
        while bytes.count <= Library.importLimit {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Complaint("\(path): \(String(cString: strerror(errno)))") }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}

/// Forgets.
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
