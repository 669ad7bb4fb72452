import Base
import Catalog
import FoundationEssentials
import Glibc

/// Writes a line of words to standard output. Whatever a stranger put into it acts on no terminal.
public func say(_ line: String) {
    print(SafeText.sentence(line))
}

/// Writes a sentence to standard error, as ``say(_:)`` does.
public func complain(_ sentence: String) {
    writeError("gifplay: " + SafeText.sentence(sentence) + "\n")
}

/// Asks a question on standard error.
/// - Returns: whether the next line of standard input says yes.
public func confirm(_ question: String) -> Bool {
    writeError("gifplay: " + SafeText.sentence(question) + " [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased())
}

/// Writes to standard error, quietly giving up when nobody reads.
func writeError(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// A value as JSON in one line, for programs, and harmless where a person looks at it in a terminal.
public enum JSONLine {
    public static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(value) else { return "{}" }
        return SafeText.escaped(json: String(decoding: bytes, as: UTF8.self))
    }

    /// Writes it to standard output.
    public static func say(_ value: some Encodable) { print(text(value)) }
}
