import Configuration
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
        let configuration = try Configuration.read(toml: text).configuration
        #expect(configuration.sources == ["commons", "gifcities", "samples"])
        #expect(configuration.switchInterval.flatMap(DurationValue.init)?.nanoseconds == 10_000_000_000)
        #expect(configuration.cacheSize.flatMap(CountValue.init)?.count == 512 << 20)
        #expect(configuration.reddit.communities == ["gifs", "catgifs"])
        #expect(configuration.reddit.clientIdentifier != nil && configuration.reddit.clientSecret != nil)
        #expect(configuration.keys["giphy"] != nil && configuration.endpoints["commons"]?.count == 1)
    }
}
