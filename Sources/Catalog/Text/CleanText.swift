/// Makes one harmless line of what a stranger wrote: in comes any text, out comes no control.
///
/// Titles and names go to a terminal, where a control character moves the cursor or worse and a
/// format character turns the rest of the line around.
package enum CleanText {
    /// The text in one line, without escape sequences, control and format characters.
    package static func line(_ raw: String) -> String {
        var kept = String.UnicodeScalarView()
        var pendingSpace = false
        var marks = 0
        for scalar in withoutSequences(raw) {
            let role = role(of: scalar)
            // What is dropped stands between no two marks.
            if role != .dropped { marks = role == .mark ? marks + 1 : 0 }
            switch role {
            case .dropped: continue
            case .mark where marks > marksPerCharacter: continue
            case .space: pendingSpace = !kept.isEmpty
            case .kept, .mark:
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

    /// The text of a JSON document with everything escaped that a terminal would act on or hide; it says the same.
    ///
    /// JSON itself asks this of the first 32 characters alone.
    package static func escaped(json: String) -> String {
        guard json.utf8.contains(where: { $0 > 0x7E }) else { return json }
        var text = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            if scalar.isASCII && scalar != "\u{7F}" || [.kept, .mark].contains(role(of: scalar)) {
                text.append(scalar)
            } else {
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    let digits = String(unit, radix: 16)
                    text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
                }
            }
        }
        return String(text)
    }

    /// More of them belong to no script: they are drawn over the lines around it.
    private static let marksPerCharacter = 8

    private enum Role { case kept, mark, space, dropped }

    private static func role(of scalar: Unicode.Scalar) -> Role {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: .space
        case .control: scalar.properties.isWhitespace ? .space : .dropped
        case .format, .surrogate, .privateUse, .unassigned: .dropped
        // Whether an emoji is drawn in colour; all else that is meant to be invisible goes.
        case _ where scalar == "\u{FE0E}" || scalar == "\u{FE0F}": .mark
        case _ where scalar.properties.isDefaultIgnorableCodePoint: .dropped
        case .nonspacingMark, .enclosingMark: .mark
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
