import Base
import Catalog
import Glibc
import Pixels
import Playback

/// One option. The parser, the help, the manual, the completions and the configuration files read these rows.
public struct Option: Sendable {
    /// The words with which the completions of the shells ask for the names of files.
    public enum Files: String, Sendable {
        case none = ""
        case all = ":files"
        /// Names that end in `.gif`, and folders.
        case gifs = ":gifs"
    }

    /// A row for the command line has no meaning in a configuration file.
    enum Place { case anywhere, commandLine }

    /// Without dashes.
    public let name: String
    /// A letter; nil if there is only the long name.
    public let short: Character?
    /// What the help calls the value; empty for a flag.
    public let value: String
    /// The values that completion offers. For most options these are all values.
    public let values: @Sendable () -> [String]
    /// The files that completion offers.
    public let files: Files
    public let commands: [Command]
    public let isConfigurable: Bool
    public let set: @Sendable (inout Settings, Setting) throws -> Void
    /// One sentence for the help, at its end the default as `(default: 10s)`, then more sentences for the manual and the
    /// reference. Empty for options that only tests and bug reports need.
    private(set) var text = ""

    init(
        _ name: String, short: Character? = nil, value: String = "",
        of values: @autoclosure @escaping @Sendable () -> [String] = [], files: Files = .none, _ commands: [Command],
        _ place: Place = .anywhere, set: @escaping @Sendable (inout Settings, Setting) throws -> Void
    ) {
        (self.name, self.short, self.value, self.values, self.files) = (name, short, value, values, files)
        (self.commands, self.isConfigurable, self.set) = (commands, place == .anywhere, set)
    }

    /// The headings of the help, each with its options.
    public static let groups: [(title: String, options: [Option])] = [
        ("What plays", items.options), ("Picture", picture.options), ("Time", time.options),
        ("Output", output.options), ("Gallery and library", gallery.options), ("Search results", results.options),
        ("Sources", services.options), ("Memory and limits", limits.options), ("General", general.options),
    ]

    public static let table = groups.flatMap { $0.options }

    /// Options, each followed by its text.
    struct Rows: ExpressibleByDictionaryLiteral {
        let options: [Option]

        init(dictionaryLiteral rows: (Option, String)...) {
            options = rows.map { row in
                var option = row.0
                option.text = row.1
                return option
            }
        }
    }

    public var isHidden: Bool { text.isEmpty }

    /// The sentence of the help with the default.
    public var summary: String { Self.beginning(of: text, before: ". ") }
    /// The sentence of the help without the default.
    public var help: String { Self.beginning(of: summary, before: " (default: ") }
    /// The default in the help; empty if the help says it otherwise.
    public var standard: String { String(summary.dropFirst(help.count + " (default: ".count).dropLast()) }
    /// More sentences for the manual and the reference.
    public var more: String { String(text.dropFirst(summary.count + ". ".count)) }

    private static func beginning(of text: String, before end: String) -> String {
        text.split(separator: end, maxSplits: 1).first.map { String($0) } ?? ""
    }

    /// The name that turns a flag off: a configured flag needs it. Nil if there is none.
    public var negation: String? {
        guard value.isEmpty, isConfigurable else { return nil }
        return name.hasPrefix("no-") ? String(name.dropFirst(3)) : "no-" + name
    }

    public func belongs(to command: Command) -> Bool {
        commands.contains(command) || command == .config && isConfigurable
    }

    /// Whether the texts of a command describe it.
    func isVisible(for command: Command) -> Bool { belongs(to: command) && !isHidden }

    public static func visible(for command: Command) -> [Option] { table.filter { $0.isVisible(for: command) } }

    /// All names with their dashes.
    public var names: [String] {
        (short.map { ["-\($0)"] } ?? []) + ["--" + name] + (negation.map { ["--" + $0] } ?? [])
    }

    /// The option of a command that is written like this, such as `--size`, `--no-bare` or `-s`.
    static func written(_ typed: String, for command: Command) -> Option? {
        let isLong = typed.hasPrefix("--")
        let word = String(typed.dropFirst(isLong ? 2 : 1))
        // So that a negation is only made for an option whose name fits.
        let opposite = word.hasPrefix("no-") ? String(word.dropFirst(3)) : "no-" + word
        let letter = word.count == 1 ? word.first : nil
        return table.first { option in
            let isNamed = option.name == word || option.name == opposite && option.negation == word
            return option.belongs(to: command) && (isLong ? isNamed : letter != nil && option.short == letter)
        }
    }

    /// The only name that begins like this, or else the nearest one, with its dashes.
    static func suggestion(for typed: String, of options: [Option]) -> String? {
        let names = options.flatMap(\.names).filter { $0.hasPrefix("--") }
        let begun = names.filter { typed.hasPrefix("--") && $0.hasPrefix(typed) }
        if begun.count == 1 { return begun[0] }
        let words = names.map { String($0.dropFirst(2)) }
        return EditDistance.nearest(to: String(typed.drop { $0 == "-" }), in: words).map { "--" + $0 }
    }
}

/// An option with its value, and where it was given.
public struct Setting: Sendable {
    public enum Origin: Sendable {
        /// The option as it was typed, such as `-s`.
        case option(String)
        case variable(String)
        case line(Int, of: String)
    }

    public let option: Option
    /// The value; empty for a flag.
    public let text: String
    /// False for a flag that is turned off.
    public let isOn: Bool
    public let origin: Origin

    public var isConfigured: Bool { if case .line = origin { true } else { false } }

    /// Each origin of the same name replaces the others. Keys and endpoints of several sources have several names.
    var name: String { option.name + (option.value.contains("=") ? String(text.prefix { $0 != "=" }) : "") }

    /// Without the value of a key.
    var redacted: Setting {
        guard option.name == "key" else { return self }
        let source = text.contains("=") ? text.prefix { $0 != "=" } + "=…" : "…"
        return Setting(option: option, text: source, isOn: isOn, origin: origin)
    }

    /// As a line of the configuration file, without secrets.
    public var line: String { line(with: SafeText.shortened(redacted.text, to: 80)) }

    /// As ``line``, without passwords and parameters of an endpoint, whose URLs must be valid.
    var shareableLine: String {
        guard option.name == "endpoint", let equals = text.firstIndex(of: "=") else { return line }
        let urls = text[equals...].dropFirst().split(separator: ",").map { WebAddress.displayText(String($0)) }
        return line(with: text[...equals] + urls.joined(separator: ","))
    }

    private func line(with value: String) -> String {
        let name = "--" + (isOn ? option.name : option.negation ?? "")
        return option.value.isEmpty ? name : name + " " + value
    }

    /// Where the setting was given, such as `/etc/gifplay/config:3`.
    public var place: String {
        switch origin {
        case .option: "command line"
        case .variable(let name): name
        case .line(let number, let path): "\(path):\(number)"
        }
    }

    func apply(to settings: inout Settings) throws(Failure) {
        if option.files != .none, text.isEmpty { throw failure("names no file") }
        do { try option.set(&settings, self) } catch { throw failure("\(error)") }
    }

    func failure(_ problem: String) -> Failure {
        switch origin {
        case .option(let name) where option.value.isEmpty: .usage("\(name): \(problem)")
        case .option(let name): .usage("\(name) \(SafeText.excerpt(text)): \(problem)")
        case .variable(let name): .usage("\(name): \(problem)")
        case .line(let number, let path):
            .usage(
                "\(path), line \(number): \(line(with: SafeText.excerpt(redacted.text, to: 80))): "
                    + SafeText.shortened(problem, to: 300))
        }
    }
}

extension Setting {
    /// - Parameters:
    ///   - typed: the name as it was written, with its dashes.
    ///   - value: nil if there is none.
    ///   - help: says where the options are listed.
    init(_ option: Option, _ typed: String, _ value: String?, _ origin: Origin, help: String) throws(Failure) {
        guard value == nil || !option.value.isEmpty else {
            throw .usage("\(typed): takes no value; write only \(typed)")
        }
        guard value != nil || option.value.isEmpty else { throw .usage("\(typed): needs a value; \(help)") }
        let isOn = String(typed.dropFirst(2)) != option.negation
        self.init(option: option, text: value ?? "", isOn: isOn, origin: origin)
    }
}

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

    /// A name of ``modes``. An exclamation mark after the name of a protocol forces it.
    public static func mode(_ text: String) throws(Failure) -> Drawing {
        let forced = text.hasSuffix("!") ? GraphicsProtocol(rawValue: String(text.dropLast())) : nil
        if let forced { return Drawing(.half, .forced(forced)) }
        return try choice(text, of: modes)
    }

    public static let modes: KeyValuePairs<String, Drawing> = [
        "half": Drawing(.half), "quadrant": Drawing(.subcells(.quadrant)), "sextant": Drawing(.subcells(.sextant)),
        "octant": Drawing(.subcells(.octant)), "kitty": Drawing(.half, .only(.kitty)),
        "iterm2": Drawing(.half, .only(.iterm2)), "sixel": Drawing(.half, .only(.sixel)), "auto": Drawing(.half, .auto),
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
