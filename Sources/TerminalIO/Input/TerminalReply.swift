import Pixels

/// The replies of a terminal to queries.
enum TerminalReply: Equatable {
    /// Primary device attributes (DA1), a reply that every terminal sends. Replies arrive in the order of the queries.
    /// The DA1 query is the last query at the start of a session, so this reply arrives last.
    case attributes
    /// Whether the terminal supports synchronized updates (mode 2026).
    case synchronizedOutput(Bool)
    /// The background colour (OSC 11).
    case background(CellColor)

    /// - Parameters:
    ///   - parameters: the parameter and intermediate bytes of the control sequence.
    ///   - final: the last byte of the control sequence.
    init?(control parameters: [UInt8], final: UInt8) {
        let text = String(decoding: parameters, as: UTF8.self)
        switch final {
        case UInt8(ascii: "c") where text.hasPrefix("?"):
            self = .attributes
        case UInt8(ascii: "y") where text.hasPrefix("?2026;") && text.hasSuffix("$"):
            // The values mean: 0 not recognised, 1 set, 2 reset, 3 permanently set, 4 permanently reset.
            let value = Int(text.dropFirst(6).dropLast())
            self = .synchronizedOutput(value == 1 || value == 2 || value == 3)
        default:
            return nil
        }
    }

    /// - Parameter command: the text of an operating system command, for example `11;rgb:1e1e/1e1e/2e2e`.
    init?(command: [UInt8]) {
        // Compares bytes, not characters. A colon followed by a joiner is one character, so a comparison of characters
        // would not find that colon.
        guard let name = ["11;rgb:", "11;rgba:"].first(where: { command.starts(with: $0.utf8) }) else { return nil }
        // `rgba:` has a fourth part, the opacity of the background. It is ignored.
        let parts = command.dropFirst(name.utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).prefix(3).map { Self.channel($0) }
        guard parts.count == 3, let red = parts[0], let green = parts[1], let blue = parts[2] else { return nil }
        self = .background(CellColor(red: red, green: green, blue: blue))
    }

    private static let background = "11;rgb"

    /// Returns whether a command that begins with this text can be a reply.
    static func canStart(with command: [UInt8]) -> Bool {
        let count = min(command.count, background.utf8.count)
        return command.prefix(count).elementsEqual(background.utf8.prefix(count))
    }

    /// Returns the value of one to four hexadecimal digits, scaled to 0...255 as XParseColor does; nil if a digit is
    /// invalid.
    private static func channel(_ digits: ArraySlice<UInt8>) -> UInt8? {
        // `UInt32` accepts a sign as part of the number, so this code checks for a sign.
        guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        let maximum = (UInt32(1) << (4 * UInt32(digits.count))) - 1
        return UInt8((value * 255 + maximum / 2) / maximum)
    }
}
