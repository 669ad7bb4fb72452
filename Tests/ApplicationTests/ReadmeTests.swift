import Foundation
import Testing

@testable import Application

@Suite struct ReadmeTests {
    private let readme: String

    init() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        readme = try String(contentsOf: package.appendingPathComponent("README.md"), encoding: .utf8)
    }

    @Test("The example configuration in README is valid")
    func configuration() throws {
        let block = try #require(readme.components(separatedBy: "```toml\n").dropFirst().first)
        let text = try #require(block.components(separatedBy: "\n```").first)
        var settings = try Settings(ignoresFile: true, environment: [:])
        try settings.read(toml: text)
        #expect(settings.services.catalog.order == ["commons", "gifcities", "samples"])
        #expect(settings.playback.switchInterval == 10_000_000_000 && settings.services.cacheBytes == 512 << 20)
        #expect(settings.services.communities.names == ["gifs", "catgifs"])
        #expect(settings.services.communities.clientIdentifier != nil)
        #expect(settings.services.catalog.keys.keys.sorted().prefix(2) == ["giphy", "reddit"])
        #expect(settings.services.catalog.endpoints["commons"] != nil)
    }
}
