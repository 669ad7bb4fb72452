import Base

@testable import Application

/// Reads a configuration file and a command line. The result must be either settings or an error with a valid line number.
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
        try checkArguments(bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
        let old = OldConfiguration.lines(String(decoding: bytes, as: UTF8.self))
        try require(old.count <= 2 * lines, "\(old.count) lines from \(lines)")
    }

    /// The lines are also the arguments of a command line.
    private static func checkArguments(_ arguments: [String]) throws {
        var count = 0
        do throws(Failure) {
            let invocation = try Invocation(arguments)
            count = invocation.operands.count + invocation.settings.count
            try invocation.checkOperands()
            _ = try Settings(given: invocation)
        } catch {
            try require(error.status == .usage && !error.message.isEmpty, "\(error)")
        }
        let limit = arguments.reduce(arguments.count) { $0 + $1.count }
        try require(count <= limit, "\(count) options and operands of \(limit) letters")
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
        do throws(Failure) {
            try ConfigurationFile.parse(bytes, "config") { setting throws(Failure) in try settings.apply(setting) }
        } catch {
            failure = error.message
        }
        let catalog = settings.catalog
        let entryCount = (catalog.order ?? []).count + catalog.keys.count + catalog.endpoints.count
        return Outcome(
            error: failure, entryCount: entryCount + settings.catalog.reddit.communities.count,
            cacheBytes: settings.cacheBytes, switchInterval: settings.switchInterval)
    }
}
