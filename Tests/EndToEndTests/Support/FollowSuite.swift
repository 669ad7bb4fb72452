import Foundation
import TestSupport

/// What the tests of `--follow` share: a folder with GIFs, which differ by their colour, and a list that names GIFs.
protocol FollowSuite {
    var folder: TemporaryFolder { get }
}

extension FollowSuite {
    /// Follows a place, and reads until the GIF of a colour or a text is on the screen.
    func follow(
        _ place: String, _ options: [String] = [], columns: Int = 150, color: Int? = nil, until text: String? = nil
    ) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            ["--follow", place] + options, columns: columns, rows: 9, environment: ["GIFPLAY_OFFLINE": "0"], until: text
        )
        if let color { try terminal.read(color: color) }
        return terminal
    }

    @discardableResult
    func writeGIF(_ color: Int, to name: String) throws -> String {
        try folder.write(ColoredGIF.bytes(UInt8(color)), to: name)
    }

    /// Makes the list, which is a file or a named pipe, and returns its path.
    func makeList(isPipe: Bool, containing text: String = "") throws -> String {
        try isPipe ? folder.makePipe("list") : folder.write(text, to: "list")
    }

    func append(_ text: String, isPipe: Bool) throws {
        guard let handle = FileHandle(forUpdatingAtPath: folder.path("list")) else { throw CocoaError(.fileNoSuchFile) }
        if !isPipe { try handle.seekToEnd() }
        handle.write(Data(text.utf8))
        try handle.close()
    }

    /// Writes a line to a named pipe, once gifplay has opened it.
    func write(_ line: String, toPipe path: String) throws {
        guard let handle = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
        handle.write(Data((line + "\n").utf8))
        try handle.close()
    }
}

extension PseudoTerminal {
    /// Reads until the GIF of a colour is on the screen.
    func read(color: Int) throws { try read(until: ColoredGIF.sequences[color]) }

    /// Reads until the GIF of a colour is drawn again.
    func read(newColor color: Int, after act: () throws -> Void = {}) throws {
        let count = count(of: ColoredGIF.sequences[color])
        try act()
        try read("colour \(color)") { $0.count(of: ColoredGIF.sequences[color]) > count }
    }
}

/// GIFs that a test tells apart by their colour on the terminal.
enum ColoredGIF {
    /// A GIF of two frames whose picture has one of four colours.
    static func bytes(_ color: UInt8) -> [UInt8] {
        GIFBuilder(width: 8, height: 8).loop(0).frame(color, delay: 10, width: 8, height: 8)
            .frame(color, delay: 10, width: 8, height: 8).trailer().bytes
    }

    /// How the control sequence of each colour ends.
    static let sequences = ["0;0;0m", "255;0;0m", "0;255;0m", "0;0;255m"]
}
