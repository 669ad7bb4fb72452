// A helper process for the tests of the library. The tests kill this process or run several such processes
// concurrently.

import Catalog
import Glibc
import Library

func printLine(_ line: String) {
    print(line)
    fflush(nil)
}

func reference(_ id: String) -> GIFReference {
    GIFReference(
        provider: "tests", id: id, title: "GIF \(id)", pageURL: "https://example.org/\(id)", attribution: "tests",
        renditions: [Rendition(url: "https://example.org/\(id).gif", width: 320, height: 240)],
        cachePolicy: .persistent)
}

/// add-favourites PATH NAME COUNT: adds COUNT favourites one by one and prints the ID of each favourite after the
/// library has stored it.
func addFavourites(_ path: String, _ name: String, count: Int) async throws {
    let library = try Library(path: path)
    printLine("open")
    for number in 0..<count {
        try await library.setFavourite(reference("\(name)-\(number)"), true, at: 1_000_000 + number)
        printLine("\(name)-\(number)")
    }
    printLine("done")
}

/// fill PATH: stores items of every kind, for the files in Tests/LibraryTests/Schemas.
func fill(_ path: String) async throws {
    let library = try Library(path: path, options: .init(variant: "g en"))
    var whole = reference("whole")
    whole.author = "Ann"
    whole.licence = "CC BY 4.0"
    whole.licenceURL = "https://creativecommons.org/licenses/by/4.0/"
    whole.rating = "g"
    whole.tags = ["cat", "Tänzer"]
    whole.posted = 1_709_164_800
    var lent = reference("lent")
    lent.cachePolicy = .sessionOnly
    let next = PageToken(source: "tests", parameters: ["offset": "3"])
    let page = ResultPage(items: [whole, lent, reference("third")], next: next, total: 40)
    try await library.storePage(page, of: .search(query: "Dancing Cat"), isFirst: true, at: 1_700_000_000)
    try await library.storePage(page, of: .trending(source: nil), isFirst: true, at: 1_700_000_001)
    try await library.setFavourite(whole, true, at: 1_700_000_002)
    try await library.setFavourite(lent, true, at: 1_700_000_003)
    try await library.markViewed(whole, at: 1_700_000_004)
    try await library.markViewed(whole, at: 1_700_000_005)
    try await library.markViewed(reference("viewed"), at: 1_700_000_006)
    try await library.setDismissed([reference("third")], true, at: 1_700_000_007)
    printLine("filled")
}

let arguments = CommandLine.arguments
do {
    switch arguments.count > 2 ? arguments[1] : "" {
    case "fill": try await fill(arguments[2])
    case "add-favourites" where arguments.count > 4:
        try await addFavourites(arguments[2], arguments[3], count: Int(arguments[4]) ?? 0)
    default: printLine("unknown command")
    }
} catch {
    printLine("\(error)")
    exit(1)
}
