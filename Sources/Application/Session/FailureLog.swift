import Base
import Catalog
import FoundationEssentials
import Glibc

/// The last failure of each source, in a small file beside the media cache.
///
/// `gifplay sources` prints this log. At the start, a source that failed within the last minute is queried last.
public struct FailureLog: Sendable {
    public struct Entry: Codable, Equatable {
        /// The time of the failure, in seconds since 1970.
        public var seconds: Int
        /// Contains no keys.
        public var message: String

        private enum CodingKeys: String, CodingKey {
            case seconds
            case message = "sentence"
        }
    }

    /// Nil if there is no cache directory.
    public let path: String?

    public init(cacheDirectory: String?) { path = cacheDirectory.map { FileSystem.parent(of: $0) + "/failures.json" } }

    /// By source name, without those at an impossible time. Empty if the file is missing or cannot be decoded.
    public var entries: [String: Entry] {
        // Foundation of Swift 6.0 ends the process at a text that is not UTF-8.
        let text = (try? content).flatMap { String(validating: $0, as: UTF8.self) }
        let entries = text.flatMap { try? JSONDecoder().decode([String: Entry].self, from: Data($0.utf8)) } ?? [:]
        return entries.filter { Int(outside: $0.value.seconds) != nil }
    }

    /// Why the file cannot be read; nil if it can be read or does not exist.
    public var problem: String? {
        do throws(Failure) { _ = try content } catch { return "\(path ?? ""): cannot be read: \(error.message)" }
        return nil
    }

    private var content: [UInt8] {
        get throws(Failure) {
            guard let path, try FileSystem.status(path) != nil else { return [] }
            return try FileSystem.read(path, limit: 1 << 20, waits: false)
        }
    }

    private static let recentSeconds = 60

    /// The remaining seconds at the end of the query order, for each source that failed within the last minute.
    var recent: [String: Int] {
        let now = Int(time(nil))
        return entries.compactMapValues { entry in
            let remaining = entry.seconds + Self.recentSeconds - now
            return (1...Self.recentSeconds).contains(remaining) ? remaining : nil
        }
    }

    func record(_ failure: Failure) {
        guard let path, problem == nil else { return }
        // A FIFO would block the writer.
        if let status = try? FileSystem.status(path), FileSystem.irregularKind(status.st_mode) != nil { return }
        var entries = entries
        entries[failure.source] = Entry(seconds: time(nil), message: failure.text.full)
        guard let bytes = try? JSONEncoder().encode(entries) else { return }
        // The last of two simultaneous writes wins. Write errors are ignored, because the log is not essential.
        try? FileSystem.makeDirectory(FileSystem.parent(of: path))
        try? FileSystem.writeOutput(Array(bytes), to: path, isSynchronized: false)
    }

    /// Such as `3 minutes ago`.
    public static func age(_ entry: Entry) -> String {
        let seconds = max(0, time(nil) - entry.seconds)
        let steps = [(86_400, "day"), (3_600, "hour"), (60, "minute")]
        guard let step = steps.first(where: { seconds >= $0.0 }) else { return "just now" }
        return counted(seconds / step.0, step.1) + " ago"
    }
}
