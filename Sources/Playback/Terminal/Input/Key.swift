import Base

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

    /// The key of a byte that is not a part of a sequence or of a longer character.
    init(byte: UInt8) {
        self =
            switch byte {
            case 0x0A, 0x0D: .enter
            case 0x09: .tab
            case 0x08, 0x7F: .backspace
            case 0x1B: .escape
            case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
            case 0x20...0x7E: .character(Character(Unicode.Scalar(byte)))
            default: .other
            }
    }

    /// A key that the terminal sends as a control sequence, in the forms of xterm, rxvt, kitty (`99;5u`) and xterm's
    /// modifyOtherKeys (`27;5;99~`). Nil for a sequence that is no key: the release of a key, a modifier key alone, or a
    /// report such as that of the focus.
    /// - Parameters:
    ///   - parameters: the bytes between the introducer and `final`.
    ///   - final: the last byte of the sequence.
    init?(parameters: [UInt8], final: UInt8) {
        let fields = String(decoding: parameters, as: UTF8.self).split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.split(separator: ":", omittingEmptySubsequences: false).map { Int(outside: $0) ?? 0 } }
        func value(_ field: Int, _ part: Int = 0) -> Int? {
            fields.indices.contains(field) && fields[field].indices.contains(part) ? fields[field][part] : nil
        }
        let (code, text) = (value(0) ?? 0, value(2) ?? 0)
        // The field is one more than a sum of bits. Bits 6 and 7 are Caps Lock and Num Lock.
        let modifiers = max(0, (value(1) ?? 1) - 1) & 0x3F
        let isRelease = value(1, 1) == 3
        // The small letters are arrow keys of rxvt, or with parameters a reply.
        let finals = parameters.isEmpty ? "ABCDEFHPQSZ~u^@[abcd" : "ABCDEFHPQSZ~u^@"
        guard !isRelease, finals.utf8.contains(final) else { return nil }
        switch final {
        case UInt8(ascii: "u"):
            let codes = (code, shifted: value(0, 1) ?? 0, base: value(0, 2) ?? 0)
            self.init(codes, text: text, modifiers)
        case UInt8(ascii: "~") where code == 27 && fields.count > 2:
            self.init((text, shifted: text, base: 0), text: 0, modifiers)
        case UInt8(ascii: "~") where code == 200 || code == 201: return nil
        case _ where modifiers != 0: self = .other
        case UInt8(ascii: "~"): self = Self.numbers[code] ?? .other
        default: self = code > 1 ? .other : Self.letters[final] ?? .other
        }
    }

    /// The keys of sequences that end with a letter, whose code is 1 or missing, and with a tilde.
    private static let letters: [UInt8: Key] = [
        0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x46: .end, 0x48: .home, 0x5A: .backTab,
    ]
    private static let numbers: [Int: Key] = [
        1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    ]

    /// From code 57,399 of kitty.
    private static let keypad: [Key] =
        "0123456789./*-+".map { .character($0) } + [.enter, .character("="), .character(",")]
        + [.left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .other, .delete]

    /// The key that has these code points: the one for which terminals send the same byte without such sequences.
    /// - Parameters:
    ///   - codes: those of the key, of the key with Shift, and of a US keyboard's key at its place; 0 if unknown.
    ///   - text: the code point of the text that the key enters; 0 if unknown.
    ///   - modifiers: bits for Shift, Alt, Control and others.
    private init?(_ codes: (Int, shifted: Int, base: Int), text: Int, _ modifiers: Int) {
        let (code, hasShift, hasControl) = (codes.0, modifiers & 1 != 0, modifiers & 4 != 0)
        let isModifier = (57_358...57_360).contains(code) || (57_441...57_454).contains(code)
        guard !isModifier else { return nil }
        let latin = code < 0x80 ? code : codes.base
        switch code {
        case _ where modifiers & ~5 != 0: self = .other
        case 57_399..<57_399 + Self.keypad.count: self = Self.keypad[code - 57_399]
        case 9 where hasShift: self = .backTab
        case 8, 9, 13, 27, 127: self = Key(byte: UInt8(code))
        case _ where hasControl: self = (0x40..<0x7F).contains(latin) ? Key(byte: UInt8(latin & 0x1F)) : .other
        default:
            let point = text > 0 ? text : hasShift && codes.shifted > 0 ? codes.shifted : code
            let scalar = Unicode.Scalar(UInt32(clamping: point))
            guard let scalar, scalar.value >= 0x20, scalar.properties.generalCategory != .privateUse else {
                self = .other
                return
            }
            let (letter, capital) = (Character(scalar), scalar.properties.uppercaseMapping)
            self = .character(hasShift && point == code && capital.count == 1 ? Character(capital) : letter)
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
        (self.kind, self.row, self.column) = (kind, row, column)
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
