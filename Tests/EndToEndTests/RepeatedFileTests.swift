import Foundation
import Pixels
import TestSupport
import Testing

/// Tests GIF files that the terminal plays by itself. The test acts as the terminal.
@Suite(.ownThreads) struct RepeatedFileTests {
    private static let image = "\u{1B}]1337;File="

    @Test("A terminal that plays GIF files gets the file once, and then nothing until the last frame")
    func file() throws {
        let folder = try TemporaryFolder()
        let gif = NumberedAnimation(columns: 20, rows: 6, frames: 3, centiseconds: 10)
        let path = try folder.write(gif.bytes, to: "a.gif")
        let terminal = try PseudoTerminal(
            ["--mode", "iterm2", "--bare", "--loop", "4", path], columns: 20, rows: 6,
            cell: PixelSize(width: 8, height: 16), answers: false)
        var queries = 0
        try terminal.read("the end of the picture") { terminal in
            let count = terminal.text.components(separatedBy: "\u{1B}[c").count - 1
            for _ in queries..<count { terminal.send("\u{1B}P>|WezTerm 20240203-110809\u{1B}\\\u{1B}[?62;22c") }
            queries = count
            return terminal.text.contains("?1049l")
        }
        #expect(try terminal.finish() == 0)
        let images = terminal.text.components(separatedBy: Self.image).dropFirst()
        let files = images.compactMap { image -> [UInt8]? in
            let end = image.firstIndex(of: "\u{07}") ?? image.endIndex
            return image.firstIndex(of: ":").flatMap { Data(base64Encoded: String(image[$0..<end].dropFirst())) }
                .map { Array($0) }
        }
        #expect(files.count == images.count && files.filter { $0.starts(with: "GIF".utf8) }.count == 1)
        let rest = files.drop { !$0.starts(with: "GIF".utf8) }.dropFirst()
        // The last frame consists of six strips.
        #expect(!rest.isEmpty && rest.count <= 6)
    }
}
