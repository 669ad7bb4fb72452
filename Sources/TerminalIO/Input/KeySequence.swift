import Base
import Playback

/// The keys that terminals send as control sequences, in the forms of xterm and rxvt.
enum KeySequence {
    /// - Parameters:
    ///   - parameters: the bytes between the introducer and `final`. Keys with a modifier, for example `1;5`, are not
    ///     supported.
    ///   - final: the last byte of the sequence.
    static func key(parameters: [UInt8], final: UInt8) -> Key {
        switch (String(decoding: parameters, as: UTF8.self), final) {
        case ("", UInt8(ascii: "A")): .up
        case ("", UInt8(ascii: "B")): .down
        case ("", UInt8(ascii: "C")): .right
        case ("", UInt8(ascii: "D")): .left
        case ("", UInt8(ascii: "H")), ("1", UInt8(ascii: "~")), ("7", UInt8(ascii: "~")): .home
        case ("", UInt8(ascii: "F")), ("4", UInt8(ascii: "~")), ("8", UInt8(ascii: "~")): .end
        case ("", UInt8(ascii: "Z")): .backTab
        case ("3", UInt8(ascii: "~")): .delete
        case ("5", UInt8(ascii: "~")): .pageUp
        case ("6", UInt8(ascii: "~")): .pageDown
        default: .other
        }
    }
}

/// Mouse events in the form of xterm's mode 1006: `CSI < button ; column ; row M`.
enum PointerSequence {
    /// - Returns: nil for events that are not used (button releases, other buttons) and for invalid input.
    static func input(parameters: [UInt8], final: UInt8) -> TerminalInput? {
        let numbers = String(decoding: parameters.dropFirst(), as: UTF8.self).split(separator: ";")
            .compactMap { Int(outside: $0, in: 0...65_535) }
        guard final == UInt8(ascii: "M"), numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
        let (button, column, row) = (numbers[0], numbers[1], numbers[2])
        let kind: PointerEvent.Kind
        // Bits 2 to 4 are Shift, Meta and Control.
        switch button & ~0b1_1100 {
        case 0: kind = .press
        case 64: kind = .wheelUp
        case 65: kind = .wheelDown
        default: return nil
        }
        return .pointer(PointerEvent(kind, row: row - 1, column: column - 1))
    }
}
