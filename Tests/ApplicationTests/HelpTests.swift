import Base
import Foundation
import Testing

@testable import Application

/// Tests that a person finds things with `-h` and the manual alone.
@Suite struct HelpTests {
    /// Tasks, and a text in `-h` or the manual that says how to do each of them.
    private static let tasks = [
        ("play twice as fast", "--speed <factor>      Speed from 0.01 to 100"),
        ("choose the size", "-s, --size <size>         Largest number of columns and rows, such as 80x24"),
        ("use no network", "--offline             Use no network"),
        ("record to a file", "gifplay record cat.gif -o a.svg"),
        ("change the interval of random GIFs", "--every <time>        Time for each random GIF"),
        ("save the displayed GIF", "Save the original"), ("set a key for GIPHY", "GIPHY_API_KEY"),
        ("choose 256 colours", "Colours of the terminal: 24bit, 256, 16, 8, none or auto"),
        ("list results as JSON", "Fl -format Ar format"), ("find the configuration", ".config/gifplay/config"),
        ("play standard input", "which is standard input"),
        ("follow the URL of a camera", "or of a URL when it changes"),
    ]

    @Test("The short help or the manual contains how to do each of twelve common tasks", arguments: tasks)
    func finds(task: String, text: String) {
        let manual = Generator.text("man").replacing("\\-", with: "-")
        #expect((Help.shortText + "\n" + manual).contains(text), "\(task)")
    }

    @Test("The help of 'play' and of the program begins with the most used options", arguments: [Command.play, nil])
    func mostUsed(command: Command?) throws {
        let lines = Help.text(command)
        let begin = try #require(lines.firstIndex(of: "Most used:"))
        #expect(lines.firstIndex(of: "What plays:").map { $0 > begin } == true)
        #expect(lines[begin + 1].contains("--search"))
    }

    @Test("The help of each command names each of its options once", arguments: Command.allCases)
    func complete(command: Command) {
        let lines = Help.text(command).filter { !$0.hasPrefix(String(repeating: " ", count: 28)) }
        for option in Option.visible(for: command) {
            #expect(lines.count { $0.hasPrefix("  ") && $0.contains(Help.names(option)) } == 1, "\(option.name)")
        }
        #expect(command == .play || !lines.contains("Most used:"))
    }

    @Test("The short help fits into a screen of 80x24")
    func screen() {
        let lines = Help.shortText.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count < 24 && lines.allSatisfy { $0.count <= 80 })
    }
}

@Suite struct GuideTests {
    private let guide: String

    init() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        guide = try String(contentsOf: package.appendingPathComponent("docs/GUIDE.md"), encoding: .utf8)
    }

    @Test("The example configuration in the guide is valid")
    func configuration() throws {
        let block = try #require(guide.components(separatedBy: "```sh\n# ~/.config/gifplay/config\n").dropFirst().first)
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
