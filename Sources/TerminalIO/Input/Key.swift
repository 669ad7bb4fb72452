import Base

public enum TerminalEvent: Equatable, Sendable {
    case deadline
    case key(Key)
    case pointer(PointerEvent)
    /// The user has pasted this text. It can contain control characters.
    case paste(String)
    /// The traits of the terminal changed, for example because the terminal was resized or reported its background.
    case changed
    case drained
    case wake
    /// The process continues after it was stopped. The screen no longer shows the presented updates.
    case resumed
    /// The number of a signal that ends the process, such as SIGINT, SIGTERM, SIGHUP or SIGQUIT.
    case signal(Int32)
    /// The terminal has disconnected, or the program that reads the output has closed the pipe.
    case closed
}

/// A key as the terminal sends it.
public enum Key: Equatable, Sendable {
    case character(Character)
    case escape
    case enter
    case tab
    /// Tab with Shift.
    case backTab
    case backspace
    case delete
    case up
    case down
    case left
    case right
    case pageUp
    case pageDown
    case home
    case end
    /// Control with a lower-case letter.
    case control(Character)
    /// Any other key, or an unknown sequence.
    case other
}

extension Key {
    /// A key that the terminal sends as a control sequence, in the form of xterm or rxvt.
    /// - Parameters:
    ///   - parameters: the bytes between the introducer and `final`. Keys with a modifier, for example `1;5`, are not
    ///     supported.
    ///   - final: the last byte of the sequence.
    init(parameters: [UInt8], final: UInt8) {
        self =
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

/// A mouse event, from terminals that report the mouse.
public struct PointerEvent: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case press
        case wheelUp
        case wheelDown
    }

    public var kind: Kind
    /// The row of the screen, counted from 0 like ``column``.
    public var row: Int
    public var column: Int

    public init(_ kind: Kind, row: Int, column: Int) {
        self.kind = kind
        self.row = row
        self.column = column
    }
}

extension PointerEvent {
    /// A mouse event in the form of xterm's mode 1006: `CSI < button ; column ; row M`. Nil for events that are not used
    /// (button releases, other buttons) and for invalid input.
    init?(parameters: [UInt8], final: UInt8) {
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
        self.init(kind, row: row - 1, column: column - 1)
    }
}

/// Collects the text of a bracketed paste (mode 2004) up to the sequence that ends it.
struct PasteCollector: Equatable {
    /// The maximum length of the collected text, in bytes. The rest is discarded: no text field accepts that much.
    static let maximumLength = 4096

    private static let end = Array("\u{1B}[201~".utf8)

    private var bytes: [UInt8] = []
    /// The number of bytes of the end sequence that have arrived.
    private var matched = 0

    /// Adds the next byte of the input.
    /// - Returns: whether this byte completes the end sequence.
    mutating func append(_ byte: UInt8) -> Bool {
        if byte == Self.end[matched] {
            matched += 1
            return matched == Self.end.count
        }
        // The matched bytes are not the end sequence, so they belong to the text.
        for byte in Self.end.prefix(matched) { keep(byte) }
        matched = byte == 0x1B ? 1 : 0
        if matched == 0 { keep(byte) }
        return false
    }

    private mutating func keep(_ byte: UInt8) { if bytes.count < Self.maximumLength { bytes.append(byte) } }

    /// Returns the collected text and clears it.
    mutating func takeText() -> String {
        defer { self = PasteCollector() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
