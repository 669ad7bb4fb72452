import Base
import Pixels
import Playback

enum TerminalReply: Equatable {
    /// Primary device attributes (DA1), a reply that every terminal sends. Replies arrive in the order of the queries.
    /// The DA1 query is the last query at the start of a session, so this reply arrives last.
    case attributes(hasSixel: Bool)
    /// Whether the terminal supports synchronized updates (mode 2026).
    case synchronizedOutput(Bool)
    /// The background colour (OSC 11).
    case background(CellColor)
    /// The number of colours (XTGETTCAP or DECRQSS).
    case colorDepth(ColorDepth)
    case graphics(GraphicsReply)
    /// The name and the version of the terminal (XTVERSION).
    case program(String)

    /// - Parameters:
    ///   - parameters: the parameter and intermediate bytes of the control sequence.
    ///   - final: the last byte of the control sequence.
    init?(control parameters: [UInt8], final: UInt8) {
        let text = String(decoding: parameters, as: UTF8.self)
        switch final {
        case UInt8(ascii: "c") where text.hasPrefix("?"): self = .attributes(hasSixel: Self.hasSixel(parameters))
        case UInt8(ascii: "y") where text.hasPrefix("?2026;") && text.hasSuffix("$"):
            // The values mean: 0 not recognised, 1 set, 2 reset, 3 permanently set, 4 permanently reset.
            let value = Int(outside: text.dropFirst(6).dropLast())
            self = .synchronizedOutput(value == 1 || value == 2 || value == 3)
        default:
            guard let reply = GraphicsReply(control: text, final: final) else { return nil }
            self = .graphics(reply)
        }
    }

    /// Returns whether the attributes after the first one include 4 (sixel). This reply can arrive after every frame,
    /// so the function must be fast. Therefore it compares bytes.
    private static func hasSixel(_ parameters: [UInt8]) -> Bool {
        let separator = UInt8(ascii: ";")
        return parameters.indices.dropFirst().contains { index in
            parameters[index] == UInt8(ascii: "4") && parameters[index - 1] == separator
                && (index + 1 == parameters.count || parameters[index + 1] == separator)
        }
    }

    /// - Parameter command: the text of an operating system command, for example `11;rgb:1e1e/1e1e/2e2e`.
    init?(command: [UInt8]) {
        // Compares bytes, because a colon followed by a joiner is one character.
        guard let name = ["11;rgb:", "11;rgba:"].first(where: { command.starts(with: $0.utf8) }) else { return nil }
        // `rgba:` has a fourth part, the opacity of the background. It is ignored.
        let parts = command.dropFirst(name.utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).prefix(3).map { Self.channel($0) }
        guard parts.count == 3, let red = parts[0], let green = parts[1], let blue = parts[2] else { return nil }
        self = .background(CellColor(red: red, green: green, blue: blue))
    }

    /// Returns whether the terminal reports shared memory without having read the test image, which is then deleted.
    func isUntrue(_ testMemory: SharedMemory?) -> Bool {
        self == .graphics(.sharedMemory) && testMemory?.removeUnread() != false
    }

    private static let background = "11;rgb"

    /// Returns whether a command that begins with this text can be a reply.
    static func canStart(with command: [UInt8]) -> Bool {
        let count = min(command.count, background.utf8.count)
        return command.prefix(count).elementsEqual(background.utf8.prefix(count))
    }

    /// Returns one to four hexadecimal digits scaled to 0...255, as XParseColor does; nil if a digit is invalid.
    private static func channel(_ digits: ArraySlice<UInt8>) -> UInt8? {
        // Reject a sign, which `UInt32` would accept.
        guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        let maximum = (UInt32(1) << (4 * UInt32(digits.count))) - 1
        return UInt8((value * 255 + maximum / 2) / maximum)
    }
}

// MARK: - Device control strings

extension TerminalReply {
    /// - Parameter text: the text of a device control string: `>|XTerm(379)` (XTVERSION), `1+r524742=38` (XTGETTCAP, in
    ///   hexadecimal digits) or `1$r0;38:2::1:2:3m` (DECRQSS).
    init?(deviceControl text: [UInt8]) {
        let text = String(decoding: text, as: UTF8.self)
        if text.hasPrefix(">|") {
            self = .program(String(text.dropFirst(2)))
            return
        }
        guard let depth = Self.hasCapability(text) ? .direct : Self.depth(text) else { return nil }
        self = .colorDepth(depth)
    }

    private static func hasCapability(_ text: String) -> Bool {
        guard text == "1+r524742" || text.hasPrefix("1+r524742=") else { return false }
        // A terminal without 24-bit colours can report the number of bits as 0 or -1.
        return !text.hasPrefix("1+r524742=30") && !text.hasPrefix("1+r524742=2D") && !text.hasPrefix("1+r524742=2d")
    }

    /// Returns the colour depth with which the terminal has stored the foreground colour that
    /// ``ScreenSequences/colorQueries`` sets. A terminal without 24-bit colours stores a colour of its palette.
    private static func depth(_ text: String) -> ColorDepth? {
        guard text.hasPrefix("1$r"), text.hasSuffix("m") else { return nil }
        let numbers = text.dropFirst(3).dropLast().split { $0 == ";" || $0 == ":" }.drop { $0 != "38" }.dropFirst()
        if numbers.first == "2", numbers.dropFirst().suffix(3) == ["1", "2", "3"] { return .direct }
        return numbers.first == "5" && numbers.dropFirst().first == "16" ? .indexed : nil
    }

    /// Returns whether a device control string that begins with this text can be a reply.
    static func canStart(withDeviceControl text: [UInt8]) -> Bool {
        ["0+r", "1+r", "0$r", "1$r", ">|"].contains { zip($0.utf8, text).allSatisfy(==) }
    }
}

extension TerminalTraits {
    /// Returns the traits of a terminal that sent `reply` after `queries`.
    func updated(by reply: TerminalReply, to queries: String) -> TerminalTraits {
        var traits = self
        switch reply {
        case .background(let color): traits.background = color
        // If gifplay sent no colour query, the reply is for another program, so it is ignored.
        case .colorDepth(let depth) where queries.contains(ScreenSequences.colorQueries):
            traits.colors.depth = max(depth, colors.depth)
        case .attributes(let hasSixel):
            // This reply is the last one, so the name of the terminal is known.
            let program = TerminalProgram(graphics.program)
            traits.graphics.reportSixel(.terminal, hasSixel)
            if graphics.transport != .tmux {
                traits.graphics.setSupport(.iterm2, program.shows(.iterm2, hasSixel: hasSixel))
            }
            traits.graphics.needsWholeSixels = graphics.transport == .tmux || program.erasesBelowSixels
            traits.graphics.playsFiles = program.playsFiles
            traits.graphics.awaited?.remove(.terminal)
        case .program(let name): traits.graphics.program = name
        case .graphics(let reply): traits.update(by: reply)
        case .colorDepth, .synchronizedOutput: break
        }
        return traits
    }

    /// The traits of a terminal that has not replied in time.
    var withoutReply: TerminalTraits {
        var traits = self
        traits.graphics.awaited?.remove(.terminal)
        return traits
    }
}

extension TerminalGraphics {
    /// Records whether a respondent reports sixels. tmux 3.5 replies to DA1 that it has sixels even if the terminal around
    /// it has none, so both must report them.
    mutating func reportSixel(_ respondent: Respondent, _ hasSixel: Bool) {
        if hasSixel { sixelReporters.insert(respondent) } else { sixelReporters.remove(respondent) }
        setSupport(.sixel, sixelReporters.isSuperset(of: transport == .tmux ? [.terminal, .tmux] : [.terminal]))
    }

    fileprivate mutating func setSupport(_ graphics: GraphicsProtocol, _ isSupported: Bool) {
        if isSupported { supported.insert(graphics) } else { supported.remove(graphics) }
    }
}
