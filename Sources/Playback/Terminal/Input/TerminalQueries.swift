import Base
import Glibc
import Pixels

/// The queries that gifplay sends to a terminal. ``TerminalReply`` parses the replies.
struct TerminalQueries {
    /// Empty if none are sent.
    var text = ""
    /// Other programs can ask for colours too, and for the position of the cursor. Their replies are ignored.
    var detectsColors = false
    var detectsWidth = false

    /// Returns the queries for the background colour, synchronized updates and DA1, and optionally for colours, the width
    /// of a half-block and pixel graphics. The DA1 query is last, because every terminal replies to it.
    ///
    /// A terminal can print a query that it does not know, such as the strings of the kitty protocol. The queries are
    /// therefore written on one line, which is erased from the position of the cursor on.
    /// - Parameter testMemory: stores a test image, in addition to the one in the queries for pixel graphics.
    static func start(
        detectsColors: Bool = false, detectsWidth: Bool = false, detectsGraphics: Bool = false,
        testMemory: SharedMemory? = nil
    ) -> TerminalQueries {
        let text =
            "\u{1B}7\u{1B}[?7l" + (detectsColors ? colors : "") + "\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p"
            + (detectsGraphics ? graphics(memory: testMemory) : "") + (detectsWidth ? width : "")
            + "\u{1B}[?7h\u{1B}8\u{1B}[K" + attributes
        return TerminalQueries(text: text, detectsColors: detectsColors, detectsWidth: detectsWidth)
    }

    /// The queries for the position of the cursor (CPR) before and after a half-block. Its width is ambiguous in Unicode.
    static let width = "\u{1B}[6n▀\u{1B}[6n"

    /// The queries for 24-bit colours: the terminfo capability RGB (XTGETTCAP), and the foreground after an attempt to
    /// set it to a 24-bit colour (DECRQSS).
    static let colors = "\u{1B}P+q524742\u{1B}\\\u{1B}[38:2::1:2:3m\u{1B}P$qm\u{1B}\\\u{1B}[0m"
    /// The query for the primary device attributes (DA1). A terminal replies after it has displayed all earlier output.
    static let attributes = "\u{1B}[c"

    // MARK: - Pixel graphics

    /// Returns queries for the size of a cell and of the text area in pixels (XTWINOPS 16 and 14) and for the largest
    /// sixel image in any window (XTSMGRAPHICS), and for the name of the terminal (XTVERSION). A request sets the number
    /// of colour registers to 256, because xterm has only 16 when it emulates a VT340. Two test images of one pixel
    /// detect the kitty protocol: the first image is part of the command, and the second one is in shared memory. A third
    /// one gets a second frame, to detect animations. DA1, which detects sixels, is sent in every case.
    ///
    /// Inside tmux, the test images are not sent, because tmux replies to DA1 itself. The reply to an image would
    /// arrive after the last expected reply, possibly in the shell. tmux reports its own name.
    /// - Parameter memory: stores the second image, which the terminal deletes when it has read it; nil to omit it.
    static func graphics(_ transport: KittyTransport = transport, memory: SharedMemory?) -> String {
        let sizes = "\u{1B}[16t\u{1B}[14t\u{1B}[?1;3;256S\u{1B}[?2;4;0S"
        guard transport != .tmux else { return sizes }
        let pixel: [UInt8] = [0, 0, 0]
        let name = memory.flatMap { memory in pixel.withUnsafeBytes { memory.store($0) } }
        return sizes + "\u{1B}[>q" + test(31, medium: "d", pixel)
            + (name.map { test(32, medium: "s", Array($0.utf8)) } ?? "") + animationTest
    }

    /// Stores an image, adds a frame to it, for which alone the terminal replies, and deletes it. Its number is
    /// unlikely to be in use.
    private static let animationTest =
        "\u{1B}_Gi=6777190,a=t,q=2,f=24,s=1,v=1;AAAA\u{1B}\\\u{1B}_Gi=6777190,a=f,f=24,s=1,v=1;AAAA\u{1B}\\"
        + "\u{1B}_Gi=6777190,a=d,d=I,q=2\u{1B}\\"

    private static func test(_ image: Int, medium: String, _ data: [UInt8]) -> String {
        "\u{1B}_Gi=\(image),s=1,v=1,a=q,t=\(medium),f=24;\(String(decoding: Base64.encode(data), as: UTF8.self))\u{1B}\\"
    }

    /// The replies by which a terminal confirms that it can show the first and the second test image, and that the third
    /// one has two frames. A terminal that takes the frame for an image does not reply with its number.
    static let replies = (image: "Gi=31;OK", sharedImage: "Gi=32;OK", frame: "Gi=6777190,r=2;OK")

    static var transport: KittyTransport { getenv("TMUX") == nil ? .direct : .tmux }
}

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
    /// The column of the cursor (CPR). Shift-F3 in xterm can look the same, but no command has this key.
    case cursorColumn(Int)

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
        case UInt8(ascii: "R"):
            let numbers = text.split(separator: ";").map { Int(outside: $0, in: 1...65_535) ?? 0 }
            guard numbers.count == 2, !numbers.contains(0) else { return nil }
            self = .cursorColumn(numbers[1])
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
    /// ``TerminalQueries/colors`` sets. A terminal without 24-bit colours stores a colour of its palette.
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

/// A reply of the terminal about its pixel graphics; see ``TerminalQueries``.
enum GraphicsReply: Equatable {
    /// The terminal can show an image of the kitty graphics protocol.
    case kitty
    /// The terminal can show an image of the kitty graphics protocol that is in shared memory.
    case sharedMemory
    /// The terminal keeps the frames of an animated image.
    case kittyFrames
    /// The size of a cell in pixels.
    case cell(PixelSize)
    /// The size of the text area in pixels.
    case textArea(PixelSize)
    case colors(Int)
    /// The largest sixel image in pixels.
    case sixelLimit(PixelSize)

    /// - Parameters:
    ///   - parameters: the parameters of the control sequence, for example `6;20;10`.
    ///   - final: the last byte of the control sequence.
    init?(control parameters: String, final: UInt8) {
        let isPrivate = parameters.hasPrefix("?")
        let numbers = parameters.dropFirst(isPrivate ? 1 : 0).split(separator: ";", omittingEmptySubsequences: false)
            // No terminal has more pixels in one direction.
            .map { Int(outside: $0, in: 0...65_535) ?? -1 }
        guard !numbers.contains(-1) else { return nil }
        switch (final, isPrivate, numbers.count) {
        case (UInt8(ascii: "t"), false, 3) where numbers[1] > 0 && numbers[2] > 0:
            let size = PixelSize(width: numbers[2], height: numbers[1])
            if numbers[0] == 6 {
                self = .cell(size)
            } else if numbers[0] == 4 {
                self = .textArea(size)
            } else {
                return nil
            }
        // The second number is 0 for success.
        case (UInt8(ascii: "S"), true, 3) where numbers[0] == 1 && numbers[1] == 0 && numbers[2] > 1:
            self = .colors(numbers[2])
        case (UInt8(ascii: "S"), true, 4) where numbers[0] == 2 && numbers[1] == 0 && numbers[2] > 0 && numbers[3] > 0:
            self = .sixelLimit(PixelSize(width: numbers[2], height: numbers[3]))
        default: return nil
        }
    }

    /// - Parameter command: the text of an application program command (APC), for example `Gi=31;OK`.
    init?(command: [UInt8]) {
        if command.elementsEqual(TerminalQueries.replies.image.utf8) {
            self = .kitty
        } else if command.elementsEqual(TerminalQueries.replies.sharedImage.utf8) {
            self = .sharedMemory
        } else if command.elementsEqual(TerminalQueries.replies.frame.utf8) {
            self = .kittyFrames
        } else {
            return nil
        }
    }
}
