import Base
import Catalog
import FoundationEssentials
import Glibc

/// What went wrong last with each source, for `gifplay sources`: a small file beside the media cache.
public struct FailureLog: Sendable {
    /// The last failure of a source.
    public struct Entry: Codable, Equatable {
        /// Since 1970.
        public var seconds: Int
        /// Without keys, as all that services say.
        public var sentence: String
    }

    /// Nil where there is no place for it.
    public let path: String?

    public init(cacheDirectory: String?) {
        path = cacheDirectory.map { $0.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/failures.json" }
    }

    /// By the name of the source.
    public var entries: [String: Entry] {
        guard let path, let bytes = contents(ofFile: path) else { return [:] }
        return (try? JSONDecoder().decode([String: Entry].self, from: bytes)) ?? [:]
    }

    /// How long a failure keeps a source from being asked before others, in seconds.
    private static let recentSeconds = 60

    /// The sources that failed within the last minute, with the seconds that are left of it.
    var recent: [String: Int] {
        let now = Int(time(nil))
        return entries.compactMapValues { entry in
            let left = entry.seconds + Self.recentSeconds - now
            return (1...Self.recentSeconds).contains(left) ? left : nil
        }
    }

    /// Takes down what says something of a source's health.
    public func note(_ failures: [SourceFailure]) {
        let telling = failures.filter { Self.isTelling($0.reason) }
        guard let path, !telling.isEmpty else { return }
        var entries = entries
        for failure in telling {
            let sentence = Sentences.describe(failure.reason)
            entries[failure.source] = Entry(seconds: time(nil), sentence: sentence)
        }
        guard let bytes = try? JSONEncoder().encode(entries) else { return }
        // Of two processes the later one wins. The log serves only a report, so its failures are ignored.
        try? FileSystem.makeDirectory(path.split(separator: "/").dropLast().map { "/" + $0 }.joined())
        try? FileSystem.replaceFile(at: path, with: Array(bytes), isSynchronized: false)
    }

    private static func isTelling(_ error: CatalogError) -> Bool {
        switch error {
        case .transport(.cancelled), .nothingFound, .notOffered, .noKey, .coolingDown, .outOfTime, .cancelled: false
        default: true
        }
    }

    /// `3 minutes ago`
    public static func age(_ entry: Entry) -> String {
        let seconds = max(0, time(nil) - entry.seconds)
        let steps = [(86_400, "day"), (3_600, "hour"), (60, "minute")]
        guard let step = steps.first(where: { seconds >= $0.0 }) else { return "just now" }
        let count = seconds / step.0
        return "\(count) \(step.1)\(count == 1 ? "" : "s") ago"
    }
}
