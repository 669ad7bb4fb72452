import Base
import Foundation
import Testing

@testable import Application

@Suite struct GuideTests {
    private let guide: String

    init() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        guide = try String(contentsOf: package.appendingPathComponent("docs/GUIDE.md"), encoding: .utf8)
    }

    @Test("The example configuration in the guide is valid")
    func configuration() throws {
        let block = try #require(
            guide.components(separatedBy: "```sh\n# ~/.config/gifplay/config\n").dropFirst().first)
        let text = try #require(block.components(separatedBy: "\n```").first)
        var settings = try Settings(ignoresFiles: true, environment: [:])
        try ConfigurationFile.parse(Array(text.utf8), "docs/GUIDE.md") { setting throws(Failure) in
            try settings.apply(setting)
        }
        #expect(settings.catalog.order == ["commons", "gifcities", "samples"])
        #expect(settings.switchInterval == 10_000_000_000 && settings.cacheBytes == 512 << 20)
        #expect(settings.catalog.reddit.communities == ["gifs", "catgifs"])
        // With a key, each command would warn if others can read the file.
        #expect(settings.catalog.keys.isEmpty)
        #expect(settings.catalog.endpoints["commons"] != nil)
    }
}
