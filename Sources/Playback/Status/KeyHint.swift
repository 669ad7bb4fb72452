/// A key that a status line names, such as `s save`. A click on it presses the key.
public struct KeyHint: Equatable, Sendable {
    public let key: Key
    public let text: String

    public init(_ key: Key, _ text: String) { (self.key, self.text) = (key, text) }

    public static func line(_ hints: some Sequence<KeyHint>) -> String { hints.map(\.text).joined(separator: "  ") }

    /// Returns the last hints, which are the most important ones, as many as fit into `room` cells.
    public static func fitting(_ hints: [KeyHint], in room: Int) -> ArraySlice<KeyHint> {
        hints.indices.map { hints[$0...] }.first { TerminalText.width(line($0)) <= room } ?? []
    }

    /// Returns the columns of each hint on a line that begins at `column`.
    public static func columns(_ hints: some Sequence<KeyHint>, from column: Int) -> [(Range<Int>, Key)] {
        var column = column
        return hints.map { hint in
            defer { column += TerminalText.width(hint.text) + 2 }
            return (column..<column + TerminalText.width(hint.text), hint.key)
        }
    }
}
