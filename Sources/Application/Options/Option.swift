import Base

/// One option. The parser, the help, the manual, the completions and the configuration files read these rows.
public struct Option: Sendable {
    /// The heading under which the help lists an option, in this order.
    public enum Group: String, CaseIterable, Sendable {
        case items = "What plays"
        case picture = "Picture"
        case time = "Time"
        case output = "Output"
        case gallery = "Gallery and library"
        case results = "Search results"
        case services = "Sources"
        case limits = "Memory and limits"
        case general = "General"
    }

    public enum Files: Sendable {
        case none
        case all
        /// Names that end in `.gif`, and folders.
        case gifs
    }

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
    public let commands: CommandSet
    public let group: Group
    /// The default in the help; empty if the help says it otherwise.
    public let standard: String
    /// Whether a configuration file may contain the option.
    public let isConfigurable: Bool
    /// One sentence.
    public let help: String
    /// More sentences for the manual and the reference.
    public let more: String
    public let set: @Sendable (inout Settings, Setting) throws -> Void

    init(
        _ name: String, short: Character? = nil, value: String = "",
        of values: @autoclosure @escaping @Sendable () -> [String] = [], files: Files = .none, _ commands: CommandSet,
        _ group: Group, default standard: String = "", configurable isConfigurable: Bool = true, _ help: String,
        _ more: String = "",
        set: @escaping @Sendable (inout Settings, Setting) throws -> Void
    ) {
        (self.name, self.short, self.value, self.values, self.files) = (name, short, value, values, files)
        (self.commands, self.group, self.standard, self.isConfigurable) = (commands, group, standard, isConfigurable)
        (self.help, self.more, self.set) = (help, more, set)
    }

    public static let table = items + picture + time + output + gallery + results + services + limits + general

    /// Options that only tests and bug reports need.
    public var isHidden: Bool { help.isEmpty }

    /// The name that turns a flag off: a configured flag needs it. Nil if there is none.
    public var negation: String? {
        guard value.isEmpty, isConfigurable, !isHidden else { return nil }
        return name.hasPrefix("no-") ? String(name.dropFirst(3)) : "no-" + name
    }

    /// The sentence of the help with the default.
    public var summary: String { help + (standard.isEmpty ? "" : " (default: \(standard))") }

    public func belongs(to command: Command) -> Bool {
        commands.contains(command) || command == .config && isConfigurable
    }
}

/// A value that an option refuses. The problem is the second part of the message, such as `expected g, pg or r`.
public struct OptionError: Error, Equatable, CustomStringConvertible {
    public let description: String

    public init(_ problem: String) { description = problem }
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
    public var isOn = true
    public let origin: Origin

    public var isConfigured: Bool { if case .line = origin { true } else { false } }

    /// As a line of the configuration file, without the value of a key.
    public var line: String {
        let name = "--" + (isOn ? option.name : option.negation ?? "")
        if option.value.isEmpty { return name }
        guard option.name == "key" else { return name + " " + SafeText.shortened(text, to: 80) }
        return name + " "
            + (text.contains("=") ? SafeText.shortened(String(text.prefix { $0 != "=" }), to: 80) + "=…" : "…")
    }

    /// Where the setting was given, such as `/etc/gifplay/config:3`.
    public var place: String {
        switch origin {
        case .option: "command line"
        case .variable(let name): name
        case .line(let number, let path): "\(path):\(number)"
        }
    }

    func apply(to settings: inout Settings) throws(CommandError) {
        if option.files != .none, text.isEmpty { throw failure("names no file") }
        do { try option.set(&settings, self) } catch { throw failure("\(error)") }
    }

    func failure(_ problem: String) -> CommandError {
        switch origin {
        case .option(let name) where option.value.isEmpty: .usage("\(name): \(problem)")
        case .option(let name): .usage("\(name) \(text.isEmpty ? "''" : text): \(problem)")
        case .variable(let name): .usage("\(name): \(problem)")
        case .line(let number, let path):
            .usage("\(path), line \(number): \(line): \(SafeText.shortened(problem, to: 300))")
        }
    }
}
