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
        let setting = try Setting(option, typed, value, .option(typed), help: help)
        switch option.name {
        case "help": request = typed == "-h" ? .shortHelp : .help
        case "version": request = .version
        case "key":
            throw .usage(
                "--key: only the configuration file and the environment may contain a key, because other users can see the command line"
            )
        default: settings.append(setting)
        }
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

/// The commands, in the order of the help.
public enum Command: Int, CaseIterable, Sendable {
    case play, info, samples, sources, cache, browse, list, clear, record, doctor, config, version,
        help

    public struct Row: Sendable {
        /// The words that select the command.
        public let name: String
        /// The operands in the usage line, such as `[<file>]`; empty if there are none.
        public var operands = ""
        public var files = Option.Files.none
        public let summary: String
        /// More sentences for the help.
        public var text = ""
    }

    public var row: Row { Self.rows[rawValue] }
    public var name: String { row.name }

    private static let rows: [Row] = [
        Row(
            name: "play", operands: "[<argument> ...]", files: .gifs, summary: "Play files, URLs or search results",
            text:
                "Arguments are files, folders, URLs, '-' for standard input, or a query. Without arguments: random GIFs."
        ),
        Row(
            name: "info", operands: "<file> ...", files: .gifs,
            summary: "Print size, frames, delays, loop count and damage of GIFs",
            text: """
                Prints a line for each file and one for each defect to a terminal. Otherwise, and with --json, \
                prints one JSON object for each file. sha256 has one hash for each frame: that of the composed canvas as \
                RGBA with straight alpha, rows from top to bottom. left_out says which frames have no hash because of a \
                limit. For a file that cannot be drawn it prints \
                {"error": "...", "file": "..."} and exits with status 1. The name of a file that is not UTF-8 is \
                percent-encoded, and "file_encoding" is "percent".
                """),
        Row(name: "samples", summary: "List the built-in GIFs"),
        Row(
            name: "sources", summary: "List the sources of GIFs in the order in which they are queried",
            text: """
                For each source: its terms, whether a key is set, and its last failure. Keys are not printed. \
                'gifplay doctor' queries each source.
                """),
        Row(name: "cache", summary: "Show the size of the media cache, or empty it"),
        Row(
            name: "browse", operands: "[<argument> ...]", files: .gifs, summary: "Browse GIFs in an animated gallery",
            text:
                "Arguments are files, folders, a link, or a query. Without: trending GIFs, or random GIFs without a key."
        ),
        Row(
            name: "library list", summary: "List favourites, history and dismissed GIFs, newest first",
            text: "The first column contains f for a favourite, v for a viewed and d for a dismissed GIF."),
        Row(
            name: "library clear",
            summary: "Delete history, searches and result lists, and overwrite them on disk"),
        Row(
            name: "record", operands: "[<argument> ...]", files: .gifs,
            summary: "Record a GIF as it looks in the terminal, as an asciicast or an animated SVG",
            text: """
                Records without waiting: the times come from the GIF. The file name of the output determines the format: \
                .cast is asciicast version 2 (asciinema), .svg an animated SVG. A query records the first result that \
                plays. Ctrl-C ends the recording, and writes what was recorded until then.
                """),
        Row(
            name: "doctor", summary: "Check terminal, libraries, configuration, stored files and sources",
            text: """
                Prints a line for each check: ok, warning or error, and what to do. Sends a test search to each source, \
                unless --offline is given. Prints no keys and changes nothing. Exits with status 1 if a line is an error.
                """),
        Row(
            name: "config", summary: "Print the configuration file and each setting that differs from its default",
            text:
                "Each setting has its origin: the line of a file, an environment variable, or an option. Keys are not printed."
        ),
        Row(name: "version", summary: "Print the versions of gifplay, giflib and libcurl"),
        Row(name: "help", operands: "[<command>]", summary: "Show the help of a command"),
    ]

    /// The commands of the library, for which `library` alone is `library list`.
    public static let library: [Command] = [.list, .clear]

    /// The first words of all commands.
    public static let names = allCases.filter { !library.dropFirst().contains($0) }.map {
        String($0.name.prefix { $0 != " " })
    }

    public static func summary(of word: String) -> String? {
        word == "library"
            ? "Show and manage favourites, history and dismissed GIFs"
            : allCases.first { $0.name == word }?.row.summary
    }

    /// Removes the words that select a command from the beginning of the arguments; nil if there are none.
    public init?(removedFrom arguments: inout ArraySlice<String>) {
        guard let word = arguments.first else { return nil }
        let name = word == "library" ? arguments.prefix(2).joined(separator: " ") : word
        let found = Self.rows.firstIndex { $0.name == name }.flatMap(Command.init(rawValue:))
        guard let command = found ?? (word == "library" ? .list : nil) else { return nil }
        arguments.removeFirst(word == "library" && found != nil ? 2 : 1)
        self = command
    }
}
