import CTerminal

/// Text from strangers, made safe for a terminal and measured in its cells.
public enum TerminalText {
    /// More marks on one character belong to no script: they are drawn over the lines around it.
    private static let marksPerCharacter = 8

    /// `text` without control and format characters: nothing in it moves the cursor, ends the
    /// line, or turns the direction of writing. Runs of white space become one space.
    public static func safe(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isSpacePending = false
        var marks = 0
        for scalar in text.unicodeScalars {
            let role = role(of: scalar)
            switch role {
            case .control, .space: isSpacePending = !result.isEmpty
            case .dropped: continue
            case .mark where marks >= marksPerCharacter: continue
            case .mark, .kept:
                marks = role == .mark ? marks + 1 : 0
                if isSpacePending { result.append(" ") }
                isSpacePending = false
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// `text` in one line for a sentence: as ``safe(_:)``, but its spaces stay, and where a control character
    /// stood one sees that: a file's name that holds one is not taken for another's.
    public static func sentence(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return text }
        var result = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            let role = role(of: scalar)
            switch role {
            case .control: result.append(scalar == "\n" || scalar == "\t" ? " " : "\u{FFFD}")
            case .space: result.append(" ")
            case .dropped: continue
            case .mark where marks >= marksPerCharacter: continue
            case .mark, .kept:
                marks = role == .mark ? marks + 1 : 0
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether nothing in `text` has to be taken out; spaces may stand in it.
    public static func isSafe(_ text: String) -> Bool {
        var marks = 0
        return text.unicodeScalars.allSatisfy { scalar in
            let role = role(of: scalar)
            marks = role == .mark ? marks + 1 : 0
            return role == .kept || scalar == " " || role == .mark && marks <= marksPerCharacter
        }
    }

    private enum Role { case kept, mark, space, control, dropped }

    private static func role(of scalar: Unicode.Scalar) -> Role {
        if scalar.isASCII {
            return scalar == " " ? .space : scalar.value < 0x20 || scalar.value == 0x7F ? .control : .kept
        }
        switch scalar.properties.generalCategory {
        case .control: return .control
        case .lineSeparator, .paragraphSeparator, .spaceSeparator: return .space
        case .format, .surrogate, .privateUse, .unassigned: return .dropped
        // Whether an emoji is drawn in colour; all else that is meant to be invisible goes.
        case _ where scalar == "\u{FE0E}" || scalar == "\u{FE0F}": return .mark
        case _ where scalar.properties.isDefaultIgnorableCodePoint: return .dropped
        case .nonspacingMark, .enclosingMark: return .mark
        default: return .kept
        }
    }

    /// The cells that `text` takes.
    public static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    /// `text`, cut to `cells` with an ellipsis where it is longer.
    public static func fitted(_ text: String, to cells: Int) -> String {
        guard width(text) > cells else { return text }
        guard cells > 0 else { return "" }
        var result = String.UnicodeScalarView()
        var used = 1
        for scalar in text.unicodeScalars {
            used += width(scalar)
            guard used <= cells else { break }
            result.append(scalar)
        }
        result.append("…")
        return String(result)
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        scalar.isASCII ? 1 : Int(gifplay_cell_width(scalar.value))
    }
}
