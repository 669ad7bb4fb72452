import Pixels

@testable import Playback

/// Parses known and unknown terminal replies, mixed with keys.
///
/// The target uses each input twice. First, the bytes are a script: they select the sequences that a simulated terminal
/// sends, and the parser must return the matching replies and keys. Then the same bytes are parsed as the text of a
/// reply.
enum AnswersTarget {
    static func check(_ bytes: [UInt8]) throws {
        var script = AnswerScript(bytes)
        script.run()
        var parser = InputParser()
        var inputs: [TerminalInput] = []
        for piece in SeededPieces.cut(script.sent, seed: fnvHash(bytes)) { inputs += parser.parse(piece) }
        try require(inputs == script.expected, "expected \(script.expected), got \(inputs), of \(script.sent)")
        try require(!parser.isIncomplete, "undecided after complete sequences")
        try raw(bytes)
    }

    /// Parses the bytes as the text of each kind of reply. If the reply is a control sequence, each byte is first
    /// replaced by a byte that is valid in a control sequence.
    private static func raw(_ bytes: [UInt8]) throws {
        _ = TerminalReply(command: bytes)
        let parameters = bytes.map { 0x20 | $0 & 0x1F }
        let attributes = TerminalReply(control: parameters, final: UInt8(ascii: "c"))
        try require(
            (attributes != nil) == (parameters.first == UInt8(ascii: "?")), "\(parameters) misread")
        _ = TerminalReply(control: parameters, final: UInt8(ascii: "y"))
        _ = TerminalReply(control: Array("?2026;".utf8) + parameters + Array("$".utf8), final: UInt8(ascii: "y"))
        let color = TerminalReply(command: Array("11;rgb:".utf8) + bytes)
        guard case .background = color else { return }
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).prefix(3)
        let areDigits = parts.joined().allSatisfy { Character(UnicodeScalar($0)).isHexDigit && $0 < 0x80 }
        try require(
            parts.count == 3 && areDigits && parts.allSatisfy { (1...4).contains($0.count) },
            "\(bytes) is read as a colour")
    }
}

/// Generates the bytes that a terminal would send, and the inputs that the parser must return for these bytes.
private struct AnswerScript {
    private(set) var sent: [UInt8] = []
    private(set) var expected: [TerminalInput] = []
    private var remaining: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { remaining = bytes.prefix(600)[...] }

    mutating func run() {
        while let choice = remaining.popFirst() {
            switch choice & 7 {
            case 0: attributes()
            case 1: synchronized()
            case 2: background(isClosedByBell: choice & 8 != 0, hasAlpha: choice & 16 != 0)
            case 3: unknownString(choice)
            case 4: key(choice)
            default: letter(choice)
            }
        }
    }

    private mutating func attributes() {
        var parameters = "?\(number(100))"
        var hasSixel = false
        for _ in 0..<number(8) {
            let feature = number(256)
            hasSixel = hasSixel || feature == 4
            parameters += ";\(feature)"
        }
        send("\u{1B}[\(parameters)c", .reply(.attributes(hasSixel: hasSixel)))
    }

    private mutating func synchronized() {
        let value = number(7)
        send("\u{1B}[?2026;\(value)$y", .reply(.synchronizedOutput((1...3).contains(value))))
    }

    private mutating func background(isClosedByBell: Bool, hasAlpha: Bool) {
        let count = 1 + number(4)
        let maximum = (1 << (4 * count)) - 1
        let values = (0..<3).map { _ in (number(256) << 8 | number(256)) & maximum }
        let digits = values.map { value in
            let text = String(value, radix: 16)
            return String(repeating: "0", count: count - text.count) + text
        }
        let channels = values.map { UInt8((Double($0) * 255 / Double(maximum)).rounded()) }
        let text = "\u{1B}]11;rgb\(hasAlpha ? "a" : ""):" + digits.joined(separator: "/") + (hasAlpha ? "/ffff" : "")
        send(
            text + (isClosedByBell ? "\u{7}" : "\u{1B}\\"),
            .reply(.background(CellColor(red: channels[0], green: channels[1], blue: channels[2]))))
    }

    /// Sends a control string with arbitrary text and a correct terminator. The string is not a reply to any query.
    private mutating func unknownString(_ choice: UInt8) {
        // No known reply begins with `ESC P x` or `ESC _ x`.
        let kinds = ["Px", "X", "^", "_x", "]4;1;", "]52;c;"]
        send("\u{1B}" + kinds[Int(choice >> 3) % kinds.count])
        // Replaces control characters, because the parser treats a string with a control character as truncated.
        sent += remaining.prefix(number(200)).map { $0 < 0x20 ? 0x20 : $0 }
        send("\u{1B}\\")
    }

    private mutating func key(_ choice: UInt8) {
        let keys: [(String, Key)] = [
            ("\u{1B}[A", .up), ("\u{1B}OD", .left), ("\u{1B}[5~", .pageUp), ("\r", .enter), ("\u{1B}[Z", .backTab),
            ("é", .character("é")), ("\u{1B}[1;5C", .other), ("\u{3}", .control("c")),
        ]
        let (text, key) = keys[Int(choice >> 3) % keys.count]
        send(text, .key(key))
    }

    private mutating func letter(_ choice: UInt8) {
        let byte = 0x20 + choice % 0x5F
        send(String(UnicodeScalar(byte)), .key(.character(Character(UnicodeScalar(byte)))))
    }

    private mutating func number(_ bound: Int) -> Int { Int(remaining.popFirst() ?? 0) % bound }

    private mutating func send(_ text: String, _ input: TerminalInput? = nil) {
        sent += text.utf8
        if let input { expected.append(input) }
    }
}
