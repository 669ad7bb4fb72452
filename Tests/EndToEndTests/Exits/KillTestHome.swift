import Foundation
import Glibc
import Library
import TestSupport
import Testing

@testable import Catalog

/// The kind and the number of the events after which the program is killed.
struct KillTrigger {
    enum Kind: String, CaseIterable {
        /// The server sent a part of a file.
        case served = "server"
        /// A file in a watched directory was created, written, renamed, closed or deleted.
        case file
        /// The program wrote to the terminal.
        case output
    }

    var kind: Kind
    var count: Int

    static func random(_ generator: inout SeededRandom, most: Int) -> Self {
        let kind = [Kind.served, .file, .file, .output].randomElement(using: &generator) ?? .file
        return Self(kind: kind, count: Int.random(in: 1...most, using: &generator))
    }
}

/// Private cache, data, configuration and download directories. A test starts and kills several processes that use
/// them.
final class KillTestHome {
    private let folder: TemporaryFolder
    private let watch: Int32

    init() throws {
        folder = try TemporaryFolder()
        watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        _ = try folder.configure("--sources commons\n")
        for name in ["cache/gifplay/media", "data/gifplay", "downloads"] {
            let path = try folder.makeFolder(name)
            inotify_add_watch(watch, path, UInt32(IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_DELETE | IN_CLOSE))
        }
    }

    deinit { close(watch) }

    private func path(_ name: String) -> String { folder.path(name) }

    func environment(_ others: [String: String]) -> [String: String] {
        let own = [
            "XDG_CACHE_HOME": path("cache"), "XDG_DATA_HOME": path("data"), "XDG_CONFIG_HOME": path("config"),
            "XDG_DOWNLOAD_DIR": path("downloads"),
        ]
        return others.merging(own) { $1 }
    }

    // MARK: - The kill

    /// Starts gifplay on a terminal and kills it.
    /// - Parameters:
    ///   - served: the counter of the file parts that the server sent; nil if there is no server.
    ///   - trigger: the events after which gifplay is killed. If too few of them occur, gifplay is killed when no more
    ///     events of any kind occur.
    ///   - keys: the keys to send, one after each output of gifplay.
    /// - Returns: a description of the event at which gifplay was killed.
    func kill(
        _ arguments: [String], _ environment: [String: String], served: EventCounter?, after trigger: KillTrigger,
        keys: [String]
    ) throws -> String {
        _ = events()
        let terminal = try PseudoTerminal(arguments, environment: self.environment(environment))
        defer { terminal.kill() }
        var counts: [KillTrigger.Kind: Int] = [:]
        var left = keys[...]
        // The number of consecutive loop iterations without a file or server event. If the trigger is such an event,
        // the loop ends after more than 40 of these iterations, because the program can draw forever without causing a
        // file or server event.
        var without = 0
        var hasBegun = false
        while counts[trigger.kind, default: 0] < trigger.count {
            let happened = try terminal.awaitAny(of: [watch, served?.reading ?? -1], milliseconds: 400)
            let files = events()
            counts[.file, default: 0] += files
            counts[.served, default: 0] += served?.takeCount() ?? 0
            if happened.output {
                counts[.output, default: 0] += 1
                // Keys have no effect on an empty gallery, so the first key is sent after the first tile appears.
                hasBegun = hasBegun || !terminal.output.ranges(of: Array("Octopus 1".utf8)).isEmpty
                if hasBegun, let key = left.popFirst() { terminal.send(key) }
            }
            without = files > 0 || happened.others ? 0 : without + 1
            let isQuiet = !happened.output && files == 0 && !happened.others
            if isQuiet || (without > 40 && trigger.kind != .output) { return "without an event" }
        }
        return "at a \(trigger.kind.rawValue) event"
    }

    /// Returns the number of inotify events since the last call.
    private func events() -> Int {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var count = 0
        while true {
            let length = read(watch, &buffer, buffer.count)
            guard length > 0 else { return count }
            var offset = 0
            while offset + 16 <= length {
                count += 1
                // The name's length is the fourth field of an event; each field has four bytes.
                let name = buffer[offset + 12..<offset + 16].enumerated().reduce(0) { $0 | Int($1.1) << ($1.0 * 8) }
                offset += 16 + name
            }
        }
    }

    // MARK: - Remaining files

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []
    }

    var temporaryFiles: [String] { names(in: "cache/gifplay/media").filter { $0.hasSuffix(".tmp") } }

    var unfinishedDownloads: [String] { names(in: "downloads").filter { $0.hasPrefix(".") } }

    func expectIntactCache(_ round: Int) throws {
        for name in names(in: "cache/gifplay/media") where CacheEntry.isName(name) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path("cache/gifplay/media/\(name)")))
            #expect(CacheEntry.content(of: Array(bytes)) != nil, "round \(round): \(name)")
        }
        for name in names(in: "downloads") where !name.hasPrefix(".") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path("downloads/\(name)")))
            #expect(bytes.first == 0x47 && bytes.last == 0x3B, "round \(round): \(name)")
        }
    }

    func expectIntactLibrary(_ round: Int) throws {
        let file = path("data/gifplay/library.sqlite")
        guard FileManager.default.fileExists(atPath: file) else { return }
        let db = try Connection(path: file, lockSeconds: 5)
        let damages: [String] =
            try db.rows("PRAGMA integrity_check") { row in row[0] }
            + db.rows("PRAGMA foreign_key_check") { row in row[0] }
        #expect(damages == ["ok"], "round \(round)")
    }
}

extension PseudoTerminal {
    /// Waits until the program writes or one of `others` is readable, for at most `milliseconds`. Reads the output of
    /// the program.
    func awaitAny(of others: [Int32], milliseconds: Int32) throws -> (output: Bool, others: Bool) {
        var descriptors = ([descriptor] + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        let output = descriptors[0].revents != 0
        if output, try !readOnce(until: Date().addingTimeInterval(1)) {
            throw Failure(description: "the program ended by itself: \(text.suffix(300).debugDescription)")
        }
        return (output, descriptors[1...].contains { $0.revents != 0 })
    }
}
