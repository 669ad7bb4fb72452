import Base
import Catalog

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
            throw Failure("\(typed): takes no value; write only \(typed)")
        }
        guard value != nil || option.value.isEmpty else { throw Failure("\(typed): needs a value; \(help)") }
        let isOn = String(typed.dropFirst(2)) != option.negation
        self.init(option: option, text: value ?? "", isOn: isOn, origin: origin)
    }
}
