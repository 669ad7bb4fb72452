import Application
import ArgumentParser
import Base
import Catalog
import FoundationEssentials
import Library
import Playback

struct LibraryList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List favourites, history and dismissed GIFs, newest first",
        discussion: "The first column contains f for a favourite, v for a viewed and d for a dismissed GIF.")

    @Flag
    var list: MarkedList?

    @Flag(help: "Print JSON, one object per line")
    var json = false

    func run() throws {
        guard let library = try LibraryAccess.openIfExists() else { return }
        let list = list
        let rows = try LibraryAccess.perform { () async throws(StoreError) in try await library.all(in: list) }
        if rows.isEmpty { printError("nothing is stored") }
        if json {
            for row in rows { JSONLine.printLine(ListedMark(row)) }
        } else {
            Self.table(rows, list).forEach(printLine)
        }
    }

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

extension MarkedList: EnumerableFlag {
    public static func help(for list: MarkedList) -> ArgumentHelp? {
        switch list {
        case .favourites: "List only favourites"
        case .history: "List only viewed GIFs"
        case .dismissed: "List only dismissed GIFs"
        }
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
