import Pixels

/// What a terminal answers to the queries that a session asks as it begins.
enum TerminalReply: Equatable {
    /// Primary device attributes. Every terminal gives them, and in order: they end the answers.
    case attributes
    /// Whether it knows synchronized updates (mode 2026).
    case synchronizedOutput(Bool)
    /// The background colour (OSC 11).
    case background(CellColor)

    /// - Parameters:
    ///   - parameters: of the control sequence, with intermediates.
    ///   - final: its last byte.
    init?(control parameters: [UInt8], final: UInt8) {
        let text = String(decoding: parameters, as: UTF8.self)
        switch final {
        case UInt8(ascii: "c") where text.hasPrefix("?"):
            self = .attributes
        case UInt8(ascii: "y") where text.hasPrefix("?2026;") && text.hasSuffix("$"):
            // 0 not recognised, 1 set, 2 reset, 3 permanently set, 4 permanently reset.
            let value = Int(text.dropFirst(6).dropLast())
            self = .synchronizedOutput(value == 1 || value == 2 || value == 3)
        default:
            return nil
        }
    }

    /// - Parameter command: the text of an operating system command, as `11;rgb:1e1e/1e1e/2e2e`.
    init?(command: [UInt8]) {
        // By bytes: as characters a colon with a joiner behind it would be no colon, and a later one would serve.
        guard let name = ["11;rgb:", "11;rgba:"].first(where: { command.starts(with: $0.utf8) }) else { return nil }
        // rgba: has a fourth part, which is the background's own transparency.
        let parts = command.dropFirst(name.utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).prefix(3).map { Self.channel($0) }
        guard parts.count == 3, let red = parts[0], let green = parts[1], let blue = parts[2] else { return nil }
        self = .background(CellColor(red: red, green: green, blue: blue))
    }

    private static let background = "11;rgb"

    /// Whether an answer may begin with this text of a command.
    static func isBegun(by command: [UInt8]) -> Bool {
        let count = min(command.count, background.utf8.count)
        return command.prefix(count).elementsEqual(background.utf8.prefix(count))
    }

    /// One to four hexadecimal digits, scaled to 0...255 (XParseColor).
    private static func channel(_ digits: ArraySlice<UInt8>) -> UInt8? {
        // A sign would be taken for a part of the number.
        guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        let most = (UInt32(1) << (4 * UInt32(digits.count))) - 1
        return UInt8((value * 255 + most / 2) / most)
    }
}
