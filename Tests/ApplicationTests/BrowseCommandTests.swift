import Base
import Catalog
import Library
import LoadingSupport
import TestServer
import Testing

@testable import Application
@testable import Gallery

@Suite("Browse command") struct BrowseCommandTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A library that is not open.
    private var library: GalleryLibrary { GalleryLibrary(path: folder.path + "/library.sqlite", options: .init()) }

    @Test("If everything was stored, no problem is reported")
    func stored() {
        #expect(GalleryLibrary.problem(of: .success(library), UnstoredMarks()) == nil)
    }

    @Test("If there is no folder for the library, nothing of the session is stored")
    func noFolder() {
        #expect(
            GalleryLibrary.problem(of: .failure(Failure("no folder")), UnstoredMarks())?.message
                == "no folder; nothing of this session is stored")
    }

    @Test("The message counts the favourites and dismissals that were not stored")
    func unstored() {
        let marks = UnstoredMarks(favourites: 1, dismissed: 2)
        #expect(
            GalleryLibrary.problem(of: .success(library), marks)?.message
                == "\(folder.path)/library.sqlite: not stored: 1 favourite, 2 dismissed; "
                + "the library was locked or could not be written")
    }

    @Test("The options of 'browse' are parsed together with the search terms")
    func parsing() throws {
        let command = try BrowseCommand.parse(["dancing", "cat", "--plain", "--reduced-motion", "--no-history"])
        #expect(command.invocation.operands == ["dancing", "cat"])
        #expect(command.given.isPlain && command.given.reducesMotion)
        #expect(!command.given.keepsHistory && !command.given.isOffline && !command.given.isRecursive)
    }

    private func failure(_ arguments: [String]) -> Failure? {
        do { try BrowseCommand.parse(arguments + ["--plain", "--offline"]).run() } catch {
            return error as? Failure
        }
        return nil
    }

    @Test("Arguments that name no files, or nothing that can be browsed, are refused with the reason")
    func refusals() throws {
        #expect(failure(["/nonexistent"])?.message == "/nonexistent: No such file or directory")
        #expect(
            failure(["missing.gif"])?.message
                == "missing.gif: No such file or directory")
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
