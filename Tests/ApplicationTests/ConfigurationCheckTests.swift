import TestServer
import Testing

@testable import Application

@Suite("Configuration check") struct ConfigurationCheckTests {
    @Test("The check reports where each API key is set, but not the key itself")
    func keys() throws {
        let environment = ["GIPHY_API_KEY": "hush"]
        let settings = try Settings(size: (80, 48), environment: environment)
        let findings = ConfigurationCheck.keys(settings)
        #expect(findings.map(\.status) == [.ok, .ok] && findings.allSatisfy { !$0.line.contains("hush") })
        #expect(findings.first?.text == "the key of GIPHY is from GIPHY_API_KEY")
        #expect(findings.last?.text.hasPrefix("KLIPY_API_KEY is not set, so ") == true)
        // If the environment variable is empty, the key comes from the configuration.
        let folder = try ConfigurationFolder("\n--key giphy=hush")
        let configured = try folder.withEnvironment(["GIPHY_API_KEY": ""]) { try Settings(environment: $0) }
        #expect(ConfigurationCheck.keys(configured).first?.text == "the key of GIPHY is from \(folder.path):2")
    }

    @Test("The check reports certificates that cannot be used, also those of a variable")
    func certificates() throws {
        let finding = ConfigurationCheck.certificates(try Settings(environment: ["SSL_CERT_FILE": "/nosuch/a.pem"]))
            .first
        #expect(finding?.status == .error && finding?.text == "/nosuch/a.pem: No such file or directory")
        #expect(ConfigurationCheck.certificates(try Settings(environment: ["SSL_CERT_FILE": "/dev/null"])).isEmpty)
        #expect(ConfigurationCheck.certificates(try Settings(environment: [:])).isEmpty)
    }

    @Test("The check reports the number of Reddit communities and whether public feeds are used")
    func communities() throws {
        var settings = try Settings(size: (80, 48), environment: [:])
        settings.catalog.reddit.communities = ["gifs", "cats"]
        #expect(ConfigurationCheck.keys(settings).last?.text == "2 communities; public feeds are used")
    }
}
