import Base
import Glibc
import TestServer
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
        do throws(Failure) {
            _ = try RecordingWriter(path)
            Issue.record("the file was written")
        } catch {
            #expect(error.message == "\(path): cannot be written: No such file or directory")
            #expect(error.status == .failure)
        }
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
        do throws(Failure) {
            _ = try RecordingWriter(output, of: .file(file))
            Issue.record("the input is replaced")
        } catch {
            #expect(error.message == "\(output): is also the input; record to another file" && error.status == .usage)
        }
        #expect(try FileSystem.read(file, limit: 9) == [7])
        _ = try RecordingWriter(folder.path + "/other", of: .file(file))
    }
}
