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
        let block = try #require(
            readme.components(separatedBy: "```sh\n# ~/.config/gifplay/config\n").dropFirst().first)
        let text = try #require(block.components(separatedBy: "\n```").first)
        var settings = try Settings(ignoresFiles: true, environment: [:])
        try settings.apply(ConfigurationFile.parse(Array(text.utf8), "README.md"))
        #expect(settings.catalog.order == ["commons", "gifcities", "samples"])
        #expect(settings.switchInterval == 10_000_000_000 && settings.cacheBytes == 512 << 20)
        #expect(settings.catalog.reddit.communities == ["gifs", "catgifs"])
        #expect(settings.catalog.reddit.feedUser != nil)
        #expect(settings.catalog.keys.keys.sorted() == ["giphy", "reddit.feed"])
        #expect(settings.catalog.endpoints["commons"] != nil)
    }
}
