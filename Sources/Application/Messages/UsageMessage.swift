import Base
import Catalog

/// Converts the argument parser's messages to gifplay's error format: SUBJECT: PROBLEM; HINT.
enum UsageMessage {
    /// - Parameters:
    ///   - message: the parser's error message, in one line.
    ///   - help: the parser's full message. Its line `See 'gifplay play --help' …` names the command for the hint.
    static func text(_ message: String, help: String, _ arguments: [String] = []) -> String {
        let command = parts(help, "See '", " --help'")?.first.map(String.init) ?? "gifplay"
        let hint = "; '\(command) --help' lists the options"
        if let refused = parts(message, "The value '", "' is invalid for '", "'") {
            let option = refused[1].prefix { $0 != " " }
            let explanation = refused[2].drop { ":. ".contains($0) }
            let problem = explanation.isEmpty ? "invalid value" + hint : choices(String(explanation))
            return "\(option) \(refused[0]): " + problem
        }
        if let unknown = parts(message, "Unknown option '", "'") {
            let name = String(unknown[0])
            let near = parts(String(unknown[1]), "Did you mean '", "'")?.first.map(String.init)
            let suggestion = command.hasSuffix("play") || command.hasSuffix("record") ? size(name, arguments) : nil
            let option = suggestion ?? similar(name, to: [near, "--version", "--help"].compactMap(\.self))
            return "\(name): unknown option" + (option.map { "; did you mean \($0)?" } ?? hint)
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

    /// Returns `--size` with the value of `--width` or `--height`, which other players have.
    private static func size(_ name: String, _ arguments: [String]) -> String? {
        let value = arguments.drop { $0 != name }.dropFirst().first.flatMap { Int(outside: $0) }.map(String.init)
        switch name {
        case "--width": return "--size \(value ?? "COLS")xROWS"
        case "--height": return "--size COLSx\(value ?? "ROWS")"
        default: return nil
        }
    }

    /// Returns the option whose name is similar. The parser's suggestion is the nearest option, however far it is.
    private static func similar(_ name: String, to options: [String]) -> String? {
        EditDistance.nearest(to: String(name.drop { $0 == "-" }), in: options.map { String($0.drop { $0 == "-" }) })
            .map { "--" + $0 }
    }

    /// Converts `Please provide one of 'a', 'b' and 'c'.` to `expected a, b or c`.
    private static func choices(_ explanation: String) -> String {
        guard let list = parts(explanation, "Please provide one of ", ".")?.first else { return explanation }
        return "expected " + list.replacing("'", with: "").replacing(" and ", with: " or ")
    }

    /// Splits the text at the marks, in this order, without the part before the first. Nil if a mark is missing.
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
