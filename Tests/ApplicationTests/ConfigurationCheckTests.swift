import Testing

@testable import Application

@Suite("Configuration check") struct ConfigurationCheckTests {
    @Test("The check reports where each API key is set, but not the key itself")
    func keys() throws {
        let environment = ["GIPHY_API_KEY": "hush"]
        let settings = try Settings(size: (80, 48), environment: environment)
        let findings = ConfigurationCheck.keys(settings, environment)
        #expect(findings.map(\.status) == [.ok, .ok] && findings.allSatisfy { !$0.line.contains("hush") })
        #expect(findings.first?.text == "GIPHY_API_KEY is set in the environment")
        #expect(findings.last?.text.hasPrefix("KLIPY_API_KEY is not set, so ") == true)
        // If the environment variable is empty, the key comes from the configuration.
        let configured = ConfigurationCheck.keys(settings, ["GIPHY_API_KEY": ""])
        #expect(configured.first?.text == "GIPHY_API_KEY is set in the configuration")
    }

    @Test("The check reports the number of Reddit communities and whether public feeds are used")
    func communities() throws {
        var settings = try Settings(size: (80, 48), environment: [:])
        settings.catalog.reddit.communities = ["gifs", "cats"]
        #expect(ConfigurationCheck.keys(settings, [:]).last?.text == "2 communities; public feeds are used")
    }
}
