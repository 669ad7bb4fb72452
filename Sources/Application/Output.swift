import Base
import CTerminal
import Catalog
import FoundationEssentials
import Glibc

/// Makes control characters of untrusted text harmless for terminals.
public func printLine(_ line: String) { printExactLine(SafeText.sentence(line)) }

/// Prints a line as it is, with the bytes of its paths. It must not contain control characters. All output of commands
/// goes through this function: ``ExitStatus/exit(with:)`` reports its errors, and a closed pipe ends the process.
public func printExactLine(_ line: String) {
    hideProgress()
    let bytes = line.pathBytes + [0x0A]
    gifplay_print(bytes, UInt(bytes.count))
}

/// Prints paths line by line: exactly, unless standard output is a terminal.
public func printPaths(_ paths: [String]) {
    if isatty(STDOUT_FILENO) == 1 { paths.forEach(printLine) } else { printExactLine(paths.joined(separator: "\n")) }
}

/// Writes to standard error after the prefix `gifplay: `, then further lines. Makes control characters harmless.
public func printError(_ message: String, _ lines: [String] = []) {
    hideProgress()
    writeError((["gifplay: " + message] + lines).map { SafeText.sentence($0) + "\n" }.joined())
}

private let isProgressShown = Monitor(false)

/// Writes a line to the terminal of standard error, in place of the previous one. The next line that is printed removes it.
public func showProgress(_ text: String) {
    isProgressShown.withLock { $0 = true }
    writeError("\rgifplay: \(SafeText.sentence(text))\u{1B}[K")
}

public func hideProgress() {
    let isShown = isProgressShown.withLock { isShown in
        defer { isShown = false }
        return isShown
    }
    if isShown { writeError("\r\u{1B}[K") }
}

/// Returns a number with its noun, such as "1 file" or "2 files".
public func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// Writes to standard error and ignores write errors, such as a closed pipe.
func writeError(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Encodes a value as one line of JSON. Control characters are escaped, so that the line is safe in a terminal.
public enum JSONLine {
    public static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(value) else { return "{}" }
        return SafeText.escaped(json: String(decoding: bytes, as: UTF8.self))
    }

    public static func printLine(_ value: some Encodable) { printExactLine(text(value)) }

    /// A path for JSON. If its bytes are not UTF-8, they are percent-encoded, and `encoding` is "percent"; otherwise nil.
    public static func path(_ path: String) -> (text: String, encoding: String?) {
        path.isForeignPath ? (WebAddress.component(path), "percent") : (path, nil)
    }
}
