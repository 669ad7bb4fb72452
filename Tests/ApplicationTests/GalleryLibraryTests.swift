import Base
import Catalog
import Gallery
import Library
import LoadingSupport
import TestServer
import Testing

@testable import Application

@Suite("Library of the gallery", .timeLimit(.minutes(5)))
struct GalleryLibraryTests {
    private let folder: TemporaryDirectory
    private let cat = GIFReference.titled("cat")

    init() throws { folder = try TemporaryDirectory() }

    private var path: String { folder.path + "/library.sqlite" }

    private func library(keepsHistory: Bool = true) -> GalleryLibrary {
        GalleryLibrary(path: path, options: Library.Options(keepsHistory: keepsHistory, lockSeconds: 0.5))
    }

    private func open(_ library: GalleryLibrary) {
        library.open(report: { _ in }, addMarks: { _ in })
    }

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
        do throws(Failure) {
            try await library.setFavourite(cat, true, at: 5)
            Issue.record("the write succeeded")
        } catch {
            #expect(error == library.failure)
        }
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
