import Catalog
import TestServer
import Testing

@testable import Application

@Suite struct ServiceOptionsTests {
    private func message(_ arguments: [String]) -> String? {
        do { _ = try ServiceOptions.parse(arguments) } catch { return ServiceOptions.message(for: error) }
        return nil
    }

    @Test(
        "The options set the source, the certificates and the network, and letters of any case the rating and language")
    func values() throws {
        let folder = try TemporaryDirectory()
        try folder.write([1], to: "a.pem")
        let file = folder.path + "/a.pem"
        let options = try ServiceOptions.parse(
            ["--source", "giphy", "--rating", "R", "--lang", "DE", "--cacert", file, "--offline"])
        #expect(options.source == "giphy" && options.cacert == file && options.offline)
        #expect(options.rating == .r && options.lang == "de")
    }

    @Test("A certificate file that cannot be read is refused with the system's message")
    func certificates() {
        #expect(
            message(["--cacert", "/nonexistent/a.pem"]) == "--cacert /nonexistent/a.pem: No such file or directory")
    }

    @Test("An invalid rating or language is refused, and the message states the expected form")
    func invalid() {
        #expect(message(["--rating", "x"])?.contains("expected g, pg, pg-13 or r") == true)
        #expect(message(["--lang", "english"])?.contains("expected the two letters of a language") == true)
    }

    @Test(
        "The rating option accepts every rating of the services",
        arguments: [("g", Rating.g), ("PG", .pg), ("pg-13", .pg13), ("R", .r)])
    func ratings(text: String, rating: Rating) throws {
        #expect(try ServiceOptions.parse(["--rating", text]).rating == rating)
    }

    @Test("The language option accepts only two ASCII letters", arguments: ["", "d", "deu", "d1", "äö", "d "])
    func languages(text: String) {
        #expect((try? OptionValue.language(text)) == nil && (try? OptionValue.language("De")) == "de")
    }
}
