import CTerminal

/// Text from strangers, made safe for a terminal and measured in its cells.
public enum TerminalText {
    /// `text` without control and format characters: nothing in it moves the cursor, ends the
    /// line, or turns the direction of writing. Runs of white space become one space.
    public static func safe(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isSpacePending = false
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                isSpacePending = !result.isEmpty
            case .format, .surrogate, .privateUse, .unassigned:
                continue
            default:
                if isSpacePending { result.append(" ") }
                isSpacePending = false
                result.append(scalar)
            }
        }
        return String(result)
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
