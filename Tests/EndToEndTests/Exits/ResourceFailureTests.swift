import CSpawn
import Foundation
import TestServer
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct ResourceFailureTests {
    private static func sample(_ name: String) throws -> [UInt8] {
        try Binary.bytes(name)
    }

    // MARK: - The decoding thread

    @Test("If a file is damaged in the middle, its intact frames play and the damage is reported")
    func damagedFile() throws {
        let pane = try ShellPane()
        var bytes = try Self.sample("campfire")
        for index in bytes.count / 3..<bytes.count / 2 { bytes[index] ^= 0x5A }
        try pane.folder.write(bytes, to: "a.gif")
        try pane.play("--loop forever --speed max --loop-cache 0 a.gif", until: "damaged")
        try pane.tmux.press("q")
        try pane.expectRestored(
            status: 0, printed: ["gifplay: a.gif: damaged: unknown data after frame 8, the rest is not read"])
    }

    @Test(
        "If a file is truncated during playback, the program ends with an error message",
        arguments: [
            (0, "the file is empty"), (9, "the file ends within its header"),
            (25, "there is no image in the file (the file ends early)"),
        ])
    func truncatedDuringPlayback(length: Int, message: String) throws {
        let pane = try ShellPane()
        // The header of this GIF, with its palette of four colours, is 25 bytes long.
        let gif = GIFBuilder(width: 8, height: 8).frame(1, delay: 2, width: 8, height: 8)
            .frame(2, delay: 2, width: 8, height: 8).trailer()
        try pane.folder.write(gif.bytes, to: "a.gif")
        try pane.play("--loop forever --loop-cache 0 a.gif", until: "a.gif")
        #expect(truncate(pane.path("a.gif"), length) == 0)
        try pane.expectRestored(status: 1, printed: ["gifplay: a.gif: \(message)"])
    }

    @Test("If the first read of a file fails, the program ends with an error message")
    func readError() throws {
        let pane = try ShellPane()
        // /proc/self/mem is the memory of the program. Address 0 is not mapped, so the first read fails with EIO.
        try pane.play("--file /proc/self/mem")
        try pane.expectRestored(
            status: 1, printed: ["gifplay: /proc/self/mem: cannot be read: Input/output error (read)"])
    }

    @Test("If a pipe is closed before the first frame, the program ends with an error message")
    func closedPipe() throws {
        let pane = try ShellPane()
        try pane.play("-", line: "printf GIF89a | ./play")
        try pane.expectRestored(status: 1, printed: ["gifplay: standard input: the file ends within its header"])
    }

    @Test(
        "After a read error, the received frames play; if no frame was received, the error is reported",
        arguments: [true, false])
    func connectionReset(isAfterFirstFrame: Bool) throws {
        let pane = try ShellPane()
        let bytes = try Self.sample("campfire")
        let gate = Gate()
        let server = try RawServer { connection, _ in
            connection.send(Array(bytes.prefix(isAfterFirstFrame ? bytes.count / 2 : 3)))
            gate.wait()
            connection.reset()
        }
        try pane.play("--loop forever -", line: "./play < /dev/tcp/127.0.0.1/\(server.port)")
        if isAfterFirstFrame {
            try pane.tmux.wait(forText: "standard input")
            gate.open()
            // After the read error, the animation repeats the received frames.
            try pane.tmux.press("Space", ".", ".", ".", until: "paused")
            try pane.quit()
        } else {
            gate.open()
            try pane.expectRestored(
                status: 1, printed: ["gifplay: standard input: cannot be read: Connection reset by peer (read)"])
        }
    }

    // MARK: - Memory

    /// Returns the peak address space in KiB of the program while it plays a small GIF.
    private func usualPeak(_ pane: ShellPane) throws -> Int {
        try pane.play("'dancing cat'", until: "built-in")
        let status = try String(contentsOfFile: "/proc/\(try pane.process())/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmPeak:") })
        try pane.quit()
        return try #require(Int(line.filter(\.isNumber)))
    }

    /// Returns a GIF with frames that cover a large canvas but contain almost no data.
    private func hugeGIF(side: Int, disposal: Int, frames: Int) -> [UInt8] {
        var gif = GIFBuilder(width: side, height: side).loop(0)
        for _ in 0..<frames {
            gif = gif.control(delay: 5, disposal: disposal).image(
                width: side, height: side, data: [0, 0, 0], codeSize: 2)
        }
        return gif.trailer().bytes
    }

    /// Returns shell commands that limit the address space. If the program was built with a sanitizer, which reserves
    /// terabytes of address space, the commands limit the size of a single allocation instead.
    ///
    /// - Parameter folder: the directory for the sanitizer's reports of refused allocations, which are expected.
    private func limit(kibibytes: Int, allocation mebibytes: Int, folder: String) -> String {
        guard Binary.isSanitized else { return "ulimit -c 0; ulimit -v \(kibibytes)" }
        let options = "log_path=\(folder)/refused:allocator_may_return_null=1:max_allocation_size_mb=\(mebibytes)"
        return "export ASAN_OPTIONS='\(options)' TSAN_OPTIONS='\(options)'"
    }

    @Test("If there is not enough memory for the canvas, an error is reported") func outOfMemory() throws {
        let pane = try ShellPane()
        try pane.folder.write(hugeGIF(side: 4096, disposal: 1, frames: 1), to: "huge.gif")
        let limit = limit(kibibytes: try usualPeak(pane) + 24 << 10, allocation: 24, folder: pane.path("."))
        try pane.play("huge.gif", preparation: limit)
        try pane.expectRestored(
            status: 1, printed: ["gifplay: huge.gif: not enough memory to decode the file"])
    }

    @Test("With every tested memory limit, the program either plays the GIF or reports that memory is exhausted")
    func anyMemoryLimit() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(hugeGIF(side: 2048, disposal: 3, frames: 2), to: "huge.gif")
        let usual = try usualPeak(ShellPane())
        var outcomes: Set<Int32> = []
        // The canvas takes 8 MiB, the saved copy of the pixels under a frame 8 MiB, and a decoded frame 4 MiB. The
        // lowest limit is 92 MiB below the peak with a small GIF, because most of this peak is address space of malloc
        // heaps, which the program can do without. With even lower limits, small allocations fail and Swift ends the
        // process.
        for mebibytes in stride(from: -92, through: 16, by: 12) {
            let limit = limit(
                kibibytes: usual + mebibytes << 10, allocation: 4 + (mebibytes + 92) / 4, folder: folder.url.path)
            let terminal = try PseudoTerminal(
                ["-c", "\(limit); exec \"$0\" --loop 1 --speed max \"$1\"", Binary.path, file], path: "/bin/sh")
            let status = try terminal.finish()
            outcomes.insert(status)
            #expect(status == 0 || status == 1, "\(mebibytes) MiB: \(terminal.text.suffix(300).debugDescription)")
            #expect(terminal.text.contains("not enough memory to decode the file") == (status == 1))
        }
        #expect(outcomes.contains(0))
        if Binary.isSanitized { #expect(outcomes.contains(1)) }
    }

    // MARK: - Descriptors

    @Test("If the limit of open files is too low, the gallery ends with an error message", arguments: [5, 7, 10, 12])
    func fewDescriptors(count: Int) throws {
        let terminal = try PseudoTerminal(
            ["-c", "ulimit -c 0; ulimit -n \(count); exec \"$0\" browse --offline", Binary.path], path: "/bin/sh")
        #expect(try terminal.finish() == 1)
        #expect(terminal.text.hasPrefix("gifplay: browse: only "), "\(terminal.text)")
        #expect(terminal.text.contains("ulimit -n 256"))
    }

    // MARK: - Disks

    private static let mounting: Comment = "this process may not mount file systems"

    /// Plays a download that gifplay cannot write to the cache, and expects the message that the GIF was not cached.
    ///
    /// - Parameter onRequest: called when the fake server receives the request for the file.
    private func playUncached(_ pane: ShellPane, reason: String, onRequest: @escaping @Sendable () -> Void = {}) throws
    {
        let bytes = try Self.sample("campfire")
        let site = try FakeSite { _, _ in
            onRequest()
            return .init(body: bytes)
        }
        try pane.play(
            "--loop forever '\(site.base)/a.gif'",
            environment: ["GIFPLAY_OFFLINE": "0", "XDG_CACHE_HOME": pane.path("cache")])
        try pane.tmux.wait(forText: "a.gif")
        try pane.tmux.press("Space", until: "paused")
        try pane.tmux.press("q")
        try pane.expectRestored(
            status: 0,
            printed: [
                "gifplay: the media cache failed: \(reason) (write); the GIF was played, but not cached"
            ])
        #expect(try FileManager.default.contentsOfDirectory(atPath: pane.path("cache/gifplay/media")).isEmpty)
    }

    @Test(
        "If the cache's disk is full, the GIF plays and the failure is reported at the exit",
        .enabled(if: SmallDisk.isPossible, mounting))
    func fullCache() throws {
        let pane = try ShellPane()
        let disk = try SmallDisk(pane.path("cache"), bytes: 16 << 10)
        try playUncached(pane, reason: "No space left on device")
        withExtendedLifetime(disk) {}
    }

    @Test("If a file size limit prevents caching, the GIF plays and the failure is reported at the exit")
    func fileSizeLimit() throws {
        let pane = try ShellPane()
        // The limit is set while the program runs, because the thread sanitizer creates larger files at startup.
        let pid = pane.path("pid")
        try playUncached(pane, reason: "File too large") {
            if let process = try? ShellPane.process(in: pid) { limit_files(process, 4096) }
        }
    }

    @Test(
        "If the library cannot be written, browsing works and the failure is reported at the exit",
        .enabled(if: SmallDisk.isPossible, mounting))
    func fullLibrary() throws {
        let pane = try ShellPane()
        let home = try BrowserHome()
        let data = home.folder.path("data")
        let disk = try SmallDisk(data, bytes: 24 << 10)
        try pane.play("browse octopus", environment: home.environment(), until: "Octopus 1")
        try pane.tmux.press("Enter")
        // The grid shows the title and the credit, too, but not this hint.
        try pane.tmux.wait(forText: "Esc back")
        try pane.tmux.press("Escape", until: "/ search  ? keys")
        try pane.tmux.press("q")
        let file = "\(data)/gifplay/library.sqlite"
        try pane.expectRestored(
            status: 1,
            printed: [
                "gifplay: \(file) cannot be opened: disk I/O error: No space left on device; nothing of this session is stored"
            ])
        withExtendedLifetime(disk) {}
    }

    @Test("Saving to a full disk reports the error and leaves no file", .enabled(if: SmallDisk.isPossible, mounting))
    func fullDownloads() throws {
        // The message contains a long path before the reason, so the pane must be wide.
        let pane = try ShellPane(columns: 200)
        let home = try BrowserHome()
        let disk = try SmallDisk(home.downloads.path, bytes: 8 << 10)
        try pane.play("browse octopus", environment: home.environment(), until: "Octopus 1")
        try pane.tmux.press("s", until: "not saved: ")
        try pane.tmux.wait(forText: "No space left on device")
        try pane.quit()
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
    }
}
