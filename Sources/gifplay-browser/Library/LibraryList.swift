import Application
import ArgumentParser
import Base
import Catalog
import Foundation
import Gallery
import Library
import Playback

/// Lists the GIFs of the library, newest first.
struct LibraryList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists favourites, history and what was dismissed, newest first.",
        discussion: "The first column says what a GIF is: f a favourite, v viewed, d dismissed.")

    /// The list to print.
    enum Choice: String, EnumerableFlag {
        case favourites
        case history
        case dismissed
    }

    @Flag(help: "Those alone.")
    var choice: Choice?

    @Flag(help: "One JSON object a line.")
    var json = false

    func run() throws {
        guard let library = try Remembered.openedIfThere() else { return }
        let shelf = choice.flatMap { Shelf(rawValue: $0.rawValue) }
        let rows = try Remembered.told { () async throws(StoreError) in try await library.all(on: shelf) }
        if rows.isEmpty { complain("nothing is remembered there") }
        if json {
            for row in rows { JSONLine.say(ListedMark(row)) }
        } else {
            table(rows, shelf)
        }
    }

    private func table(_ rows: [MarkedGIF], _ shelf: Shelf?) {
        let columns = rows.map { row in
            [
                Self.letters(row), String(Moment.text(row.time(on: shelf)).prefix(10)),
                SafeText.line(row.reference.provider), TerminalText.fitted(row.reference.title, to: 44),
                row.reference.pageURL ?? "",
            ]
        }
        let widths = (0..<4).map { column in columns.map { TerminalText.width($0[column]) }.max() ?? 0 }
        for row in columns {
            let cells = zip(row, widths).map { text, width in
                text + String(repeating: " ", count: width - TerminalText.width(text))
            }
            let link = row.dropFirst(cells.count).filter { !$0.isEmpty }
            say((cells + link).joined(separator: "  "))
        }
    }

    private static func letters(_ row: MarkedGIF) -> String {
        (row.favourite == nil ? "-" : "f") + (row.viewed == nil ? "-" : "v") + (row.dismissed == nil ? "-" : "d")
    }
}

/// A GIF as `list --json` prints it.
private struct ListedMark: Encodable {
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
        favourite = row.favourite.map(Moment.text)
        viewed = row.viewed.map(Moment.text)
        times = row.viewed == nil ? nil : row.views
        dismissed = row.dismissed.map(Moment.text)
    }
}
