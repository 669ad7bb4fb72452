/// Finds the first syntax error of a JSON document that JSONDecoder refuses, because JSONDecoder reports neither its
/// kind nor its position. Accepts what JSONDecoder accepts, such as a comma before a closing bracket.
struct JSONSyntaxCheck {
    private struct Failure: Error {
        var reason: String
    }

    /// The maximum depth of JSONDecoder.
    private static let depthLimit = 512
    private let bytes: [UInt8]
    private var position = 0

    /// - Returns: the error with its line, which counts from 1; nil if the syntax is right.
    static func firstError(in document: [UInt8]) -> (reason: String, line: Int)? {
        var check = Self(bytes: document)
        do throws(Failure) {
            try check.checkDocument()
            return nil
        } catch {
            return (error.reason, 1 + document.prefix(check.position).count { $0 == UInt8(ascii: "\n") })
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func checkDocument() throws(Failure) {
        try checkEncoding()
        var closings: [UInt8] = []
        repeat {
            skipSpace()
            if closings.isEmpty || !skip(closings.last) {
                if closings.last == UInt8(ascii: "}") { try checkName() }
                if let closing = skipOpening() {
                    closings.append(closing)
                    guard closings.count <= Self.depthLimit else {
                        throw Failure(reason: "Too many nested arrays or dictionaries")
                    }
                    continue
                }
                try checkScalar()
            } else {
                closings.removeLast()
            }
            skipSpace()
            while !closings.isEmpty, skip(closings.last) {
                closings.removeLast()
                skipSpace()
            }
            if !closings.isEmpty { try expect(",") }
        } while !closings.isEmpty
        guard position == bytes.count else { throw invalidValue }
    }

    private mutating func checkEncoding() throws(Failure) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            position = error.byteOffsets.lowerBound
            throw Failure(reason: "Invalid UTF-8")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    private mutating func checkName() throws(Failure) {
        try checkString()
        skipSpace()
        try expect(":")
        skipSpace()
    }

    /// Skips the beginning of an array or object, and returns the byte that ends it.
    private mutating func skipOpening() -> UInt8? {
        if skip(UInt8(ascii: "{")) { return UInt8(ascii: "}") }
        return skip(UInt8(ascii: "[")) ? UInt8(ascii: "]") : nil
    }

    private mutating func checkScalar() throws(Failure) {
        switch next ?? 0 {
        case UInt8(ascii: "\""): try checkString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try checkNumber()
        default:
            let word = ["true", "false", "null"].first { bytes[position...].starts(with: $0.utf8) }
            guard let word else { throw invalidValue }
            position += word.utf8.count
        }
    }

    private mutating func checkNumber() throws(Failure) {
        skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try skipDigits() }
        if skip(UInt8(ascii: ".")) { try skipDigits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(Failure) {
        let count = bytes[position...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
        guard count > 0 else { throw invalidValue }
        position += count
    }

    private mutating func checkString() throws(Failure) {
        try expect("\"")
        while !skip(UInt8(ascii: "\"")) {
            guard let byte = next else { throw invalidValue }
            guard byte >= 0x20 else { throw Failure(reason: "Unescaped control character") }
            if skip(UInt8(ascii: "\\")) { try checkEscape() } else { position += 1 }
        }
    }

    private mutating func checkEscape() throws(Failure) {
        guard let letter = next, "\"\\/bfnrtu".utf8.contains(letter) else { throw Self.invalidEscape }
        position += 1
        guard letter == UInt8(ascii: "u") else { return }
        switch try codeUnit() {
        case 0xD800...0xDBFF:
            guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")), 0xDC00...0xDFFF ~= (try codeUnit()) else {
                throw Self.invalidEscape
            }
        case 0xDC00...0xDFFF: throw Self.invalidEscape
        default: break
        }
    }

    /// Skips four hexadecimal digits.
    private mutating func codeUnit() throws(Failure) -> Int {
        let digits = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, digits.first != "+", digits.first != "-", let unit = Int(digits, radix: 16) else {
            throw Self.invalidEscape
        }
        position += 4
        return unit
    }

    // MARK: - Bytes

    private static let invalidEscape = Failure(reason: "Invalid escape sequence")

    private var invalidValue: Failure { Failure(reason: next == nil ? "Unexpected end of file" : "Invalid value") }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    @discardableResult
    private mutating func skip(_ byte: UInt8?) -> Bool {
        guard let next, next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let next, " \t\r\n".utf8.contains(next) { position += 1 }
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Failure) {
        guard skip(UInt8(ascii: character)) else { throw invalidValue }
    }
}
