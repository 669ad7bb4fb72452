import Catalog
import TestServer
import Testing

@testable import Application

@Suite struct RedditSettingsTests {
    private static let table = """
        --reddit r/Kettles,cups,/r/kettles
        --reddit-feed-user reader
        --key reddit.feed=Hu5h
        --reddit-username me
        --endpoint reddit=https://a.example/,https://b.example
        """

    /// Returns the settings that result from a configuration file with this text and these environment variables.
    private func settings(_ text: String, _ additions: [String: String] = [:]) throws -> Settings {
        try ConfigurationFolder(text).withEnvironment(additions) { try Settings(environment: $0) }
    }

    @Test("Community names lose their prefix, and duplicates are removed; by default, there are no communities")
    func names() throws {
        let wanted = try settings(Self.table).catalog.reddit
        #expect(wanted.communities == ["kettles", "cups"])
        #expect(wanted.feedUser == "reader" && wanted.username == "me")
        #expect(try settings("").catalog.reddit.communities.isEmpty)
    }

    @Test("The token of the feed is absent from dumps and is redacted from text")
    func secret() throws {
        let settings = try settings(Self.table)
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(dumped.contains("reader") && !dumped.contains("Hu5h"))
        #expect(settings.catalog.redactor("a hu5h b") == "a (key) b")
    }

    @Test("Endpoints from the environment override endpoints from the configuration file")
    func addresses() throws {
        let name = RedditSettings.source
        let file = try settings(Self.table).catalog.endpoints[name]
        #expect(file?.base == "https://a.example" && file?.others == ["https://b.example"])
        let variable = ["GIFPLAY_ENDPOINT_REDDIT": "http://c.example,http://d.example/"]
        let shell = try settings(Self.table, variable).catalog.endpoints[name]
        #expect(shell?.base == "http://c.example" && shell?.others == ["http://d.example"])
    }
}
