import Pixels
import Playback

@testable import TerminalIO

/// Parses keyboard input. The result must not depend on how the bytes are split, and the parser's memory is bounded.
enum KeysTarget {
    /// The number of bytes that the parser may hold of an incomplete sequence: its own limit plus what its last step
    /// may add.
    private static let mostHeld = 260

    static func check(_ bytes: [UInt8]) throws {
        var whole = InputParser()
        let expected = whole.take(bytes)
        try promise(expected.count <= bytes.count, "more keys than bytes")
        var pieces = InputParser()
        var inputs: [TerminalInput] = []
        for piece in SeededPieces.cut(bytes, seed: mixed(bytes)) { inputs += pieces.take(piece) }
        try promise(inputs == expected, "whole \(expected), in pieces \(inputs)")
        try promise(pieces.isUndecided == whole.isUndecided, "what is begun depends on the pieces")
        let held = held(whole)
        try promise(held <= mostHeld, "\(held) bytes are held")
        try checkBound(whole, bytes.last ?? 0)
        try promise(pieces.settle() == whole.settle(), "what is begun settles otherwise in pieces")
        // Only the second call of `settle()` discards an incomplete sequence.
        try promise(pieces.settle() == whole.settle(), "what stalls settles otherwise in pieces")
        try promise(!whole.isUndecided, "settled and yet undecided")
        try promise(whole.take("q".utf8) == [.key(.character("q"))], "a key after rubbish is another")
        for case .pointer(let event) in expected {
            try promise(event.row >= 0 && event.column >= 0, "a place left of or above the screen: \(event)")
        }
    }

    /// Checks that an incomplete sequence does not grow beyond the limit when more bytes arrive.
    private static func checkBound(_ parser: InputParser, _ last: UInt8) throws {
        guard parser.isUndecided else { return }
        var parser = parser
        let filler = last >= 0x20 ? last : UInt8(ascii: "1")
        _ = parser.take(repeatElement(filler, count: mostHeld * 2))
        let held = held(parser)
        try promise(held <= mostHeld, "\(held) bytes are held after more of \(filler)")
    }

    /// The number of bytes in all byte arrays within a value, including private properties.
    private static func held(_ value: Any) -> Int {
        if let bytes = value as? [UInt8] { return bytes.count }
        return Mirror(reflecting: value).children.reduce(0) { $0 + held($1.value) }
    }
}
