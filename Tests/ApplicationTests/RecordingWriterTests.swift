import Base
import Catalog
import Glibc
import Pixels
import Playback
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite struct RecordingWriterTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Returns the bytes of the recording.
    private func content() throws -> [UInt8] {
        let file = Glibc.open(folder.path + "/a.cast", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        return try FileSystem.read(file, limit: 1_000)
    }

    @Test("The output file is created only when the recording is complete")
    func file() throws {
        let writer = try RecordingWriter(folder.path + "/a.cast")
        #expect(writer.write([1, 2]) && writer.write([3]))
        #expect(folder.names().isEmpty)
        try writer.finish()
        #expect(try content() == [1, 2, 3] && folder.names() == ["a.cast"])
    }

    @Test("An existing file does not change until the recording is complete")
    func unfinished() throws {
        try folder.write([9], to: "a.cast")
        let writer = try RecordingWriter(folder.path + "/a.cast")
        #expect(writer.write([1, 2]))
        #expect(try content() == [9])
        try writer.finish()
        #expect(try content() == [1, 2])
    }

    @Test("If the folder does not exist, the error contains the path of the recording")
    func missingFolder() {
        let path = folder.path + "/missing/a.cast"
        let error = thrown(Failure.self) { try RecordingWriter(path) }
        #expect(error?.message == "\(path): cannot be written: No such file or directory" && error?.status == .failure)
    }

    @Test(
        "A recording to the file that is recorded is refused under each of its names, and the file stays as it is",
        arguments: ["a.gif", "link", "hard", "descriptor"])
    func input(name: String) throws {
        try folder.write([7], to: "a.gif")
        let file = folder.path + "/a.gif"
        #expect(symlink("a.gif", folder.path + "/link") == 0 && Glibc.link(file, folder.path + "/hard") == 0)
        let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let output = name == "descriptor" ? "/dev/fd/\(descriptor)" : "\(folder.path)/\(name)"
        let error = thrown(Failure.self) { try RecordingWriter(output, of: .file(file)) }
        #expect(error?.message == "\(output): is also the input; record to another file" && error?.status == .usage)
        #expect(try FileSystem.read(file, limit: 9) == [7])
        _ = try RecordingWriter(folder.path + "/other", of: .file(file))
    }
}

@Suite("Record command") struct RecordCommandTests {
    private func title(of item: GIFReference) -> String { RecordCommand.title(of: FetchedItem(item)) }

    @Test("The title of a recording does not contain the folder of the file, because the folder is private")
    func localTitle() {
        #expect(title(of: .file("/home/ann/cats/a.gif")) == "a.gif")
        #expect(title(of: .standardInput) == "standard input")
        #expect(title(of: .sample(Sample.all[0])) == Sample.all[0].title)
        #expect(title(of: .address("https://a.example/b.gif?key=secret")) == "b.gif")
    }

    @Test("The title of a recorded search result contains its credit and its link")
    func resultTitle() {
        let reference = GIFReference(
            provider: "commons", id: "1", title: "Cat", pageURL: "https://example.org/1", author: "Ann",
            licence: "CC0", attribution: "Cat — Ann, CC0 · https://example.org/1", renditions: [],
            cachePolicy: .persistent)
        let parts = title(of: reference).split(separator: " · ")
        #expect(parts.count == 3 && parts.first == "Cat" && parts.last == "https://example.org/1")
        #expect(parts.dropFirst().first?.contains("Ann") == true)
    }

    /// Returns the name of the item that would be recorded offline.
    private func item(_ arguments: [String]) throws -> String {
        let session = ServiceSession(try Settings(isOffline: true, size: (80, 48), environment: [:]))
        return try RecordCommand.parse(arguments + ["-o", "a.svg"]).fetch(GIFLoader(session), session).item.name
    }

    private func failure(_ arguments: String...) -> Failure? { thrown(Failure.self) { try item(arguments) } }

    @Test("One file, or the first result of a query, is recorded")
    func oneItem() throws {
        let folder = try TemporaryDirectory()
        try folder.write([1], to: "a.gif")
        #expect(try item([folder.path + "/a.gif"]) == folder.path + "/a.gif")
        #expect(try item(["--file", folder.path + "/a.gif"]) == folder.path + "/a.gif")
        #expect(try item(["dancing", "cat"]) == "dancing-cat")
        #expect(try item(["--search", "dancing cat"]) == "dancing-cat")
    }

    @Test("Several files, a missing file and a query without results are errors")
    func failures() {
        #expect(failure("/nonexistent/a.gif", "/nonexistent/b.gif")?.message.hasPrefix("/nonexistent/a.gif: ") == true)
        #expect(failure("/nonexistent/a.gif")?.message == "/nonexistent/a.gif: No such file or directory")
        #expect(failure("qqqqqqqqq")?.message.hasPrefix("nothing found for 'qqqqqqqqq'") == true)
        let several = failure("https://a.example/1.gif", "https://a.example/2.gif")
        #expect(several?.message == "record: 2 GIFs are named; record one at a time" && several?.status == .usage)
        let chosen = failure("https://a.example/1.gif", "--pick", "2")
        #expect(chosen?.message == "--pick: chooses among search results" && chosen?.status == .usage)
    }

    @Test("'record' requires '-o', and the number of '--pick' is at least 1")
    func parsing() throws {
        let command = try RecordCommand.parse(["dancing", "cat", "-o", "a.svg", "--pick", "3"])
        #expect(
            command.invocation.operands == ["dancing", "cat"] && command.output == "a.svg" && command.given.pick == 3)
        #expect(throws: (any Error).self) { try RecordCommand.parse(["cat"]) }
        #expect(throws: (any Error).self) { try RecordCommand.parse(["cat", "-o", "a.svg", "--pick", "0"]) }
    }
}

/// Tests the text of an asciicast. RecordTests runs the real program and asciinema.
@Suite struct CastTests {
    private func lines(_ bytes: [UInt8], _ change: (inout PlaybackOptions) -> Void = { _ in }) throws -> [String] {
        var options = PlaybackOptions()
        options.loops = .times(1)
        change(&options)
        var recording: [UInt8] = []
        _ = try Recording.writeCast(
            GIFReader(MemoryByteSource(bytes)), size: CellSize(columns: 80, rows: 24), options: options,
            title: "a \"b\" \\ é"
        ) {
            recording += $0
            return true
        }
        return String(decoding: recording, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static let twoFrames = GIFBuilder(width: 2, height: 1).loop(0).control(delay: 5).image(
        width: 2, height: 1, [1, 2]
    )
    .control(delay: 7).image(width: 1, height: 1, [3]).trailer().bytes

    private func times(_ lines: [String]) -> [String] {
        lines.dropFirst().map { String($0.dropFirst().prefix { $0 != "," }) }
    }

    @Test("The header has the version, the size of the picture and the escaped title")
    func header() throws {
        #expect(
            try lines(Self.twoFrames).first
                == #"{"version": 2, "width": 80, "height": 20, "title": "a \"b\" \\ é"}"#)
    }

    @Test("The times of the updates are the sums of the delays, and the last line has the end of the last frame")
    func exactTimes() throws {
        #expect(times(try lines(Self.twoFrames)) == ["0", "0", "0.05", "0.12"])
        #expect(
            times(try lines(Self.twoFrames) { $0.loops = .times(2) }) == ["0", "0", "0.05", "0.12", "0.17", "0.24"])
        #expect(times(try lines(Self.twoFrames) { $0.speed = .factor(2) }) == ["0", "0", "0.025", "0.06"])
        let cut = try lines(Self.twoFrames) {
            $0.loops = .forever
            $0.duration = 130 * Span.millisecond
        }
        #expect(times(cut) == ["0", "0", "0.05", "0.12", "0.13"])
    }

    @Test("A time has at most nine decimals and no trailing zeros")
    func timeText() {
        let texts = [0, 1, 50_000_000, 1_000_000_000, 12_345_678_900].map {
            CastWriter.seconds(Instant(nanoseconds: $0))
        }
        #expect(texts == ["0", "0.000000001", "0.05", "1", "12.3456789"])
    }

    @Test("Escape characters, quotes and backslashes are escaped")
    func escaping() {
        let line = Array("\u{1B}[1m\"\\▀\u{7F}".utf8).withUnsafeBytes {
            CastWriter.update(at: Instant(nanoseconds: 0), $0)
        }
        #expect(String(decoding: line, as: UTF8.self) == "[0, \"o\", \"\\u001b[1m\\\"\\\\▀\\u007f\"]\n")
    }

    @Test("The recorded pane exceeds the picture by at most one row and one column and does not shrink the picture")
    func paneSize() {
        for width in stride(from: 1, through: 400, by: 7) {
            for height in stride(from: 1, through: 300, by: 11) {
                let canvas = PixelSize(width: width, height: height)
                let whole = CellSize(columns: 80, rows: 24)
                let fit = PictureFit()
                let pane = Recording.pane(canvas, in: whole, fit)
                let target = fit.target(for: canvas, in: whole)
                #expect(fit.target(for: canvas, in: pane) == target)
                #expect(pane.columns <= target.width + 1 && pane.rows <= (target.height + 1) / 2 + 1)
            }
        }
    }

    @Test("The recording ends when the output accepts no more data")
    func closedSink() throws {
        var options = PlaybackOptions()
        options.loops = .forever
        var count = 0
        _ = try Recording.writeCast(
            GIFReader(MemoryByteSource(Self.twoFrames)), size: CellSize(columns: 8, rows: 4), options: options,
            title: ""
        ) { _ in
            count += 1
            return count < 5
        }
        #expect(count == 5)
    }
}
