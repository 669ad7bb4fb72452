import Catalog
import TestServer
import Testing

@testable import Application

@Suite("Table of options") struct OptionTableTests {
    private func message(_ arguments: [String]) -> String? {
        do { _ = try Settings(given: Invocation(arguments)) } catch { return error.message }
        return nil
    }

    private func services(_ arguments: [String]) throws -> Settings {
        try Settings(given: Invocation(arguments))
    }

    @Test("Each command has one option for a name and for a letter, and the help is one sentence without a full stop")
    func rows() {
        for command in Command.allCases {
            let options = Option.table.filter { $0.belongs(to: command) }
            let names = options.flatMap { [$0.name] + [$0.negation].compactMap(\.self) }
            // The format of the results and the format of the recording share a name, but no command.
            #expect(names.count == Set(names).count, "\(command): \(names)")
            let letters = options.compactMap(\.short)
            #expect(letters.count == Set(letters).count, "\(command): \(letters)")
        }
        for option in Option.table where !option.isHidden {
            #expect(
                !option.help.hasSuffix(".") && option.help.first?.isLowercase == false || option.help.hasPrefix("'"))
            #expect(option.more.isEmpty || option.more.hasSuffix("."), "\(option.name)")
            #expect(!option.name.hasPrefix("-") && !option.name.contains("="))
        }
    }

    @Test("Every value that completion offers for an option is accepted")
    func values() throws {
        for option in Option.table {
            let command = try #require(Command.allCases.first { option.belongs(to: $0) })
            for value in option.values() {
                let words = command.name.split(separator: " ").map(String.init)
                #expect(message(words + ["--\(option.name)", value]) == nil, "\(option.name) \(value)")
            }
        }
    }

    @Test(
        "The options set the source, the certificates and the network, and letters of any case the rating and language")
    func sources() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Array("A comment\n-----BEGIN CERTIFICATE-----\n".utf8), to: "a.pem")
        let file = folder.path + "/a.pem"
        let services = try services(
            ["--source", "giphy", "--rating", "R", "--lang", "DE", "--cacert", file, "--offline"])
        #expect(services.source == "giphy" && services.fetch.caFile == file && services.isOffline)
        #expect(services.preferences.rating == .r && services.preferences.language == "de")
    }

    @Test("A certificate file that cannot be read, a folder and a file of another format are refused")
    func certificates() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Array("GIF89a".utf8), to: "a.gif")
        let (file, problem) = (folder.path + "/a.gif", "contains no certificates in the format PEM")
        #expect(message(["--cacert", file]) == "--cacert \(file): \(problem)")
        #expect(
            message(["--cacert", folder.path]) == "--cacert \(folder.path): is a folder; name a file with certificates")
        #expect(
            message(["--cacert", "/nonexistent/a.pem"]) == "--cacert /nonexistent/a.pem: No such file or directory")
    }

    @Test(
        "The rating option accepts every rating of the services",
        arguments: [("g", Rating.g), ("PG", .pg), ("pg-13", .pg13), ("R", .r)])
    func ratings(text: String, rating: Rating) throws {
        #expect(try services(["--rating", text]).preferences.rating == rating)
    }

    @Test("The language option accepts only two ASCII letters", arguments: ["", "d", "deu", "d1", "äö", "d "])
    func languages(text: String) {
        #expect((try? OptionValue.language(text)) == nil && (try? OptionValue.language("De")) == "de")
    }

    @Test("Lists replace each other; endpoints and communities add up")
    func repeated() throws {
        #expect(try services(["--sources", "giphy,commons", "--sources", "samples"]).catalog.order == ["samples"])
        let both = try services(["--endpoint", "commons=http://a/,http://b", "--endpoint", "giphy=http://c"]).catalog
        #expect(both.endpoints["commons"] == ServiceEndpoint(base: "http://a", others: ["http://b"]))
        #expect(both.endpoints["giphy"] == ServiceEndpoint(base: "http://c"))
        #expect(
            try services(["--reddit", "r/Gifs,/r/cats", "--reddit", "dogs,gifs"]).catalog.reddit.communities == [
                "gifs", "cats", "dogs",
            ])
    }

    @Test("A flag that the configuration can contain has a negation, and the last one counts")
    func negations() throws {
        #expect(try services(["--offline", "--no-offline"]).isOffline == false)
        #expect(try Settings(given: Invocation(["--no-history", "--history"])).keepsHistory)
        #expect(try !Settings(given: Invocation(["--history", "--no-history"])).keepsHistory)
        #expect(message(["--no-inline"]) == "--no-inline: unknown option; 'gifplay play --help' lists the options")
    }
}
