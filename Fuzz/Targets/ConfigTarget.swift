@testable import Application

/// Reads a configuration file. The result must be either settings or an error with a valid line number.
enum ConfigTarget {
    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = 1 + text.utf8.count { $0 == UInt8(ascii: "\n") }
        let first = try outcome(text)
        try require(first == (try outcome(text)), "two reads of the same text differ")
        if let error = first.error {
            try require((1...lines).contains(error.line), "line \(error.line) of \(lines): \(error.problem)")
        }
        try require(first.entryCount <= text.utf8.count, "more entries than bytes of text")
    }

    private struct Outcome: Equatable {
        var error: SettingError?
        /// The total number of sources, keys, endpoints and communities.
        var entryCount: Int
        var cacheBytes: Int
        var switchInterval: Int64
    }

    private static func outcome(_ text: String) throws -> Outcome {
        var settings = try Settings(ignoresFile: true, environment: [:])
        var failure: SettingError?
        do throws(SettingError) { try settings.read(toml: text) } catch { failure = error }
        let catalog = settings.services.catalog
        let entryCount = (catalog.order ?? []).count + catalog.keys.count + catalog.endpoints.count
        return Outcome(
            error: failure, entryCount: entryCount + settings.services.communities.names.count,
            cacheBytes: settings.services.cacheBytes, switchInterval: settings.playback.switchInterval)
    }
}
