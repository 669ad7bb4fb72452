@testable import Application

/// Reads a configuration file. The result must be either settings or an error with a valid line number.
enum ConfigTarget {
    static func check(_ bytes: [UInt8]) throws {
        let lines = 1 + bytes.count { $0 == UInt8(ascii: "\n") }
        let first = try outcome(bytes)
        try require(first == (try outcome(bytes)), "two reads of the same text differ")
        if let error = first.error {
            let line = error.dropFirst("config, line ".count).prefix { $0 != ":" }
            try require(
                Int(line).map((1...lines).contains) == true && error.utf8.count < 2_000, "of \(lines): \(error)")
        }
        try require(first.entryCount <= bytes.count, "more entries than bytes of text")
        let old = OldConfiguration.lines(String(decoding: bytes, as: UTF8.self))
        try require(old.count <= 2 * lines, "\(old.count) lines from \(lines)")
    }

    private struct Outcome: Equatable {
        var error: String?
        /// The total number of sources, keys, endpoints and communities.
        var entryCount: Int
        var cacheBytes: Int
        var switchInterval: Int64
    }

    private static func outcome(_ bytes: [UInt8]) throws -> Outcome {
        var settings = try Settings(ignoresFiles: true, environment: [:])
        var failure: String?
        do throws(CommandError) { try settings.apply(try ConfigurationFile.parse(bytes, "config")) } catch {
            failure = error.message
        }
        let catalog = settings.services.catalog
        let entryCount = (catalog.order ?? []).count + catalog.keys.count + catalog.endpoints.count
        return Outcome(
            error: failure, entryCount: entryCount + settings.services.communities.names.count,
            cacheBytes: settings.services.cacheBytes, switchInterval: settings.playback.switchInterval)
    }
}
