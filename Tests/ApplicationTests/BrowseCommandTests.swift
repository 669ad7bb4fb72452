import Base
import Catalog
import Library
import LoadingSupport
import TestServer
import TestSupport
import Testing

@testable import Application
@testable import Gallery

@Suite("Browse command") struct BrowseCommandTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A library that is not open.
    private var library: GalleryLibrary { GalleryLibrary(path: folder.path + "/library.sqlite", options: .init()) }

    @Test("A session reports why nothing is stored, or which favourites and dismissals are not; otherwise nothing")
    func storingProblem() {
        #expect(GalleryLibrary.problem(of: .success(library), UnstoredMarks()) == nil)
        let noFolder = GalleryLibrary.problem(of: .failure(Failure("no folder")), UnstoredMarks())
        #expect(noFolder?.message == "no folder; nothing of this session is stored")
        let marks = UnstoredMarks(favourites: 1, dismissed: 2)
        let counts = "not stored: 1 favourite, 2 dismissed; the library was locked or could not be written"
        let locked = GalleryLibrary.problem(of: .success(library), marks)
        #expect(locked?.message == "\(folder.path)/library.sqlite: \(counts)")
    }

    @Test("The options of 'browse' are parsed together with the search terms")
    func parsing() throws {
        let command = try BrowseCommand.parse(["dancing", "cat", "--plain", "--reduced-motion", "--no-history"])
        #expect(command.invocation.operands == ["dancing", "cat"])
        #expect(command.given.isPlain && command.given.reducesMotion)
        #expect(!command.given.keepsHistory && !command.given.isOffline && !command.given.isRecursive)
    }

    private func failure(_ arguments: [String]) -> Failure? {
        thrown(Failure.self) { try BrowseCommand.parse(arguments + ["--plain", "--offline"]).run() }
    }

    @Test("Arguments that name no files, or nothing that can be browsed, are refused with the reason")
    func refusals() throws {
        #expect(failure(["/nonexistent"])?.message == "/nonexistent: No such file or directory")
        #expect(failure(["missing.gif"])?.message == "missing.gif: No such file or directory")
        // The last part of the path names the folder, with and without a slash behind it.
        for name in ["pics", "e"] { try FileSystem.makeDirectory(folder.path + "/" + name) }
        for (name, end) in [("picz", "; did you mean \(folder.path)/pics?"), ("zzz", ""), ("f", "")] {
            for path in ["\(folder.path)/\(name)", "\(folder.path)/\(name)/", "\(folder.path)/\(name)//"] {
                #expect(failure([path])?.message == "\(path): No such file or directory" + end)
            }
        }
        #expect(failure([folder.path])?.message == "\(folder.path): no .gif file in this folder")
        for (arguments, message) in [
            (["cats", folder.path], "cats: no such file; to search for it: gifplay --search 'cats'"),
            (["--recursive", "cats"], "--recursive: no folder is named"), (["-r"], "--recursive: no folder is named"),
            (
                ["https://a.example/x.gif?key=1", folder.path],
                "https://a.example/x.gif: browse one link at a time, and no files beside it"
            ),
        ] {
            #expect(failure(arguments)?.message == message && failure(arguments)?.status == .usage)
        }
        #expect(throws: (any Error).self) { try BrowseCommand.parse(["--search", "cat", "dog"]) }
    }
}

@Suite("Library of the gallery", .timeLimit(.minutes(5)))
struct GalleryLibraryTests {
    private let folder: TemporaryDirectory
    private let cat = GIFReference.titled("cat")

    init() throws { folder = try TemporaryDirectory() }

    private var path: String { folder.path + "/library.sqlite" }

    private func library(keepsHistory: Bool = true) -> GalleryLibrary {
        GalleryLibrary(path: path, options: Library.Options(keepsHistory: keepsHistory, lockSeconds: 0.5))
    }

    private func open(_ library: GalleryLibrary) { library.open(report: { _ in }, addMarks: { _ in }) }

    @Test("A call waits until the library is open, and marks that were stored can be read")
    func marks() async throws {
        let library = library()
        let writing = Task { [cat] in try await library.setFavourite(cat, true, at: 5) }
        open(library)
        try await writing.value
        try await library.setDismissed([.titled("dog")], true, at: 6)
        try await library.markViewed(cat, at: 7)
        let marks = try await library.marks(of: [cat.key, GIFReference.titled("dog").key])
        #expect(marks[cat.key] == Marks(isFavourite: true, isViewed: true))
        #expect(marks[GIFReference.titled("dog").key] == Marks(isDismissed: true))
        #expect(try await library.listing(.favourites)?.items.map(\.title) == ["cat"])
        #expect(try await library.listing(.history)?.seconds == 7)
        #expect(library.failure == nil)
    }

    @Test("A stored page is returned as the listing of its feed")
    func listing() async throws {
        let library = library()
        open(library)
        let feed = Feed.search(query: "cat")
        #expect(try await library.listing(feed) == nil)
        try await library.storePage(ResultPage(items: [cat], total: 9), of: feed, isFirst: true, at: 5)
        let listing = try #require(try await library.listing(feed))
        #expect(listing.items.map(\.title) == ["cat"] && listing.total == 9 && listing.seconds == 5)
    }

    @Test("If the history is disabled, favourites are stored, but views are not")
    func noHistory() async throws {
        let library = library(keepsHistory: false)
        open(library)
        try await library.markViewed(cat, at: 5)
        try await library.setFavourite(cat, true, at: 6)
        #expect(try await library.marks(of: [cat.key]) == [cat.key: Marks(isFavourite: true)])
        try await library.setFavourite(cat, false, at: 7)
        #expect(try await library.marks(of: [cat.key])[cat.key]?.isFavourite != true)
    }

    @Test("If the file is not a library, nothing is read, and a write fails with the reason")
    func damaged() async throws {
        try folder.write(Array("rubbish\n".utf8), to: "library.sqlite")
        let library = library()
        open(library)
        #expect(try await library.listing(.favourites) == nil)
        #expect(try await library.marks(of: [cat.key]).isEmpty)
        let refusal = await thrown(Failure.self) { try await library.setFavourite(cat, true, at: 5) }
        #expect(refusal != nil && refusal == library.failure)
        #expect(library.failure?.message.hasPrefix("\(path) is damaged: ") == true)
    }

    @Test("A session that ends before the library is opened reports no failure")
    func notOpened() {
        #expect(library().failure == nil && folder.names().isEmpty)
    }

    @Test("Listings are stored separately for each rating, each language and each source that the user requests")
    func variants() throws {
        var chosen = try Settings(source: "giphy", size: (80, 48), environment: [:])
        chosen.preferences = ListingPreferences(rating: .pg13, language: "de")
        #expect(GalleryLibrary.options(chosen).variant == "pg-13 de giphy")
        #expect(GalleryLibrary.options(chosen).keepsHistory)
        var settings = try Settings(size: (80, 48), environment: [:])
        settings.keepsHistory = false
        let options = GalleryLibrary.options(settings)
        #expect(options.variant == "g en" && !options.keepsHistory)
    }
}
