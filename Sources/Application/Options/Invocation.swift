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
    public init(_ arguments: [String]) throws(CommandError) {
        var rest = arguments[...]
        command = Command(removedFrom: &rest) ?? .play
        if command == .help, !rest.isEmpty {
            request = .topic(Array(rest))
            return
        }
        do throws(CommandError) {
            while request == nil, let word = rest.popFirst() {
                if word == "--" {
                    operands += rest
                    break
                }
                if word.hasPrefix("--") {
                    try readLong(word, &rest)
                } else if word.hasPrefix("-"), word != "-" {
                    try readLetters(word.dropFirst(), &rest)
                } else {
                    operands.append(word)
                }
            }
        } catch {
            // A person who asks for help or for the version gets it in spite of an error.
            let words = arguments.prefix { $0 != "--" }
            if words.contains("--version") || words.contains("-V") {
                request = .version
            } else if error.message.contains(": unknown option"), words.contains("--help") || words.contains("-h") {
                request = .help
            } else {
                throw error
            }
        }
    }

    /// The value of an option; empty for a flag. Nil if the command line does not contain it.
    public func text(of option: String) -> String? { settings.last { $0.option.name == option }?.text }

    public var programName: String { "gifplay " + command.name }

    // MARK: - Options

    private mutating func readLong(_ word: String, _ rest: inout ArraySlice<String>) throws(CommandError) {
        let end = word.firstIndex(of: "=")
        let name = String(word[..<(end ?? word.endIndex)].dropFirst(2))
        for option in Option.table where option.belongs(to: command) {
            guard option.name == name || option.negation == name else { continue }
            let value = end.map { String(word[word.index(after: $0)...]) }
            return try add(option, "--" + name, isOn: option.name == name, value, &rest)
        }
        throw unknown("--" + name, value: rest.first)
    }

    private mutating func readLetters(_ word: Substring, _ rest: inout ArraySlice<String>) throws(CommandError) {
        var letters = word
        while request == nil, let letter = letters.popFirst() {
            let isText = letters.prefix { $0 != "=" }.contains(" ")
            guard let option = Option.table.first(where: { $0.short == letter && $0.belongs(to: command) }),
                !option.value.isEmpty || !isText
            else {
                let isWord = letters.count + 1 == word.count || isText || !letter.isLetter
                throw unknown(isWord ? "-" + word : "-\(letter)", value: nil)
            }
            var value: String?
            if letters.first == "=" || !option.value.isEmpty && !letters.isEmpty {
                value = String(letters.first == "=" ? letters.dropFirst() : letters)
                letters = ""
            }
            try add(option, "-\(letter)", isOn: true, value, &rest)
        }
    }

    private mutating func add(
        _ option: Option, _ typed: String, isOn: Bool, _ joined: String?, _ rest: inout ArraySlice<String>
    ) throws(CommandError) {
        var value = joined ?? ""
        if option.value.isEmpty {
            guard joined == nil else { throw .usage("\(typed): takes no value; write only \(typed)") }
        } else if joined == nil {
            guard let next = rest.first, option.name == "file" || !Self.isOption(next) else {
                throw .usage("\(typed): needs a value; '\(programName) --help' lists the options")
            }
            value = rest.removeFirst()
        }
        switch option.name {
        case "help": request = typed == "-h" ? .shortHelp : .help
        case "version": request = .version
        case "key":
            throw .usage(
                "--key: only the configuration file and the environment may contain a key, because other users can see the command line"
            )
        default: settings.append(Setting(option: option, text: value, isOn: isOn, origin: .option(typed)))
        }
    }

    /// A lone `-`, a negative number and texts such as `- hat` are values.
    private static func isOption(_ word: String) -> Bool {
        word.first == "-" && word.dropFirst().first.map { $0.isLetter || $0 == "-" } ?? false
    }

    private func unknown(_ typed: String, value: String?) -> CommandError {
        let names = Option.table.filter { $0.belongs(to: command) && !$0.isHidden }.flatMap {
            [$0.name, $0.negation].compactMap(\.self)
        }
        let word = String(typed.drop { $0 == "-" })
        let isText = typed.contains(" ") || !typed.hasPrefix("--") && typed.contains { !$0.isLetter && $0 != "-" }
        let begun = names.filter { typed.hasPrefix("--") && $0.hasPrefix(word) }
        let near = begun.count == 1 ? begun.first : EditDistance.nearest(to: word, in: names)
        let number = value.flatMap { Int(outside: $0) }.map(String.init)
        let takesSize = command == .play || command == .record
        let suggestion: String? =
            switch typed {
            case "--width" where takesSize: "--size \(number ?? "COLS")xROWS"
            case "--height" where takesSize: "--size COLSx\(number ?? "ROWS")"
            default: isText ? nil : near.map { "--" + $0 }
            }
        let hint = isText ? "to search for it: --search='\(typed)'" : "'\(programName) --help' lists the options"
        return .usage("\(typed): unknown option; " + (suggestion.map { "did you mean \($0)?" } ?? hint))
    }

    // MARK: - Operands

    /// Throws unless the command takes this number of operands.
    public func checkOperands() throws(CommandError) {
        let form = command.row.operands
        if operands.isEmpty, form.hasPrefix("<") {
            throw .usage("\(form): missing; '\(programName) --help' lists the options")
        }
        let limit = form.isEmpty ? 0 : form.utf8.contains(UInt8(ascii: ".")) ? Int.max : 1
        if operands.count > limit {
            throw .usage("\(operands[limit]): unexpected argument; '\(programName) --help' describes the command")
        }
    }
}
