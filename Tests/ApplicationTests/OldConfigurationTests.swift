import Testing

@testable import Application

@Suite("Old configuration") struct OldConfigurationTests {
    private static let text = """
        sources = ["commons", 'gifcities',"samples" ] # order
        rating = "g"
        language = "en"   # two letters
        every = 10
        report-use = true
        colors = 256
        contact = "a # b"
        cache-size = "512M
        [keys]     # a table
        giphy = "hush"
        [endpoints]
        commons = "https://a.example"
        gifcities = ["https://a", "https://b"]
        [reddit]
        communities = ["gifs", "catgifs"]
        client-id = "app"
        client-secret = "hush"
        username = "me"
        feed = 'hush'
        user = "reader"
        [x.y]
        a.b = 1
        nonsense
        """
    private static let expected = """
        --sources commons,gifcities,samples
        --rating g
        --lang en
        --every 10
        --report-use
        --colors 256
        --contact a # b
        # line 8 of config.toml is left out
        # the key is in line 10 of config.toml
        --key giphy=…
        --endpoint commons=https://a.example
        --endpoint gifcities=https://a,https://b
        --reddit gifs,catgifs
        # line 16 of config.toml is left out
        # line 17 of config.toml is left out
        --reddit-username me
        # the key is in line 19 of config.toml
        --key reddit.feed=…
        --reddit-feed-user reader
        # line 22 of config.toml is left out
        # line 23 of config.toml is left out
        """

    @Test("The settings of the old config.toml become lines of the new file; lines that are not read are named")
    func lines() {
        #expect(OldConfiguration.lines(Self.text).joined(separator: "\n") == Self.expected)
    }
}
