import Application
import Catalog
import Library
import LoadingSupport
import TestServer
import Testing

@testable import Gallery
@testable import gifplay

@Suite("Browse command") struct BrowseCommandTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A library that is not open.
    private var library: GalleryLibrary { GalleryLibrary(path: folder.path + "/library.sqlite", options: .init()) }

    @Test("If everything was stored, no problem is reported")
    func stored() {
        #expect(GallerySession.storingProblem(.success(library), UnstoredMarks()) == nil)
    }

    @Test("If there is no folder for the library, nothing of the session is stored")
    func noFolder() {
        #expect(
            GallerySession.storingProblem(.failure(CommandError("no folder")), UnstoredMarks())
                == "no folder; nothing of this session is stored")
    }

    @Test("The message counts the favourites and dismissals that were not stored")
    func unstored() {
        var marks = UnstoredMarks()
        marks.add(.setFavourite(.titled("cat"), true), 1)
        marks.add(.setDismissed([.titled("dog"), .titled("cow")], true), 1)
        #expect(
            GallerySession.storingProblem(.success(library), marks)
                == "\(folder.path)/library.sqlite: not stored: 1 favourite, 2 dismissed; "
                + "the library was locked or could not be written")
    }

    @Test("The options of 'browse' are parsed together with the search terms")
    func parsing() throws {
        let command = try BrowseCommand.parse(["dancing", "cat", "--plain", "--reduced-motion", "--no-history"])
        #expect(command.terms == ["dancing", "cat"] && command.plain && command.reducedMotion)
        #expect(command.history.noHistory && !command.services.offline)
    }
}
