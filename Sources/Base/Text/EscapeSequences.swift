/// Removes terminal escape sequences from text.
enum EscapeSequences {
    /// Returns `text` without escape sequences. Removes whole sequences, not only the escape character. Otherwise, text
    /// such as `[31m` would remain, which is harmless but not part of a title.
    static func stripped(from text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        guard text.contains(where: { $0 == "\u{1B}" || $0 == "\u{9B}" }) else { return text }
        var rest = Array(text)[...]
        var result = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\u{9B}" {
                rest = afterControlSequence(rest)
            } else if scalar == "\u{1B}" {
                rest = afterEscape(rest)
            } else {
                result.append(scalar)
            }
        }
        return result
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

    /// Returns the text after a control string. If the string has no terminator, its end is unknown. In this case,
    /// returns all of `rest`, because it might be part of a title.
    private static func afterString(_ rest: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        guard let end = rest.firstIndex(where: { $0 == "\u{07}" || $0 == "\u{9C}" || $0 == "\u{1B}" }) else {
            return rest
        }
        let tail = rest[rest.index(after: end)...]
        return rest[end] == "\u{1B}" && tail.first == "\\" ? tail.dropFirst() : tail
    }
}
