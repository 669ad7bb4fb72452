import Foundation
import Testing

/// Types random words after `/` in the real program, each in one write, and checks that none of their letters acts as a
/// command, while the service answers at once or not at all.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct TypedWordsCommandTests {
    private static let letters = Array("sfdyYoDqhjklnpmrugG?+-=.,123")

    /// Returns words with three to ten letters. Equal arguments give the same words.
    private func words(_ count: Int, prefix: String) -> [String] {
        var state = UInt32(count)
        func next(_ limit: Int) -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 8) % limit
        }
        return (0..<count).map { _ in
            prefix + String((0..<3 + next(8)).map { _ in Self.letters[next(Self.letters.count)] })
        }
    }

    private func expectNoCommand(_ driver: GalleryDriver, _ word: String) {
        for name in GalleryDriver.programs {
            #expect(!FileManager.default.fileExists(atPath: "\(driver.root)/\(name).given"), "\(word)")
        }
        #expect(!FileManager.default.fileExists(atPath: driver.downloads), "\(word)")
    }

    @Test("Words after '/' in the grid and in the large view are text", arguments: ["", "slow"])
    func gallery(prefix: String) throws {
        let site = try FakeCommons()
        let driver = try GalleryDriver(
            ["--source", "commons", "octopus"], folder: try TemporaryFolder(), environment: site.site.environment())
        try driver.wait(forText: "Octopus 1")
        for (index, word) in words(40, prefix: prefix).enumerated() {
            driver.terminal.send("/" + word)
            try driver.wait(forText: "/ " + word)
            expectNoCommand(driver, word)
            // Every second word is typed in the large view, if the service answers.
            driver.terminal.send("\r")
            guard index % 2 == 0, prefix.isEmpty else { continue }
            try driver.wait(forText: "Octopus 1")
            driver.terminal.send("\r")
        }
        site.gate.open()
        #expect(driver.terminal.reap(within: 0) == nil)
    }

    @Test("Words after '/' in the player reach the search field of the gallery, even before it is on the screen")
    func player() throws {
        for word in words(8, prefix: "") {
            let driver = try GalleryDriver(
                ["--offline", "dancing cat"], folder: try TemporaryFolder(), environment: [:], isPlayer: true)
            try driver.wait(forText: "Dancing cat")
            driver.terminal.send("/" + word)
            try driver.wait(forText: "/ " + word)
            expectNoCommand(driver, word)
            try driver.terminal.quit("\u{3}", status: 130)
        }
    }

    @Test("'/' in the player opens the gallery with its query, its folder or its list, and Esc returns to the GIF")
    func ownResults() throws {
        let sample = Binary.sample("dancing-cat")
        let cases = [
            (["--offline", "sleeping cat"], "“sleeping cat”"), ([sample], "“campfire”"),
            ([sample, Binary.sample("campfire")], "[dancing-cat.gif +1]"),
        ]
        for (arguments, expected) in cases {
            let driver = try GalleryDriver(
                arguments, folder: try TemporaryFolder(), environment: ["GIFPLAY_OFFLINE": "1"], isPlayer: true)
            try driver.wait(forText: "0:0")
            driver.terminal.send(expected.contains("campfire") ? "/campfire" : "/")
            try driver.wait(forText: expected)
            try driver.terminal.quit("\u{3}", status: 130)
        }
    }
}
