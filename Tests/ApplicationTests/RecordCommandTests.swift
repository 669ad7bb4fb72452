import Base
import Catalog
import TestServer
import Testing

@testable import Application

@Suite("Record command") struct RecordCommandTests {
    private func title(of item: GIFReference) -> String {
        RecordCommand.title(of: FetchedItem(item))
    }

    @Test("The title of a recording does not contain the folder of the file, because the folder is private")
    func localTitle() {
        #expect(title(of: .file("/home/ann/cats/a.gif")) == "a.gif")
        #expect(title(of: .standardInput) == "standard input")
        #expect(title(of: .sample(Sample.all[0])) == Sample.all[0].title)
        #expect(title(of: .address("https://a.example/b.gif?key=secret")) == "b.gif")
    }

    @Test("The title of a recorded search result contains its credit and its link")
    func resultTitle() {
        let reference = GIFReference(
            provider: "commons", id: "1", title: "Cat", pageURL: "https://example.org/1", author: "Ann",
            licence: "CC0", attribution: "Cat — Ann, CC0 · https://example.org/1", renditions: [],
            cachePolicy: .persistent)
        let parts = title(of: reference).split(separator: " · ")
        #expect(parts.count == 3 && parts.first == "Cat" && parts.last == "https://example.org/1")
        #expect(parts.dropFirst().first?.contains("Ann") == true)
    }

    /// Returns the name of the item that would be recorded offline.
    private func item(_ arguments: [String]) throws -> String {
        let session = ServiceSession(try Settings(isOffline: true, size: (80, 48), environment: [:]))
        return try RecordCommand.parse(arguments + ["-o", "a.svg"]).fetch(GIFLoader(session), session).item.name
    }

    private func failure(_ arguments: String...) -> Failure? {
        do { _ = try item(arguments) } catch { return error as? Failure }
        return nil
    }

    @Test("One file, or the first result of a query, is recorded")
    func oneItem() throws {
        let folder = try TemporaryDirectory()
        try folder.write([1], to: "a.gif")
        #expect(try item([folder.path + "/a.gif"]) == folder.path + "/a.gif")
        #expect(try item(["--file", folder.path + "/a.gif"]) == folder.path + "/a.gif")
        #expect(try item(["dancing", "cat"]) == "dancing-cat")
        #expect(try item(["--search", "dancing cat"]) == "dancing-cat")
    }

    @Test("Several files, a missing file and a query without results are errors")
    func failures() {
        #expect(failure("/nonexistent/a.gif", "/nonexistent/b.gif")?.message.hasPrefix("/nonexistent/a.gif: ") == true)
        #expect(failure("/nonexistent/a.gif")?.message == "/nonexistent/a.gif: No such file or directory")
        #expect(failure("qqqqqqqqq")?.message.hasPrefix("nothing found for 'qqqqqqqqq'") == true)
        let several = failure("https://a.example/1.gif", "https://a.example/2.gif")
        #expect(several?.message == "record: 2 GIFs are named; record one at a time" && several?.status == .usage)
        let chosen = failure("https://a.example/1.gif", "--pick", "2")
        #expect(chosen?.message == "--pick: chooses among search results" && chosen?.status == .usage)
    }

    @Test("'record' requires '-o', and the number of '--pick' is at least 1")
    func parsing() throws {
        let command = try RecordCommand.parse(["dancing", "cat", "-o", "a.svg", "--pick", "3"])
        #expect(
            command.invocation.operands == ["dancing", "cat"] && command.output == "a.svg" && command.given.pick == 3)
        #expect(throws: (any Error).self) { try RecordCommand.parse(["cat"]) }
        #expect(throws: (any Error).self) { try RecordCommand.parse(["cat", "-o", "a.svg", "--pick", "0"]) }
    }
}
