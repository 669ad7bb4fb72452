import Foundation
import TestSupport

/// Untrusted texts that attack a terminal or mislead its user. All tests that check the output for hostile text use
/// this table.
enum HostileText {
    /// A harmless word that ``marked`` adds to each text. Tests look for this word in the output, to prove that the
    /// text has reached the output.
    static let mark = "Mallory"

    /// The texts, each with a short name.
    static let texts: [(name: String, text: String)] = [
        ("clear screen", "\u{1B}[2J\u{1B}[H"), ("colour", "\u{1B}[31;1m"), ("window title", "\u{1B}]0;gotcha\u{07}"),
        ("title with ST", "\u{1B}]2;gotcha\u{1B}\\"), ("clipboard", "\u{1B}]52;c;cm0gLXJmIH4K\u{07}"),
        ("hyperlink", "\u{1B}]8;;http://evil.example\u{1B}\\"), ("DECRQSS", "\u{1B}P$q\"p\u{1B}\\"),
        ("report title", "\u{1B}[21t"), ("answerback", "\u{05}"), ("device attributes", "\u{1B}[c"),
        ("reset", "\u{1B}c"), ("APC", "\u{1B}_Gf=100;AAAA\u{1B}\\"), ("PM", "\u{1B}^x\u{1B}\\"),
        ("tmux passthrough", "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;eA==\u{07}\u{1B}\\"), ("unended OSC", "\u{1B}]0;"),
        ("lone escape", "\u{1B}"), ("charset", "\u{1B}(0\u{0E}"), ("C0", "\u{01}\u{07}\u{08}\u{0B}\u{0C}\u{7F}\u{18}"),
        ("C1 CSI", "\u{9B}2J"), ("C1 OSC", "\u{9D}0;gotcha\u{9C}"), ("C1 all", c1), ("carriage return", "\rgifplay:"),
        ("line feed", "\nforged line"), ("line separators", "\u{2028}forged\u{2029}\u{85}"),
        ("bidi overrides", "\u{202E}fig\u{202C}\u{202A}\u{202B}\u{202D}"),
        ("bidi isolates", "\u{2066}\u{2067}\u{2068}\u{2069}\u{200E}\u{200F}\u{61C}"),
        ("zero width", "\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}\u{180E}\u{34F}\u{3164}\u{115F}"),
        ("tags", "\u{E0001}\u{E0041}\u{E007F}\u{E0100}"), ("soft hyphen", "\u{AD}"),
        ("interlinear", "\u{FFF9}\u{FFFB}"),
        ("combining flood", "Z" + String(repeating: "\u{30D}\u{489}\u{323}", count: 40)),
        ("private use", "\u{E000}\u{F8FF}\u{10FFFD}"), ("noncharacter", "\u{FFFE}\u{1FFFF}"),
    ]

    /// The texts, each followed by ``mark`` and a number that makes the text unique.
    static let marked = texts.enumerated().map { "\($0.element.text)\(mark) \($0.offset)" }

    /// All texts in one string, for code that takes a single text. Do not use it for code that removes whole escape
    /// sequences, because an unterminated sequence would include the texts after it.
    static let joined = marked.joined(separator: " ")

    /// Invalid UTF-8: 8-bit C1 controls, overlong forms, truncated sequences, a surrogate, and values beyond Unicode.
    static let bytes: [[UInt8]] = [
        [0x9B, 0x32, 0x4A], [0x9D, 0x30, 0x3B, 0x78, 0x9C], [0xC0, 0x9B], [0xE0, 0x80, 0x9B], [0xC0, 0xAF],
        [0xF0, 0x9F],
        [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE, 0xFF],
    ]

    private static let c1 = String(String.UnicodeScalarView((0x80...0x9F).compactMap { Unicode.Scalar($0) }))
}

/// Finds forbidden content in the output of gifplay.
enum OutputCheck {
    /// Returns descriptions of the first few faults. The array is empty if the bytes contain only text, line feeds and
    /// gifplay's own escape sequences.
    /// - Parameter isScreen: whether gifplay drew on a terminal. If false, no escape sequence is allowed.
    static func faults(in bytes: [UInt8], isScreen: Bool = false) -> [String] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return ["no UTF-8"] }
        let scalars = Array(text.unicodeScalars)
        var faults: [String] = []
        var position = 0
        var marks = 0
        while position < scalars.count, faults.count < 5 {
            let scalar = scalars[position]
            position += 1
            if scalar == "\u{1B}", isScreen, let length = ownSequence(scalars[position...]) {
                position += length
            } else if !isHarmless(scalar, isScreen) {
                let tail = scalars[position...].prefix(24).map { String($0) }.joined().debugDescription
                faults.append("U+\(String(scalar.value, radix: 16)) before \(tail)")
            }
            marks = isMark(scalar) ? marks + 1 : 0
            if marks == 9 { faults.append("a flood of marks") }
        }
        if text.contains("\nforged") || text.hasPrefix("forged") { faults.append("a forged line") }
        return faults
    }

    /// Returns the texts that the output copies to the clipboard with the escape sequence OSC 52.
    static func clipboard(in bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1B}]52;c;").dropFirst().map { part in
            let data = Data(base64Encoded: String(part.prefix { $0 != "\u{07}" }))
            return data.map { String(decoding: $0, as: UTF8.self) } ?? "no base64"
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        let category = scalar.properties.generalCategory
        return category == .nonspacingMark || category == .enclosingMark
    }

    private static func isHarmless(_ scalar: Unicode.Scalar, _ isScreen: Bool) -> Bool {
        if scalar.isASCII {
            return (0x20..<0x7F).contains(scalar.value) || scalar == "\n"
                || isScreen && (scalar == "\r" || scalar == "\u{8}")
        }
        if scalar == "\u{FE0E}" || scalar == "\u{FE0F}" { return true }
        guard !scalar.properties.isDefaultIgnorableCodePoint, !scalar.properties.isNoncharacterCodePoint else {
            return false
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: return false
        default: return true
        }
    }

    /// Returns the length (without ESC) of an escape sequence that gifplay writes, or nil for any other sequence.
    /// gifplay writes colours, cursor movements, erasures, modes, queries and clipboard sequences. Tests check
    /// the content of clipboard sequences separately.
    private static func ownSequence(_ rest: ArraySlice<Unicode.Scalar>) -> Int? {
        func begins(_ text: String) -> Int? {
            rest.starts(with: text.unicodeScalars) ? text.unicodeScalars.count : nil
        }
        if let length = TerminalQueries.all.lazy.compactMap({ begins(String($0.dropFirst())) }).first { return length }
        if rest.first == "]" {
            guard begins("]52;c;") != nil, let end = rest.firstIndex(of: "\u{07}") else { return nil }
            let isBase64 = rest[(rest.startIndex + 6)..<end].allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789+/=".unicodeScalars.contains($0))
            }
            return isBase64 ? end - rest.startIndex + 1 : nil
        }
        guard rest.first == "[" else { return nil }
        for mode in ["7", "1049", "25", "1000", "1006", "2004", "2026"] {
            if let length = begins("[?\(mode)h") ?? begins("[?\(mode)l") { return length }
        }
        let parameters = rest.dropFirst().prefix { ("0"..."9").contains($0) || $0 == ";" }
        guard let final = rest.dropFirst(1 + parameters.count).first else { return nil }
        return "mABCDGHJK".unicodeScalars.contains(final) ? parameters.count + 2 : nil
    }
}
