import Base
import Catalog

/// What a command line says. Nothing is read or opened yet.
public struct Invocation: Sendable {
    /// What is printed instead of running the command.
    public enum Request: Equatable, Sendable {
        case shortHelp, help, version
        /// The help of this command.
        case topic([String])
    }

    public let command: Command
    public private(set) var settings: [Setting] = []
    public private(set) var operands: [String] = []
    public private(set) var request: Request?

    public init(_ command: Command) { self.command = command }

    /// - Parameter arguments: without the name of the program.
    public init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        command = Command(removedFrom: &rest) ?? .play
        do throws(Failure) {
            while request == nil, let word = rest.popFirst() {
                if word == "--" {
                    operands += rest
                    break
                }
                if word.hasPrefix("--") {
                    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    try add(String(parts[0]), parts.count > 1 ? String(parts[1]) : nil, &rest)
                } else if word.hasPrefix("-"), word != "-" {
                    try addLetters(word.dropFirst(), &rest)
                } else {
                    operands.append(word)
                }
            }
        } catch {
            // A person who asks for help or for the version gets it in spite of an error.
            let words = arguments.prefix { $0 != "--" }
            if words.contains("--version") || words.contains("-V") {
                request = .version
            } else if error.kind == .unknownName, words.contains("--help") || words.contains("-h") {
                request = .help
            } else {
                throw error
            }
        }
        if command == .help, request != .version, !operands.isEmpty { request = .topic(operands) }
    }

    /// The value of an option; empty for a flag. Nil if the command line does not contain it.
    public func text(of option: String) -> String? { settings.last { $0.option.name == option }?.text }

    private var help: String { "'gifplay \(command.name) --help' lists the options" }

    // MARK: - Options

    private mutating func addLetters(_ word: Substring, _ rest: inout ArraySlice<String>) throws(Failure) {
        var letters = word
        while request == nil, let letter = letters.popFirst() {
            let isText = letters.prefix { $0 != "=" }.contains(" ")
            let option = Option.written("-\(letter)", for: command)
            if option == nil || option?.value.isEmpty == true && isText {
                let isWord = letters.count + 1 == word.count || isText || !letter.isLetter
                throw unknown(isWord ? "-" + word : "-\(letter)")
            }
            var value: String?
            if letters.first == "=" || option?.value.isEmpty == false && !letters.isEmpty {
                value = String(letters.first == "=" ? letters.dropFirst() : letters)
                letters = ""
            }
            try add("-\(letter)", value, &rest)
        }
    }

    private mutating func add(_ typed: String, _ joined: String?, _ rest: inout ArraySlice<String>) throws(Failure) {
        guard let option = Option.written(typed, for: command) else { throw unknown(typed, value: rest.first) }
        var value = joined
        if !option.value.isEmpty, value == nil, let next = rest.first, option.name == "file" || !Self.isOption(next) {
            value = rest.removeFirst()
        }
        if value == nil, option.name == "search" || option.files != .none, let next = rest.first {
            let text = ShellText.quoted(SafeText.excerpt(next))
            throw .usage("\(typed): needs a value; if this is \(text), write \(typed)=\(text)")
        }
        do throws(Failure) {
            let setting = try Setting(option, typed, value, .option(typed), help: help)
            switch option.name {
            case "help": request = typed == "-h" ? .shortHelp : .help
            case "version": request = .version
            case "key":
                throw Failure(
                    "--key: only the configuration file and the environment may contain a key, because other users can see the command line"
                )
            default: settings.append(setting)
            }
        } catch { throw .usage(error.message) }
    }

    /// A lone `-`, a negative number and texts such as `- hat` are values.
    private static func isOption(_ word: String) -> Bool {
        word.first == "-" && word.dropFirst().first.map { $0.isLetter || $0 == "-" } ?? false
    }

    private func unknown(_ typed: String, value: String? = nil) -> Failure {
        let isText = typed.contains(" ") || !typed.hasPrefix("--") && typed.contains { !$0.isLetter && $0 != "-" }
        let typed = SafeText.excerpt(typed)
        if isText {
            let command = ShellText.searchCommand("'\(typed)'")
            return .unknownOption("\(typed): unknown option; to search for it: \(command)")
        }
        let number = value.flatMap { Int(outside: $0) }.map(String.init)
        let sizes = ["--width": "--size \(number ?? "COLS")xROWS", "--height": "--size COLSx\(number ?? "ROWS")"]
        let users = Command.allCases.filter { $0 != .config && Option.written(typed, for: $0)?.isHidden == false }
        if !users.isEmpty {
            let names = OptionValue.one(of: users.map { "'\($0.name)'" })
            return .unknownOption("\(typed): unknown option; it is an option of \(names)")
        }
        let suggestion =
            ([.play, .record].contains(command) ? sizes[typed] : nil)
            ?? Option.suggestion(for: typed, of: Option.visible(for: command))
        return .unknownOption("\(typed): unknown option; " + (suggestion.map { "did you mean \($0)?" } ?? help))
    }

    // MARK: - Operands

    /// Throws unless the command takes this number of operands.
    public func checkOperands() throws(Failure) {
        let form = command.row.operands
        if operands.isEmpty, form.hasPrefix("<") { throw .usage("\(form): missing; \(help)") }
        let limit = form.isEmpty ? 0 : form.utf8.contains(UInt8(ascii: ".")) ? Int.max : 1
        guard operands.count <= limit else {
            let name = SafeText.excerpt(operands[limit])
            throw .usage("\(name): unexpected argument; 'gifplay \(command.name) --help' describes the command")
        }
        if operands.contains("") { throw .usage("'': is empty; name a file, a URL or a query") }
    }
}
