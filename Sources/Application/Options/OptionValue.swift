import Base
import Catalog
import Glibc
import Pixels
import Playback

/// Converts the text of an option to its value. The error states the expected form and begins with the word "expected".
public enum OptionValue {
    private static func checked<Value>(_ value: Value?, _ form: @autoclosure () -> String) throws(Failure) -> Value {
        guard let value else { throw Failure("expected \(form())") }
        return value
    }

    /// A number of columns and rows, such as `80x24`.
    public static func size(_ text: String) throws(Failure) -> CellSize {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        let sides = parts.compactMap { Int(outside: $0, in: 1...10_000) }
        let size = parts.count == 2 && sides.count == 2 ? CellSize(columns: sides[0], rows: sides[1]) : nil
        return try checked(size, "columns and rows from 1 to 10000, such as 80x24")
    }

    /// A duration in nanoseconds, such as `10`, `1.5s`, `250ms`, `2m` or `1h`. Without a unit, the number is in seconds.
    public static func duration(_ text: String) throws(Failure) -> Int64 {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
        let unit = units.first { text.hasSuffix($0.0) } ?? ("", 1)
        let seconds = decimal(text.dropLast(unit.0.count)).map { $0 * unit.1 }
        let allowed = seconds.flatMap { (0.001...3.6e8).contains($0) ? $0 : nil }
        return Int64(try checked(allowed, "a time from 1ms to 100000h, such as 30s, 1.5m or 250ms") * 1e9)
    }

    /// Digits with at most one point, which a digit follows. `Double` also converts 0x10, 1e3, +5 and nan.
    private static func decimal(_ text: some StringProtocol) -> Double? {
        let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        return isPlain && !text.hasSuffix(".") ? Double(String(text)) : nil
    }

    /// A whole number, such as `4096`, `512K`, `8M` or `1G`. The suffixes are powers of 1024.
    public static func count(_ text: String, from minimum: Int = 0) throws(Failure) -> Int {
        let shifts: [Character: Int] = ["k": 10, "m": 20, "g": 30]
        let shift = text.lowercased().last.flatMap { shifts[$0] } ?? 0
        let limit = Int.outsideRange.upperBound >> shift
        let number = Int(outside: shift == 0 ? text[...] : text.dropLast(), in: 0...limit).map { $0 << shift }
        let form = "a whole number from \(minimum) to 1024G, such as 4096, 512K or 8M"
        return try checked(number.flatMap { $0 < minimum ? nil : $0 }, form)
    }

    /// A ``count(_:from:)`` of at least 1.
    public static func limit(_ text: String) throws(Failure) -> Int { try count(text, from: 1) }

    /// The number of a search result.
    public static func resultNumber(_ text: String) throws(Failure) -> Int {
        try checked(Int(outside: text, in: 1...10_000), "a whole number from 1 to 10000")
    }

    /// A number of loops, such as `3`, or the word `forever`.
    public static func loops(_ text: String) throws(Failure) -> LoopRule {
        if text.lowercased() == "forever" { return .forever }
        let count = Int(outside: text, in: 1...1_000_000_000)
        return .times(try checked(count, "a whole number from 1 to 1000000000, or 'forever'"))
    }

    /// A speed factor such as `0.5` or `2`, or the word `max`.
    public static func speed(_ text: String) throws(Failure) -> PlaybackOptions.Speed {
        let factor = decimal(text).flatMap { (0.01...100).contains($0) ? $0 : nil }
        return text.lowercased() == "max" ? .max : .factor(try checked(factor, "a factor from 0.01 to 100, or 'max'"))
    }

    /// A colour, such as `#1e1e2e`, `fff`, `black` or `white`.
    public static func color(_ text: String) throws(Failure) -> CellColor {
        let named = ["black": "000", "white": "fff"][text.lowercased()] ?? text
        var digits = named.hasPrefix("#") ? named.dropFirst() : named[...]
        if digits.count == 3 { digits = Substring(digits.flatMap { [$0, $0] }) }
        let number = digits.count == 6 && digits.allSatisfy(\.isHexDigit) ? UInt32(digits, radix: 16) : nil
        let value = try checked(number, "a colour, such as #1e1e2e, black or white")
        return CellColor(red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }

    static func query(_ text: String) throws(Failure) -> String {
        let isQuery = (1...1_000).contains(text.count) && !text.allSatisfy(\.isWhitespace)
        return try checked(isQuery ? text : nil, "a query of 1 to 1000 characters")
    }

    /// A text for the header of requests, which has only printable ASCII.
    static func contact(_ text: String) throws(Failure) -> String {
        let isPrintable = text.utf8.allSatisfy { (0x20...0x7E).contains($0) && !"()".utf8.contains($0) }
        return try checked(isPrintable ? text : nil, "an email address or a URL in ASCII, such as you@example.org")
    }

    /// What prevents the use of a file of certificates; nil if nothing does. Also nil for a device, such as `/dev/null`.
    static func certificateProblem(_ path: String) -> String? {
        var status = stat()
        guard stat(path.systemPath, &status) == 0, access(path.systemPath, R_OK) == 0 else {
            return Failure.systemMessage()
        }
        if status.st_mode & S_IFMT == S_IFDIR { return "is a folder; name a file with certificates" }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return nil }
        let text = String(decoding: (try? FileSystem.read(path, limit: 1 << 20)) ?? [], as: UTF8.self)
        return text.contains("-----BEGIN ") ? nil : "contains no certificates in the format PEM"
    }

    /// The two letters of a language (ISO 639-1), such as `de`.
    public static func language(_ text: String) throws(Failure) -> String {
        let isLanguage = text.count == 2 && text.allSatisfy { $0.isASCII && $0.isLetter }
        return try checked(isLanguage ? text.lowercased() : nil, "the two letters of a language, such as de")
    }

    /// Without the case `coarse`, which only the player selects.
    static let fidelities: KeyValuePairs<String, Fidelity> = ["exact": .exact, "standard": .standard, "low": .low]

    public static let depths: KeyValuePairs<String, ColorDepth?> = [
        "auto": nil, "24bit": .direct, "256": .indexed, "16": .sixteen, "8": .eight, "none": ColorDepth.none,
    ]

    /// The characters of the pictures, and the pixel graphics that replace them.
    public typealias Mode = (characters: PictureMode, graphics: GraphicsOption)

    /// A name of ``modes``. An exclamation mark after the name of a protocol forces it.
    public static func mode(_ text: String) throws(Failure) -> Mode {
        let forced = text.hasSuffix("!") ? GraphicsProtocol(rawValue: String(text.dropLast())) : nil
        if let forced { return (.half, .forced(forced)) }
        return try choice(text, of: modes)
    }

    public static let modes: KeyValuePairs<String, Mode> = [
        "half": (.half, .off), "quadrant": (.subcells(.quadrant), .off), "sextant": (.subcells(.sextant), .off),
        "octant": (.subcells(.octant), .off), "kitty": (.half, .only(.kitty)), "iterm2": (.half, .only(.iterm2)),
        "sixel": (.half, .only(.sixel)), "auto": (.half, .auto),
    ]

    // MARK: - Words

    /// A case of an enumeration, by its raw value.
    static func choice<Value: RawRepresentable<String> & CaseIterable>(_ text: String) throws(Failure) -> Value {
        try checked(Value(rawValue: text.lowercased()), one(of: Value.allCases.map(\.rawValue)))
    }

    static func choice<Value>(_ text: String, of values: KeyValuePairs<String, Value>) throws(Failure) -> Value {
        try checked(values.first { $0.key == text.lowercased() }, one(of: values.map(\.key))).value
    }

    /// One of the values of the option.
    static func word(_ setting: Setting) throws(Failure) -> String {
        let (words, text) = (setting.option.values(), setting.text.lowercased())
        return try checked(words.contains(text) ? text : nil, one(of: words))
    }

    static func one(of known: [String]) -> String {
        let others = known.dropLast().joined(separator: ", ")
        return (others.isEmpty ? "" : others + " or ") + (known.last ?? "")
    }

    // MARK: - Several parts

    static func pair(_ text: String, _ form: String) throws(Failure) -> (name: String, value: String) {
        let sign = try checked(text.firstIndex(of: "=").flatMap { $0 > text.startIndex ? $0 : nil }, form)
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }

    /// The maximum length of a list. No option needs nearly as many elements.
    private static let maximumElements = 100

    static func list(_ text: String) throws(Failure) -> [String] {
        let elements = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !elements.contains("") else { throw Failure("expected values separated by commas") }
        guard elements.count <= maximumElements else {
            throw Failure("\(elements.count) elements; at most \(maximumElements) are allowed")
        }
        return elements
    }

    static func endpoint(_ text: String) throws(Failure) -> ServiceEndpoint? {
        let addresses = try list(checked(text.isEmpty ? nil : text, "a URL such as https://commons.example"))
        if let wrong = addresses.first(where: { !WebAddress.isBase($0) }) {
            throw Failure("'\(SafeText.excerpt(wrong))' is not a URL such as https://commons.example")
        }
        return ServiceEndpoint(addresses)
    }

    static func checkSource(_ name: String, _ known: [String]) throws(Failure) {
        guard known.contains(name) else {
            throw .unknownSource(name: SafeText.sentence(name), known: known)
        }
    }

    static func sources(_ text: String) throws(Failure) -> [String] {
        let (names, known) = (try list(text), GIFSources.names)
        for (index, name) in names.enumerated() {
            try checkSource(name, known)
            guard !names[..<index].contains(name) else {
                throw Failure("source '\(name)' is listed twice; remove one")
            }
        }
        return names
    }

    static func addCommunities(_ text: String, to names: inout [String]) throws(Failure) {
        for word in try list(text) {
            guard let name = Community(word)?.name else {
                throw Failure("'\(word)' is not a community name, which has 2 to 21 letters, digits and _")
            }
            if !names.contains(name) { names.append(name) }
        }
        // The options add up.
        _ = try list(names.joined(separator: ","))
    }
}

/// Whether to draw even if NO_COLOR is set.
public enum ColorRule: String, CaseIterable, Sendable {
    /// Obeys NO_COLOR: if it is set, gifplay draws nothing.
    case auto
    case always
}

extension ServiceEndpoint {
    /// The base address, then the other addresses. Returns nil without an address.
    init?(_ addresses: [String]) {
        guard let base = addresses.first else { return nil }
        self.init(base: base, others: addresses.count > 1 ? Array(addresses.dropFirst()) : nil)
    }
}
