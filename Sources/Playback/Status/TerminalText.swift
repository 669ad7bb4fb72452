import CTerminal

/// Measures text in terminal cells, and shortens it to a number of cells.
public enum TerminalText {
    /// Returns the number of cells that `text` fills.
    public static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    /// Returns `text`. If it fills more than `cells` cells, it is truncated to that width and ends with an ellipsis.
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
