import Application
import Base
import Glibc
import TestServer
import Testing

@testable import gifplay

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
        let writer = RecordingWriter(folder.path + "/a.cast")
        #expect(writer.write([1, 2]) && writer.write([3]))
        #expect(folder.names().isEmpty)
        try writer.finish()
        #expect(try content() == [1, 2, 3] && folder.names() == ["a.cast"])
    }

    @Test("An existing file does not change until the recording is complete")
    func unfinished() throws {
        try folder.write([9], to: "a.cast")
        let writer = RecordingWriter(folder.path + "/a.cast")
        #expect(writer.write([1, 2]))
        #expect(try content() == [9])
        try writer.finish()
        #expect(try content() == [1, 2])
    }

    @Test("If the folder does not exist, the error contains the path of the recording")
    func missingFolder() {
        let path = folder.path + "/missing/a.cast"
        let writer = RecordingWriter(path)
        #expect(writer.write([1]))
        do throws(CommandError) {
            try writer.finish()
            Issue.record("the file was written")
        } catch {
            #expect(error.message == "\(path): cannot be written: No such file or directory")
            #expect(error.status == .failure)
        }
    }
}
