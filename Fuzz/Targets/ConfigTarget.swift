import Configuration

/// Reads a configuration file. The result must be either a configuration or an error with a valid line number.
enum ConfigTarget {
    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = 1 + text.utf8.count { $0 == UInt8(ascii: "\n") }
        let first = outcome(text)
        try require(first == outcome(text), "two reads of the same text differ")
        switch first {
        case .failure(let error):
            try require((1...lines).contains(error.line), "line \(error.line) of \(lines): \(error.problem)")
        case .success(let configuration):
            try require(
                entryCount(configuration) <= text.utf8.count, "more entries than bytes of text")
        }
    }

    private static func outcome(_ text: String) -> Result<Configuration, ConfigurationError> {
        do throws(ConfigurationError) {
            let (configuration, lines) = try Configuration.read(toml: text)
            for index in (configuration.sources ?? []).indices { _ = lines.line(of: "sources.\(index)") }
            return .success(configuration)
        } catch {
            return .failure(error)
        }
    }

    /// Returns the total number of sources, keys, endpoints and communities in a configuration.
    private static func entryCount(_ configuration: Configuration) -> Int {
        (configuration.sources?.count ?? 0) + configuration.keys.count
            + configuration.endpoints.values.reduce(0) { $0 + $1.count } + configuration.reddit.communities.count
    }
}
