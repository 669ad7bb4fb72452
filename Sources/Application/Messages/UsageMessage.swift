/// Converts the argument parser's messages to gifplay's error format: SUBJECT: PROBLEM; HINT.
enum UsageMessage {
    /// - Parameters:
    ///   - message: the parser's error message, in one line.
    ///   - help: the parser's full message. Its line `See 'gifplay play --help' …` names the command for the hint.
    static func text(_ message: String, help: String) -> String {
        let command = parts(help, "See '", " --help'")?.first.map(String.init) ?? "gifplay"
        let hint = "; '\(command) --help' lists the options"
        if let refused = parts(message, "The value '", "' is invalid for '", "'") {
            let option = refused[1].prefix { $0 != " " }
            let explanation = refused[2].drop { ":. ".contains($0) }
            let problem = explanation.isEmpty ? "invalid value" + hint : choices(String(explanation))
            return "\(option) \(refused[0]): " + problem
        }
        if let unknown = parts(message, "Unknown option '", "'") {
            let suggestion = parts(String(unknown[1]), "Did you mean '", "'")?.first
            return "\(unknown[0]): unknown option" + (suggestion.map { "; did you mean \($0)?" } ?? hint)
        }
        if let missing = parts(message, "Missing value for '", "'") {
            return "\(missing[0].prefix { $0 != " " }): needs a value" + hint
        }
        if let missing = parts(message, "Missing expected argument '", "'") { return "\(missing[0]): missing" + hint }
        if let unexpected = parts(message, "Unexpected argument '", "'") {
            return "\(unexpected[0]): unexpected argument; '\(command) --help' describes the command"
        }
        // Messages from validate() are already complete.
        return message
    }

    /// Converts `Please provide one of 'a', 'b' and 'c'.` to `expected a, b or c`.
    private static func choices(_ explanation: String) -> String {
        guard let list = parts(explanation, "Please provide one of ", ".")?.first else { return explanation }
        return "expected " + list.replacing("'", with: "").replacing(" and ", with: " or ")
    }

    /// Splits the text at the marks, which must occur in this order, and omits the part before the first mark. Returns
    /// nil if a mark is missing.
    private static func parts(_ text: String, _ first: String, _ marks: String...) -> [Substring]? {
        guard let start = text.firstRange(of: first) else { return nil }
        var rest = text[start.upperBound...]
        var parts: [Substring] = []
        for mark in marks {
            guard let range = rest.firstRange(of: mark) else { return nil }
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
