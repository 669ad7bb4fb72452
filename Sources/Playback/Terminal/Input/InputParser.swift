import Base
import Pixels

/// Input from the terminal: keys, mouse events and pastes of the user, and replies of the terminal.
enum TerminalInput: Equatable {
    case key(Key)
    case pointer(PointerEvent)
    /// The beginning of a pasted text, at most ``PasteCollector/maximumLength`` bytes. It can contain any character.
    case paste(String)
    case reply(TerminalReply)
}

/// Parses the input bytes of a terminal into keys, mouse events, pastes and replies, in pieces of any length.
///
/// A lone ESC counts as a key only if no byte follows within a timeout. Therefore, if ``isIncomplete`` is true, the
/// caller waits for further bytes. If none arrive, the caller calls ``resolveIncomplete()``. An incomplete control
/// sequence, string, character or paste then counts as stalled (``isStalled``), because its remaining bytes can still
/// arrive. A byte that cannot be one of them ends the stalled input and is parsed as new input.
struct InputParser {
    private enum State: Equatable {
        case ground
        case escape
        /// A control sequence, with the parameter and intermediate bytes that have arrived.
        case control([UInt8])
        /// ESC O has arrived, with the parameters of a key with modifiers. One more byte completes the sequence.
        case single([UInt8])
        /// A sequence without meaning of which this number of bytes is missing, such as a mouse event of X10.
        case skipping(Int)
        /// An operating system command (OSC) or another control string, with the text that has arrived. `sawEscape` is
        /// true if the last byte was an ESC, which can begin the terminator.
        case string(kind: UInt8, [UInt8], sawEscape: Bool)
        /// The first bytes of a character, and the number of missing bytes.
        case utf8([UInt8], missing: Int)
        /// A paste has begun. Its text is in ``InputParser/paste``.
        case paste
    }

    private var state = State.ground
    /// Whether an ESC precedes the present sequence: the Escape key before a report, or Alt with another key.
    private var followsEscape = false
    private var paste = PasteCollector()

    /// The maximum length of a sequence, in bytes. A longer sequence is ignored up to its end.
    private static let maximumLength = 256
    /// More inputs than this at once count as a paste. Fewer can also come from a key that repeats.
    private static let keysOfPaste = 32
    private static let pasteStart = Array("200".utf8)

    /// Whether text was pasted. Some terminals do not mark a paste, so many inputs at once count as one.
    private(set) var hasPasted = false
    /// Whether a paste has started but is not complete.
    var isPasting: Bool { state == .paste }
    /// Whether a sequence, a character or a paste has started but is not complete.
    var isIncomplete: Bool { state != .ground }
    /// Whether a sequence is incomplete and no byte has followed within the timeout.
    private(set) var isStalled = false
    /// The time of the latest input; nil unless it is incomplete.
    private var incompleteSince: Instant?
    /// The time after which a lone ESC counts as the Escape key.
    var escapeTimeout = Timeouts.escape

    mutating func parse(_ bytes: ArraySlice<UInt8>, at now: Instant) -> [TerminalInput] {
        defer { incompleteSince = isIncomplete ? now : nil }
        // Terminals send both bytes of Alt with a key at once, and fingers need more time from Escape to the next key.
        let isLate = incompleteSince.map { now - $0 > escapeTimeout / 4 } ?? false
        guard isLate, state == .escape, let next = bytes.first, !Self.introducers.contains(next) else {
            return parse(bytes)
        }
        return resolveIncomplete() + parse(bytes)
    }

    /// The bytes that make a sequence of a preceding ESC.
    private static let introducers = Array("[O]PX^_\\\u{1B}".utf8)

    /// The time at which ``resolveIncomplete()`` is due; nil without incomplete input.
    func deadline(isReplyPending: Bool) -> Instant? { incompleteSince.map { $0 + timeout(isReplyPending) } }

    private func timeout(_ isReplyPending: Bool) -> Int64 {
        if isPasting { return isStalled ? Timeouts.paste : Timeouts.sequence }
        if isStalled { return Timeouts.sequence }
        return isReplyPending ? max(escapeTimeout, Timeouts.escapeWhileReplyPending) : escapeTimeout
    }

    mutating func parse(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
        var inputs: [TerminalInput] = []
        for byte in bytes {
            let input = parse(byte)
            guard followsEscape, input != nil || state == .ground else {
                if let input { inputs.append(input) }
                continue
            }
            followsEscape = false
            let isKey = if case .key = input { true } else { false }
            inputs += isKey ? [.key(.other)] : [.key(.escape), input].compactMap(\.self)
        }
        // If so many inputs arrive at once, they are a paste that the terminal does not mark.
        if inputs.count > Self.keysOfPaste { hasPasted = true }
        return inputs
    }

    /// Resolves incomplete input after a timeout. The first call marks a control sequence, a string, a character or a
    /// paste as stalled, and the second call ends it. For other incomplete input, the first call returns a key.
    mutating func resolveIncomplete() -> [TerminalInput] {
        switch state {
        case .control, .string, .utf8, .paste:
            if !isStalled {
                isStalled = true
                return []
            }
        case .ground, .escape, .single, .skipping: break
        }
        defer { reset() }
        switch state {
        case .ground, .string, .skipping: return []
        case .escape: return followsEscape ? [.key(.escape), .key(.escape)] : [.key(.escape)]
        // `ESC [` alone is the key Alt-[. With parameters, it is an incomplete reply or key, which is discarded.
        case .control(let begun): return begun.isEmpty ? [.key(.other)] : []
        case .single, .utf8: return [.key(.other)]
        case .paste: return [.paste(paste.takeText())]
        }
    }

    private mutating func reset() {
        state = .ground
        followsEscape = false
        paste = PasteCollector()
        isStalled = false
        incompleteSince = nil
    }

    /// Returns whether the byte can continue the stalled sequence. If not, the byte is new input.
    private func continues(with byte: UInt8) -> Bool {
        switch state {
        case .control(let begun):
            (begun.isEmpty ? "0123456789?<>=[ABCDEFHIOZM" : "0123456789;:$cytSABCDEFHPQRZ~Mmun").utf8.contains(byte)
        case .string(let kind, let text, let sawEscape):
            if kind == UInt8(ascii: "]"), TerminalReply.canStart(with: text) {
                "0123456789abcdefABCDEF:/;rgb\u{7}\u{1B}".utf8.contains(byte) || sawEscape
            } else if kind == UInt8(ascii: "P"), TerminalReply.canStart(withDeviceControl: text) {
                "0123456789abcdefABCDEF:;=+$rm\u{1B}".utf8.contains(byte) || sawEscape
            } else {
                true
            }
        case .utf8: byte & 0xC0 == 0x80
        // The sequence that ends a paste can get lost. Ctrl-C then ends it and counts as a key.
        case .paste: byte != 0x03
        case .ground, .escape, .single, .skipping: true
        }
    }

    private mutating func parse(_ byte: UInt8) -> TerminalInput? {
        if isStalled, !continues(with: byte) { reset() }
        isStalled = false
        switch state {
        case .ground: return ground(byte)
        case .escape: return escape(byte)
        case .control(let begun): return control(begun, byte)
        case .single(let begun):
            guard begun.count >= 8 || !(0x30...0x3B).contains(byte) else {
                state = .single(begun + [byte])
                return nil
            }
            state = .ground
            // In its application mode, the keypad sends the code of its character with another third bit.
            if byte == UInt8(ascii: "M") || (0x6A...0x79).contains(byte) { return .key(Key(byte: byte - 0x40)) }
            return .key(Key(parameters: begun, final: byte) ?? .other)
        case .skipping(let missing):
            state = missing > 1 ? .skipping(missing - 1) : .ground
            return nil
        case .string(let kind, let text, let sawEscape): return string(kind, text, sawEscape, byte)
        case .utf8(let begun, let missing): return utf8(begun, missing, byte)
        case .paste:
            guard paste.append(byte) else { return nil }
            state = .ground
            let text = paste.takeText()
            return text.isEmpty ? nil : .paste(text)
        }
    }

    private mutating func ground(_ byte: UInt8) -> TerminalInput? {
        switch byte {
        case 0x1B:
            state = .escape
            return nil
        case 0xC2...0xDF: state = .utf8([byte], missing: 1)
        case 0xE0...0xEF: state = .utf8([byte], missing: 2)
        case 0xF0...0xF4: state = .utf8([byte], missing: 3)
        default: return .key(Key(byte: byte))
        }
        return nil
    }

    private mutating func escape(_ byte: UInt8) -> TerminalInput? {
        switch byte {
        case 0x1B: followsEscape = true
        case UInt8(ascii: "["): state = .control([])
        case UInt8(ascii: "O"): state = .single([])
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(kind: byte, [], sawEscape: false)
        // `ESC \` is the terminator of a string that was discarded earlier.
        case UInt8(ascii: "\\"): state = .ground
        default:
            state = .ground
            return .key(.other)
        }
        return nil
    }

    private mutating func control(_ begun: [UInt8], _ byte: UInt8) -> TerminalInput? {
        switch byte {
        case 0x20...0x3F:
            if begun.count < Self.maximumLength { state = .control(begun + [byte]) }
            return nil
        case 0x40...0x7E:
            state = .ground
            // Three bytes follow in a mouse event of X10, and one in a function key of the Linux console.
            if begun.isEmpty, byte == UInt8(ascii: "M") { state = .skipping(3) }
            if begun.isEmpty, byte == UInt8(ascii: "[") { state = .skipping(1) }
            guard begun.count < Self.maximumLength else { return nil }
            if let reply = TerminalReply(control: begun, final: byte) { return .reply(reply) }
            if byte == UInt8(ascii: "~"), begun == Self.pasteStart {
                (state, hasPasted) = (.paste, true)
                return nil
            }
            if begun.first == UInt8(ascii: "<") {
                return PointerEvent(parameters: begun, final: byte).map { .pointer($0) }
            }
            // A sequence with private parameters is a reply to a query that gifplay does not send.
            if let first = begun.first, (0x3C...0x3F).contains(first) { return nil }
            return Key(parameters: begun, final: byte).map { .key($0) }
        case 0x1B:
            state = .escape
            return nil
        default:
            // No sequence contains this byte. Therefore the sequence was truncated, and the byte is new input.
            state = .ground
            return ground(byte)
        }
    }

    private mutating func string(
        _ kind: UInt8, _ text: [UInt8], _ sawEscape: Bool, _ byte: UInt8
    ) -> TerminalInput? {
        if sawEscape, byte != UInt8(ascii: "\\") {
            // The string was truncated, and the ESC began another sequence.
            state = .escape
            return escape(byte)
        }
        switch byte {
        case 0x07,
            _ where sawEscape:
            state = .ground
            guard text.count <= Self.maximumLength else { return nil }
            let reply: TerminalReply? =
                switch kind {
                case UInt8(ascii: "]"): TerminalReply(command: text)
                case UInt8(ascii: "P"): TerminalReply(deviceControl: text)
                case UInt8(ascii: "_"): GraphicsReply(command: text).map { TerminalReply.graphics($0) }
                default: nil
                }
            return reply.map { TerminalInput.reply($0) }
        case 0x1B: state = .string(kind: kind, text, sawEscape: true)
        case 0x00..<0x20:
            state = .ground
            return ground(byte)
        default: if text.count <= Self.maximumLength { state = .string(kind: kind, text + [byte], sawEscape: false) }
        }
        return nil
    }

    private mutating func utf8(_ begun: [UInt8], _ missing: Int, _ byte: UInt8) -> TerminalInput? {
        guard byte & 0xC0 == 0x80 else {
            state = .ground
            return ground(byte) ?? .key(.other)
        }
        let bytes = begun + [byte]
        guard missing == 1 else {
            state = .utf8(bytes, missing: missing - 1)
            return nil
        }
        state = .ground
        guard let character = String(validating: bytes, as: UTF8.self)?.first else { return .key(.other) }
        return .key(.character(character))
    }
}
