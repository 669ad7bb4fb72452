import Pixels

@testable import Playback

/// Parses keyboard input. The result must be the same if the bytes arrive in pieces, and the parser must not store more
/// than a fixed number of bytes.
enum KeysTarget {
    /// The maximum number of bytes that the parser is allowed to store: the maximum length of a paste, plus a margin of
    /// a few bytes. All other sequences that the parser stores are shorter than a paste can be.
    private static let maximumHeldBytes = PasteCollector.maximumLength + 4

    static func check(_ bytes: [UInt8]) throws {
        var whole = InputParser()
        let expected = whole.parse(bytes)
        try require(expected.count <= bytes.count, "more keys than bytes")
        var pieces = InputParser()
        var inputs: [TerminalInput] = []
        for piece in SeededPieces.cut(bytes, seed: fnvHash(bytes)) { inputs += pieces.parse(piece) }
        try require(inputs == expected, "whole \(expected), in pieces \(inputs)")
        try require(pieces.isIncomplete == whole.isIncomplete, "the incomplete sequence depends on the pieces")
        let held = heldBytes(whole)
        try require(held <= maximumHeldBytes, "\(held) bytes are held")
        try checkBound(whole, bytes.last ?? 0)
        try require(
            pieces.resolveIncomplete() == whole.resolveIncomplete(), "an incomplete sequence depends on the pieces")
        // The first call of `resolveIncomplete()` only marks a control sequence, string, character or paste as stalled.
        // The second call ends it.
        try require(
            pieces.resolveIncomplete() == whole.resolveIncomplete(), "a stalled sequence depends on the pieces")
        try require(!whole.isIncomplete, "incomplete after the second call")
        try require(whole.parse("q".utf8) == [.key(.character("q"))], "a key after invalid bytes is read differently")
        for case .pointer(let event) in expected {
            try require(event.row >= 0 && event.column >= 0, "a position left of or above the screen: \(event)")
        }
    }

    /// Checks that the parser stores at most ``maximumHeldBytes`` bytes of an incomplete sequence, even if many more
    /// bytes arrive.
    private static func checkBound(_ parser: InputParser, _ last: UInt8) throws {
        guard parser.isIncomplete else { return }
        var parser = parser
        let filler = last >= 0x20 ? last : UInt8(ascii: "1")
        _ = parser.parse(repeatElement(filler, count: maximumHeldBytes * 2))
        let held = heldBytes(parser)
        try require(held <= maximumHeldBytes, "\(held) bytes are held after more of \(filler)")
    }

    /// Returns the number of bytes in all byte arrays that a value contains, including its private properties.
    private static func heldBytes(_ value: Any) -> Int {
        if let bytes = value as? [UInt8] { return bytes.count }
        return Mirror(reflecting: value).children.reduce(0) { $0 + heldBytes($1.value) }
    }
}
