import Base
import Catalog
import Glibc
import Library
import Playback

/// Finds the library for the gallery and the library commands, and opens it for the commands.
enum LibraryAccess {
    /// Creates the library if it does not exist.
    static func open(_ options: Library.Options = .init()) throws(Failure) -> Library {
        let path = try path()
        let notice = waitNotice(path)
        defer { withExtendedLifetime(notice) {} }
        return try Library(path: path, options: options)
    }

    /// Prints a message and returns nil if the library does not exist.
    static func openIfExists() throws(Failure) -> Library? {
        let path = try path()
        let status = try Failure.about(path, "cannot be opened") { () throws(Failure) in try FileSystem.status(path) }
        guard status == nil else { return try open() }
        printError("\(path): no library yet")
        return nil
    }

    /// Runs `body` while this thread waits.
    static func perform<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let notice = waitNotice(try path())
        defer { withExtendedLifetime(notice) {} }
        return try runBlocking(body)
    }

    /// Reports a wait on standard error, unless the returned object is deallocated within a second.
    static func waitNotice(
        _ path: String, until end: String = "because another program may have locked the library"
    ) -> BackgroundValue<Void> {
        BackgroundValue {
            guard (try? await SystemWaitClock().wait(milliseconds: 1_000)) != nil else { return }
            printError("\(path): waiting, \(end)")
        }
    }

    static func path() throws(Failure) -> String {
        guard let path = Library.path(environment: Environment.variables) else {
            throw Failure("no folder for the library: \(XDGDirectory.data.problem)")
        }
        return path
    }
}

enum LibraryList {
    static func run(_ invocation: Invocation) throws(Failure) {
        let settings = try Settings(given: invocation)
        guard let library = try LibraryAccess.openIfExists() else { return }
        let list = settings.list.flatMap(MarkedList.init(rawValue:))
        let rows = try LibraryAccess.perform { () async throws(Failure) in try await library.all(in: list) }
        if rows.isEmpty { printError("nothing is stored") }
        if settings.printsJSON {
            for row in rows { JSONLine.printLine(ListedMark(row)) }
        } else {
            let isRead = !rows.isEmpty && isatty(STDOUT_FILENO) == 1
            ((isRead ? [legend] : []) + table(rows, list)).forEach(printLine)
        }
    }

    /// The columns of ``table(_:_:)``, for a reader at a terminal.
    static let legend = "f favourite, v viewed, d dismissed; date of the last; source; title; page"

    static func table(_ rows: [MarkedGIF], _ list: MarkedList?) -> [String] {
        let cells = rows.map { row in
            [
                letters(row), String(Timestamp.text(row.time(in: list)).prefix(10)),
                SafeText.line(row.reference.provider), TerminalText.fitted(row.reference.title, to: 44),
                row.reference.pageURL ?? "",
            ]
        }
        return TextTable.lines(cells)
    }

    private static func letters(_ row: MarkedGIF) -> String {
        (row.favourite == nil ? "-" : "f") + (row.viewed == nil ? "-" : "v") + (row.dismissed == nil ? "-" : "d")
    }
}

/// The JSON object that `library list --json` prints for a GIF.
struct ListedMark: Encodable {
    var title: String
    var source: String
    var id: String
    var page: String?
    var author: String?
    var licence: String?
    var community: String?
    var comments: Int?
    var favourite: String?
    var viewed: String?
    var times: Int?
    var dismissed: String?

    init(_ row: MarkedGIF) {
        title = row.reference.title
        source = row.reference.provider
        id = row.reference.id
        page = row.reference.pageURL
        author = row.reference.author
        licence = row.reference.licence
        community = row.reference.community
        comments = row.reference.comments
        favourite = row.favourite.map(Timestamp.text)
        viewed = row.viewed.map(Timestamp.text)
        times = row.viewed == nil ? nil : row.views
        dismissed = row.dismissed.map(Timestamp.text)
    }
}

enum LibraryClear {
    static func run(_ invocation: Invocation) throws(Failure) {
        let settings = try Settings(given: invocation)
        let all = settings.clearsAll
        let asks = all && !settings.isConfirmed
        guard !asks || isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 else {
            throw Failure.usage("library clear --all: no terminal to ask for confirmation; add --yes")
        }
        guard let library = try LibraryAccess.openIfExists() else { return }
        let question = "gifplay: Delete favourites, dismissed GIFs, history and result lists? [y/N] "
        let isConfirmed = try asks ? Confirmation.ask(question) : true
        guard isConfirmed else {
            throw Failure("library clear --all: not confirmed; nothing is deleted")
        }
        let isErased = try LibraryAccess.perform { () async throws(Failure) in try await library.clear(all: all) }
        printLine(all ? "deleted: the whole library" : "deleted: history, searches and result lists")
        if !isErased {
            printError("another gifplay uses the library; clear again after it ends to overwrite the data on disk")
        }
    }
}
