import Base
import Catalog
import Gallery
import LoadingSupport
import TestServer
import TestSupport
import Testing

@testable import Application

/// Texts that look like paths, at each entrance: the command line, and the field of the gallery with its suggestions.
@Suite(.timeLimit(.minutes(5))) struct TypedPathEntranceTests {
    private static let texts = [
        "/home/me/cat.gif", "/home/me/my cat.gif", "'/home/me/my cat.gif'", "\"/home/me/cat.gif\"",
        "/home/me/my\\ cat.gif", "~/cat.gif", "~/secret", "./cat", "../cat", "file:///home/me/cat%20x.gif",
        "C:\\Users\\me\\cat.gif", "\"C:\\Users\\me\\cat.gif\"", "\\\\server\\share\\cat.gif", "cat.gif", "cat.webp",
        "cat.png", "cat.mp4", "my cat.gif", "/home/me/a.gif /home/me/b.gif", "'/home/me/a b.gif' '/home/me/c.gif'",
        "$ gifplay ~/cat.gif", "$HOME/cat", "cats/", "Pictures/cat.gif", "smb://server/cat.gif", "cat.gif,",
        "(cat.gif).", "%USERPROFILE%\\cat.gif", "..\\cat.gif", "file:///C:/cat.gif", "trash:///cat.gif",
        "/secret plans", "images/my_cat",
    ]

    private func listings(_ repository: RepositoryDouble, isOffline: Bool = false) throws -> ServiceListings {
        let settings = try Settings(isOffline: isOffline, size: (80, 48), environment: [:])
        return ServiceListings(ServiceSession(settings), repository)
    }

    /// Resolves arguments offline.
    private func resolver(_ arguments: [String]) throws -> PlaylistResolver {
        let session = ServiceSession(try Settings(isOffline: true, size: (80, 48), environment: [:]))
        return PlaylistResolver(
            arguments: arguments.map(Argument.init), files: [], search: nil, session: session, choice: .first)
    }

    @Test("On the command line, the text is a file or an error, and no query", arguments: texts)
    func commandLine(text: String) throws {
        #expect(Argument(text).isNamed)
        #expect(try PlaylistResolver.nameFiles([Argument(text)], []))
        // Several missing files are several errors.
        let outcome = Result { try resolver([text]).playlist() }
        #expect((try? outcome.get()).map { $0.list.count == 0 && $0.errors.count == 2 } ?? true)
    }

    @Test(
        "In the gallery, the text is a file or an error, and neither a search nor suggestions get it", arguments: texts)
    func gallery(text: String) async throws {
        let repository = RepositoryDouble()
        let listings = try listings(repository)
        #expect(Feed.search(query: text).isLink)
        #expect(await listings.suggestions(for: text).isEmpty)
        let error = await thrown(Failure.self) { try await listings.page(of: .search(query: text), after: nil) }
        #expect(error?.message.contains(": ") == true)
        #expect(repository.calls.isEmpty)
    }

    @Test("In the gallery, existing files and folders are shown, however their paths are written")
    func existing() async throws {
        let folder = try TemporaryDirectory()
        for name in ["a b.gif", "it's.gif", "c.gif"] { try folder.write([1], to: name) }
        let path = folder.path
        let repository = RepositoryDouble()
        for (text, names) in [
            ("\(path)/a b.gif", ["a b.gif"]), ("'\(path)/a b.gif'", ["a b.gif"]), ("\(path)/a\\ b.gif ", ["a b.gif"]),
            ("'\(path)/it'\\''s.gif' '\(path)/c.gif'", ["it's.gif", "c.gif"]), ("\(path)/it's.gif", ["it's.gif"]),
            ("file://\(path)/a%20b.gif file://\(path)/c.gif", ["a b.gif", "c.gif"]),
            ("gifplay \(path)/c.gif", ["c.gif"]), (path, ["a b.gif", "c.gif", "it's.gif"]),
        ] {
            let page = try await listings(repository).page(of: .search(query: text), after: nil)
            #expect(page.items.map { $0.path?.split(separator: "/").last.map(String.init) ?? "" } == names, "\(text)")
        }
        #expect(repository.calls.isEmpty)
    }

    @Test("A query with a slash is searched for in the gallery", arguments: ["AC/DC", "24/7", "¯\\_(ツ)_/¯", "/shrug"])
    func query(text: String) async throws {
        let repository = RepositoryDouble("commons", [.success(ResultPage(items: [.titled("a")]))])
        #expect(try await listings(repository).page(of: .search(query: text), after: nil).items.count == 1)
    }

    @Test(
        "A reaction with a slash, asterisks, brackets or final punctuation is no path on the command line",
        arguments: [
            "10/10", "he/she", "and/or", "24/7", "n/a", "AC/DC", "ship it / lgtm", "/shrug", "/tableflip", "*hugs*",
            "*hugs*!", "**lgtm**", "*waves at everyone*", "thanks *hugs*", "[shrug]", "[x] done", "wat??", "what?!",
        ])
    func reactions(text: String) throws {
        #expect(try !PlaylistResolver.nameFiles([Argument(text)], []))
        // Without quotes, `*waves` could be a pattern.
        let words = text.hasPrefix("*waves") ? [text] : text.split(separator: " ").map(String.init)
        #expect(try !PlaylistResolver.nameFiles(words.map(Argument.init), []))
    }

    @Test("A word that is taken for a missing file has a hint at '--search'")
    func hints() {
        func message(_ arguments: String...) -> String? {
            thrown(Failure.self) { try resolver(arguments).playlist() }?.message
        }
        #expect(message("dancing cat.gif")?.hasSuffix("; to search for it: gifplay --search 'dancing cat'") == true)
        #expect(message("'dancing cat.gif'")?.hasSuffix("; to search for it: gifplay --search 'dancing cat'") == true)
        #expect(message("dancing", "cat.gif")?.hasSuffix(" for them: gifplay --search 'dancing cat'") == true)
        for (text, query) in [
            ("/secret", "secret"), ("/secret plans", "secret plans"), ("images/my_cat", "images/my_cat"),
            ("cats*", "cats*"), ("c?t", "c?t"), ("x[ab].y", "x[ab].y"), ("nope*.gif", "nope*"),
            ("dancing cat.gif,", "dancing cat"),
        ] {
            let end = "o such file or directory; to search for it: gifplay --search '\(query)'"
            #expect(message(text)?.hasSuffix(end) == true, "\(text)")
        }
        let hint = "to search for it: gifplay --search 'it'\\''s a/here'"
        #expect(message("it's a/here") == "a/here: looks like a path; \(hint)")
        // The working directory of the tests is the package.
        #expect(message("README.md", "cats")?.contains("--search 'cats'") == true)
        for path in ["/home/me/cat.gif", "/home/me/cat", "./cat", "~/cat"] {
            #expect(message(path)?.contains("--search") == false, "\(path)")
        }
        #expect(message("data:image/gif;base64,?") == "data: URL: not valid base64")
        #expect(message("\"C:\\cat.gif\"")?.contains("--search") == false)
    }
}
