import Base
import Catalog
import Glibc
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Playlist resolver")
struct PlaylistResolverTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        for name in ["b.gif", "a.GIF", ".hidden.gif", "note.txt"] { try folder.write([1], to: name) }
    }

    /// Resolves arguments offline.
    private func resolve(
        _ arguments: [String], files: [String] = [], search: String? = nil, source: String? = nil
    ) throws -> (list: Playlist, errors: [Failure]) {
        let settings = try Settings(source: source, isOffline: true, size: (80, 48), environment: [:])
        return try PlaylistResolver(
            arguments: arguments.map(Argument.init), files: files, search: search, session: ServiceSession(settings),
            choice: .first
        ).playlist()
    }

    private func failure(_ arguments: [String], search: String? = nil, source: String? = nil) -> Failure? {
        thrown(Failure.self) { try resolve(arguments, search: search, source: source) }
    }

    private func names(_ list: Playlist) -> [String] { list.upcoming.map(\.name) }

    @Test("A folder as an argument stands for its visible GIFs, sorted by name")
    func folders() throws {
        let (list, errors) = try resolve([folder.path])
        #expect(names(list) == ["a.GIF", "b.gif"].map { folder.path + "/" + $0 } && errors.isEmpty)
        #expect(list.needsNoDownload && !list.isEndless && !list.isOfResults)
    }

    @Test("Missing files are reported and the other files play; a missing file as the only argument is an error")
    func missing() throws {
        let (list, errors) = try resolve(["/nonexistent/a.gif", folder.path + "/b.gif"], files: ["/nonexistent/b"])
        #expect(names(list) == [folder.path + "/b.gif"])
        #expect(errors.map { String($0.message.prefix { $0 != ":" }) } == ["/nonexistent/b", "/nonexistent/a.gif"])
        #expect(failure(["/nonexistent/a.gif"])?.message.hasPrefix("/nonexistent/a.gif: ") == true)
    }

    @Test("The name of a file is no address, so nothing is requested in place of a file that has vanished")
    func vanishedFiles() throws {
        let names = ["http://127.0.0.1:1/a.gif", "giphy.com/gifs/x-abc", "cat"]
        let (list, errors) = try resolve([folder.path + "/b.gif"], files: names)
        #expect(list.count == 1 && errors.map(\.message) == names.map { "\($0): No such file or directory" })
    }

    @Test("HTTP and HTTPS URLs are items to download, and URLs with other schemes are refused")
    func addresses() throws {
        let (list, _) = try resolve(["https://a.example/x.gif?key=1"])
        #expect(names(list) == ["https://a.example/x.gif"] && !list.needsNoDownload)
        #expect(failure(["ftp://a.example/x.gif"])?.message.contains("not an http:// or https:// URL") == true)
    }

    @Test("Arguments that name no file form one query; a mixture of a query and a file is an error")
    func query() throws {
        let (list, _) = try resolve(["dancing", "cat"])
        #expect(list.isOfResults && list.needsNoDownload && names(list).first == "dancing-cat")
        let mixture = failure([folder.path, "cats"])
        #expect(mixture?.status == .usage)
        #expect(mixture?.message == "cats: no such file; to search for it: gifplay --search 'cats'")
        let rows = [
            (["bla.gif", "blub"], "bla.gif, blub", "bla blub"),
            (["blub", "bla.gif", folder.path], "blub, bla.gif", "blub bla"),
            (["https://a.example/x.gif", "a", "b"], "a, b", "a b"),
        ]
        for (arguments, files, query) in rows {
            let message = failure(arguments)?.message
            #expect(message == "\(files): no such files; to search for them: gifplay --search '\(query)'")
        }
    }

    @Test("A misspelt command is refused, unless it is given with '--search'")
    func misspelt() {
        #expect(failure(["sampels"])?.message.contains("did you mean 'gifplay samples'?") == true)
        #expect(failure([], search: "sampels")?.message.contains("did you mean 'gifplay") == false)
    }

    @Test("Offline, a query without a matching sample is an error, and so is a source that needs the network")
    func offline() {
        #expect(failure(["qqqqqqqqq"])?.message.hasPrefix("nothing found for 'qqqqqqqqq'") == true)
        #expect(
            failure(["cat"], source: "giphy")?.message
                == "giphy cannot be queried while --offline or GIFPLAY_OFFLINE is set")
    }

    @Test("Only files and standard input need no network")
    func needsNoService() {
        func isLocal(_ arguments: [String], search: String? = nil) -> Bool {
            PlaylistResolver.needsNoService(arguments: arguments.map(Argument.init), files: [], search: search)
        }
        #expect(isLocal([folder.path, "-"]) && isLocal(["missing.gif"]))
        #expect(!isLocal(["https://a.example/x.gif"]) && !isLocal(["cats"]) && !isLocal([folder.path], search: "cat"))
    }

    @Test("The results of a source that is given with '--source' are requested only when they are needed")
    func namedSource() throws {
        let (list, errors) = try resolve(["dancing", "cat"], source: "samples")
        #expect(
            list.isOfResults && list.search != nil && !list.needsNoDownload && names(list).isEmpty && errors.isEmpty)
    }

    /// Offline.
    private func results(of query: String, _ choice: ResultChoice) throws -> Playlist {
        let settings = try Settings(isOffline: true, size: (80, 48), environment: [:])
        return try PlaylistResolver(
            arguments: [], files: [], search: query, session: ServiceSession(settings), choice: choice
        ).playlist().list
    }

    @Test("Offline, the chosen result plays first, and the user can go back to those before it", arguments: 1...20)
    func choice(run: Int) throws {
        let names = SampleSearch().search("cat").map(\.name)
        var (list, generator) = (try results(of: "cat", .number(2)), SystemRandomNumberGenerator())
        #expect(list.needsNoDownload && list.upcoming.map(\.name) == Array(names.dropFirst()))
        #expect(list.next(&generator)?.name == names[1] && list.previous()?.name == names[0])
        list = try results(of: "cat", .any)
        let chosen = try #require(list.next(&generator)?.name)
        #expect(names.contains(chosen) && names.count > 1)
        #expect(list.upcoming.map(\.name) == Array(names.drop { $0 != chosen }.dropFirst()))
    }

    @Test("Offline, a number beyond the last result is reported")
    func numberTooLarge() {
        let error = thrown(Failure.self) { try results(of: "cat", .number(99)) }
        #expect(error?.message == "--pick 99: there are only \(SampleSearch().search("cat").count) results")
    }

    @Test("A folder without GIFs is an error; only regular files of a folder count as GIFs")
    func emptyFolder() throws {
        let empty = try TemporaryDirectory()
        try FileSystem.makeDirectory(empty.path + "/folder.gif")
        #expect(failure([empty.path])?.message == "\(empty.path): no .gif file in this folder")
        try empty.write([1], to: "cat.gif")
        #expect(try names(resolve([empty.path + "/"]).list) == [empty.path + "/cat.gif"])
    }

    @Test("A query without quotes, and a query in one argument, have the same results")
    func severalTerms() throws {
        #expect(try names(resolve(["dancing", "cat"]).list) == names(resolve(["dancing cat"]).list))
        #expect(try names(resolve([], search: "dancing cat").list) == names(resolve(["dancing cat"]).list))
    }

    @Test("The name of a file plays with the punctuation of a sentence around it, and an existing name as it is")
    func punctuation() throws {
        let path = folder.path + "/b.gif"
        let marks = [("", ","), ("", "."), ("", ")"), ("(", ")"), ("\"", "\""), ("“", "”."), ("'", "',")]
        for text in marks.map({ $0 + path + $1 }) {
            #expect(try names(resolve([text]).list) == [path], "\(text)")
        }
        try folder.write([1], to: "b.gif,")
        #expect(try names(resolve([path + ","]).list) == [path + ","])
        #expect(failure([folder.path + "/bb.gif,"])?.message.hasSuffix("; did you mean \(path)?") == true)
        #expect(failure([folder.path + "/?.gifs"])?.message.contains("did you mean") == false)
        #expect(failure([folder.path + "/c*.gif"])?.message.contains("did you mean") == false)
    }

    @Test(
        "The only file that looks the same plays: in another Unicode normalization, with other spaces, or not UTF-8",
        arguments: [
            ("m\u{FC}de.gif", "mu\u{308}de.gif"), ("cafe\u{301}.gif", "caf\u{E9}.gif"), ("a b.gif", "a  b.gif"),
            ("a b c.gif", "a\u{A0}b c.gif"),
            ("caf\u{FFFD}.gif", String(path: [0x63, 0x61, 0x66, 0xE9, 0x2E, 0x67, 0x69, 0x66])),
            ("m\u{FC}de/x y.gif", "mu\u{308}de/x y.gif"),
        ])
    func lookalike(typed: String, name: String) throws {
        let path = "\(folder.path)/\(name)"
        try FileSystem.makeDirectory(FileSystem.parent(of: path))
        let file = open(path.systemPath, O_CREAT | O_CLOEXEC, 0o600)
        #expect(file >= 0 && close(file) == 0)
        for text in ["\(folder.path)/\(typed)", "file://\(folder.path)/\(typed)", "'\(folder.path)/\(typed)'"] {
            let played = try #require(resolve([text]).list.upcoming.first?.path)
            #expect(Array(played.utf8) == Array(path.utf8), "\(text)")
        }
    }

    @Test("Of two files that look the same, none plays")
    func lookalikes() throws {
        for name in ["a  b.gif", "a   b.gif"] { try folder.write([1], to: name) }
        #expect(failure([folder.path + "/a b.gif"])?.message.contains("No such file") == true)
    }

    @Test("The words of an existing file name without quotes have a hint at the whole name")
    func spaces() throws {
        try folder.write([1], to: "my cat.gif")
        let hint = "\(folder.path)/my: no such file; did you mean '\(folder.path)/my cat.gif'?"
        #expect(failure([folder.path + "/my", "cat.gif"])?.message == hint)
        let (list, errors) = try resolve([folder.path + "/a.GIF", folder.path + "/b.gif"])
        #expect(names(list).count == 2 && errors.isEmpty)
    }

    @Test("A pattern without a word has no hint at '--search'", arguments: ["*.gif", "*", "?.gif", "/*.gif"])
    func pattern(text: String) {
        #expect(failure([text])?.message == "\(text): No such file or directory")
    }

    @Test("A name that looks like a file or a URL is never a query")
    func named() {
        let named = [
            "-", "/a", "./a", "../a", "~/a", "missing.gif", "Missing.GIF", "a cat.gif", "*", "cats*", "*.png",
            "x[ab].y", "https://a.example", "ftp://a", "giphy.com/gifs/x", "www.a.example", "data:,x", "file:///a",
        ]
        #expect(named.allSatisfy { Argument($0).isNamed })
        let queries = [
            "cats", "and/or", "*cats*", "what is love?", "mr.bean", "node.js", "e.g. cats", "data: cats", ".gif", "",
        ]
        #expect(!queries.contains { Argument($0).isNamed })
    }

    @Test("A file that is named with --file plays even if its name looks like a query or a URL")
    func file() throws {
        try folder.write([1], to: "cats")
        let list = try resolve([], files: [folder.path + "/cats"]).list
        #expect(names(list) == [folder.path + "/cats"] && list.needsNoDownload)
        #expect(failure(["dancing cat", folder.path + "/cats"])?.status == .usage)
    }
}
