/// Makes one harmless line of what a stranger wrote: in comes any text, out comes no control.
///
/// Titles and names go to a terminal, where a control character moves the cursor or worse and a
/// format character turns the rest of the line around.
package enum CleanText {
    /// The text in one line, without escape sequences, control and format characters.
    package static func line(_ raw: String) -> String {
        var kept = String.UnicodeScalarView()
        var pendingSpace = false
        for scalar in withoutSequences(raw) {
            switch role(of: scalar) {
            case .dropped: continue
            case .space: pendingSpace = !kept.isEmpty
            case .kept:
                if pendingSpace { kept.append(" ") }
                pendingSpace = false
                kept.append(scalar)
            }
        }
        return String(kept)
    }

    /// The beginning of a text that is too long, ended by an ellipsis.
    package static func shortened(_ text: String, to limit: Int) -> String {
        guard text.unicodeScalars.count > limit else { return text }
        var kept = ""
        var count = 1
        for character in text {
            count += character.unicodeScalars.count
            guard count <= limit else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    private enum Role { case kept, space, dropped }

    private static func role(of scalar: Unicode.Scalar) -> Role {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: .space
        case .control: scalar.properties.isWhitespace ? .space : .dropped
        case .format, .surrogate, .privateUse: .dropped
        default: .kept
        }
    }

    /// Takes whole sequences out, since `[31m` without its escape is harmless but no title.
    private static func withoutSequences(_ raw: String) -> [Unicode.Scalar] {
        var rest = Array(raw.unicodeScalars)[...]
        guard rest.contains(where: { $0 == "\u{1B}" || $0 == "\u{9B}" }) else { return Array(rest) }
        var kept: [Unicode.Scalar] = []
        while let scalar = rest.popFirst() {
            if scalar == "\u{9B}" {
                rest = afterControlSequence(rest)
            } else if scalar == "\u{1B}" {
                rest = afterEscape(rest)
            } else {
                kept.append(scalar)
            }
        }
        return kept
    }

    private static func afterEscape(_ rest: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        guard let kind = rest.first else { return rest }
        switch kind {
        case "[": return afterControlSequence(rest.dropFirst())
        case "]", "P", "X", "^", "_": return afterString(rest.dropFirst())
        case "\u{20}"..."\u{7E}": return rest.dropFirst()
        default: return rest
        }
    }

    private static func afterControlSequence(_ rest: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        let tail = rest.drop { ("\u{20}"..."\u{3F}").contains($0) }
        guard let final = tail.first, ("\u{40}"..."\u{7E}").contains(final) else { return tail }
        return tail.dropFirst()
    }

    /// An unended string keeps its text: only the end could say how much of it is not the title.
    private static func afterString(_ rest: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        guard let end = rest.firstIndex(where: { $0 == "\u{07}" || $0 == "\u{9C}" || $0 == "\u{1B}" }) else {
            return rest
        }
        let tail = rest[rest.index(after: end)...]
        return rest[end] == "\u{1B}" && tail.first == "\\" ? tail.dropFirst() : tail
    }
}
