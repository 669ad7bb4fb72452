import Glibc

/// Makes text from untrusted sources safe to print on a terminal.
///
/// A control character can begin an escape sequence, for example one that moves the cursor. A format character can
/// reverse the direction of the rest of the line.
public enum SafeText {
    /// Returns `text` in one line, without escape sequences, control characters and format characters. Replaces each
    /// run of white space with one space, and removes white space at both ends.
    public static func line(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isSpacePending = false
        var marks = 0
        for scalar in withoutSequences(text.unicodeScalars) {
            let role = Role(scalar)
            let isSpace = role == .space || role == .control && scalar.properties.isWhitespace
            switch role {
            case _ where isSpace:
                isSpacePending = !result.isEmpty
                marks = 0
            // Dropped characters are invisible, so they do not reset the number of combining marks.
            case .control where !scalar.isPathByte: continue
            case .space, .dropped: continue
            case .mark where marks >= marksPerCharacter: continue
            case .mark, .printable, .control:
                marks = role == .mark ? marks + 1 : 0
                if isSpacePending { result.append(" ") }
                isSpacePending = false
                result.append(role == .control ? "\u{FFFD}" : scalar)
            }
        }
        return String(result)
    }

    /// Returns `text` in one line for a message. Keeps all spaces, unlike ``line(_:)``. A newline or a tab becomes a
    /// space; any other control character becomes a visible character. Thus a file name with a control character does
    /// not look like the name of another file.
    public static func sentence(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return text }
        var result = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            let role = Role(scalar)
            switch role {
            case .control: result.append(scalar == "\n" || scalar == "\t" ? " " : "\u{FFFD}")
            case .space: result.append(" ")
            case .dropped: continue
            case .mark where marks >= marksPerCharacter: continue
            case .mark, .printable:
                marks = role == .mark ? marks + 1 : 0
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Returns a path for a message, with `~` for the home directory. If it has more than 48 characters, an ellipsis
    /// stands for a part in its middle.
    public static func path(_ path: String) -> String {
        let home = getenv("HOME").map { String(path: $0) } ?? ""
        let isBelow = home.count > 1 && path.hasPrefix(home + "/")
        let text = sentence(isBelow ? "~" + path.dropFirst(home.count) : path)
        guard text.count > 48 else { return text }
        let end = text.suffix(min(32, FileSystem.lastName(of: text).count + 1))
        return text.prefix(47 - end.count) + "…" + end
    }

    public static func isSafe(_ text: String) -> Bool {
        var marks = 0
        return text.unicodeScalars.allSatisfy { scalar in
            let role = Role(scalar)
            marks = role == .mark ? marks + 1 : 0
            return role == .printable || scalar == " " || role == .mark && marks <= marksPerCharacter
        }
    }

    /// Returns the beginning of a text that the user typed, for a message. Quotes make blanks at its ends visible, and an
    /// empty text.
    public static func excerpt(_ text: String, to limit: Int = 200) -> String {
        let isPlain = text.first?.isWhitespace == false && text.last?.isWhitespace == false
        return isPlain ? shortened(text, to: limit) : "'\(shortened(text, to: limit))'"
    }

    /// Returns at most `limit` code points. A longer text ends between two characters, with an ellipsis.
    public static func shortened(_ text: String, to limit: Int) -> String {
        guard text.unicodeScalars.count > limit else { return text }
        var result = ""
        var count = 1
        for character in text {
            count += character.unicodeScalars.count
            guard count <= limit else { break }
            result.append(character)
        }
        return result + "…"
    }

    /// Escapes every character of a JSON document that is not safe to print. JSON itself requires it up to U+001F.
    public static func escaped(json: String) -> String {
        guard json.utf8.contains(where: { $0 > 0x7E }) else { return json }
        var text = String.UnicodeScalarView()
        var marks = 0
        for scalar in json.unicodeScalars {
            let role = Role(scalar)
            marks = role == .mark ? marks + 1 : 0
            let isShown = role == .printable || role == .mark && marks <= marksPerCharacter
            if scalar.isASCII && scalar != "\u{7F}" || isShown {
                text.append(scalar)
            } else {
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    text += ("\\u" + [UInt8(unit >> 8), UInt8(unit & 255)].hexadecimal).unicodeScalars
                }
            }
        }
        return String(text)
    }

    /// No script needs more marks. Terminals would draw further marks over the neighbouring lines.
    private static let marksPerCharacter = 8

    private enum Role {
        case printable, mark, space, control, dropped

        init(_ scalar: Unicode.Scalar) {
            if scalar.isASCII {
                self = scalar == " " ? .space : scalar.value < 0x20 || scalar.value == 0x7F ? .control : .printable
                return
            }
            switch scalar.properties.generalCategory {
            case .control: self = .control
            case .privateUse where scalar.isPathByte: self = .control
            case .lineSeparator, .paragraphSeparator, .spaceSeparator: self = .space
            case .format, .surrogate, .privateUse, .unassigned: self = .dropped
            // The variation selectors are invisible, but necessary for emoji.
            case _ where scalar == "\u{FE0E}" || scalar == "\u{FE0F}": self = .mark
            case _ where scalar.properties.isDefaultIgnorableCodePoint: self = .dropped
            case .nonspacingMark, .enclosingMark: self = .mark
            default: self = .printable
            }
        }
    }

    /// Removes whole sequences. Without its escape character, `[31m` would be harmless, but it is not part of a title.
    private static func withoutSequences(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        guard text.contains(where: { $0 == "\u{1B}" || $0 == "\u{9B}" }) else { return text }
        var rest = Array(text)[...]
        var result = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\u{9B}" {
                rest = afterControlSequence(rest)
            } else if scalar == "\u{1B}" {
                rest = afterEscape(rest)
            } else {
                result.append(scalar)
            }
        }
        return result
    }

    private static func afterEscape(_ rest: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        guard let kind = rest.first else { return rest }
        switch kind {
        case "[": return afterControlSequence(rest.dropFirst())
        case "]", "P", "X", "^", "_": return afterString(rest.dropFirst())
        case "\u{20}"..."\u{7E}": return rest.dropFirst()
        default: return rest
        }
    }

    private static func afterControlSequence(_ rest: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        let tail = rest.drop { ("\u{20}"..."\u{3F}").contains($0) }
        guard let final = tail.first, ("\u{40}"..."\u{7E}").contains(final) else { return tail }
        return tail.dropFirst()
    }

    /// Returns the text after a control string. Without a terminator, returns `rest`: it might be part of a title.
    private static func afterString(_ rest: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        guard let end = rest.firstIndex(where: { $0 == "\u{07}" || $0 == "\u{9C}" || $0 == "\u{1B}" }) else {
            return rest
        }
        let tail = rest[rest.index(after: end)...]
        return rest[end] == "\u{1B}" && tail.first == "\\" ? tail.dropFirst() : tail
    }
}

extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal digits, two per byte.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// The only way in which a number from outside (a server, a file, the environment, a terminal) becomes an `Int`: within
/// a range. Sums of a few numbers in ``outsideRange``, and products with small factors, cannot overflow.
extension Int {
    /// Up to 2^40 in both directions. No real size, count or time in seconds is outside.
    public static var outsideRange: ClosedRange<Int> { -1 << 40...1 << 40 }

    /// The last second of the year 9999, in seconds since 1970.
    public static var latestTime: Int { 253_402_300_799 }

    /// Nil if the number is missing or outside the range.
    public init?(outside number: Int?, in range: ClosedRange<Int> = outsideRange) {
        guard let number, range.contains(number) else { return nil }
        self = number
    }

    /// Drops a fractional part. Nil if the number is outside the range or not a number.
    public init?(outside number: Double, in range: ClosedRange<Int> = outsideRange) {
        self.init(outside: Int(exactly: number.rounded(.towardZero)), in: range)
    }

    /// Nil unless the text consists of ASCII digits, after an optional minus sign, for a number in the range.
    public init?(outside text: some StringProtocol, in range: ClosedRange<Int> = outsideRange) {
        guard let number = Self.digits(text), range.contains(number) else { return nil }
        self = number
    }

    /// As ``init(outside:in:)``, but replaces a number outside the range by the nearest number in it.
    public init?(outside text: some StringProtocol, clampedTo range: ClosedRange<Int>) {
        guard let number = Self.digits(text) else { return nil }
        self.init(clamping: number, to: range)
    }

    public init(clamping number: Int, to range: ClosedRange<Int>) {
        self = Swift.min(Swift.max(number, range.lowerBound), range.upperBound)
    }

    /// A number that is too large for `Int` becomes the largest or the smallest one.
    private static func digits(_ text: some StringProtocol) -> Int? {
        // The generic view of a text would look up its conformances, which takes longer than a copy.
        let text = String(text)
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? (isNegative ? .min : .max)
    }
}
