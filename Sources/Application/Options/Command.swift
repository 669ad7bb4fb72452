/// The commands, in the order of the help.
public enum Command: Int, CaseIterable, Sendable {
    case play, info, samples, sources, cache, browse, list, clear, record, doctor, config, version,
        help

    public struct Row: Sendable {
        /// The words that select the command.
        public let name: String
        /// The operands in the usage line, such as `[<file>]`; empty if there are none.
        public let operands: String
        public let files: Option.Files
        public let summary: String
        /// More sentences for the help.
        public let text: String

        init(
            _ name: String, operands: String = "", files: Option.Files = .none, _ summary: String, _ text: String = ""
        ) {
            (self.name, self.operands, self.files) = (name, operands, files)
            (self.summary, self.text) = (summary, text)
        }
    }

    public var row: Row { Self.rows[rawValue] }
    public var name: String { row.name }

    private static let rows: [Row] = [
        Row(
            "play", operands: "[<argument> ...]", files: .gifs, "Play files, URLs or search results",
            "Arguments are files, folders, URLs, '-' for standard input, or a query. Without arguments: random GIFs."),
        Row(
            "info", operands: "<file> ...", files: .gifs,
            "Print size, frames, delays, loop count and damage of GIFs",
            """
            Prints a line for each file and one for each defect to a terminal. Otherwise, and with --json, \
            prints one JSON object for each file. sha256 has one hash for each frame: that of the composed canvas as \
            RGBA with straight alpha, rows from top to bottom. left_out says which frames have no hash because of a \
            limit. For a file that cannot be drawn it prints \
            {"error": "...", "file": "..."} and exits with status 1. The name of a file that is not UTF-8 is \
            percent-encoded, and "file_encoding" is "percent".
            """),
        Row("samples", "List the built-in GIFs"),
        Row(
            "sources", "List the sources of GIFs in the order in which they are queried",
            """
            For each source: its terms, whether a key is set, and its last failure. Keys are not printed. \
            'gifplay doctor' queries each source.
            """),
        Row("cache", "Show the size of the media cache, or empty it"),
        Row(
            "browse", operands: "[<argument> ...]", files: .gifs, "Browse GIFs in an animated gallery",
            "Arguments are files, folders, a link, or a query. Without: trending GIFs, or random GIFs without a key."),
        Row(
            "library list", "List favourites, history and dismissed GIFs, newest first",
            "The first column contains f for a favourite, v for a viewed and d for a dismissed GIF."),
        Row("library clear", "Delete history, searches and result lists, and overwrite them on disk"),
        Row(
            "record", operands: "[<argument> ...]", files: .gifs,
            "Record a GIF as it looks in the terminal, as an asciicast or an animated SVG",
            """
            Records without waiting: the times come from the GIF. The file name of the output determines the format: \
            .cast is asciicast version 2 (asciinema), .svg an animated SVG. A query records the first result that plays. \
            Ctrl-C ends the recording, and writes what was recorded until then.
            """),
        Row(
            "doctor", "Check terminal, libraries, configuration, stored files and sources",
            """
            Prints a line for each check: ok, warning or error, and what to do. Sends a test search to each source, \
            unless --offline is given. Prints no keys and changes nothing. Exits with status 1 if a line is an error.
            """),
        Row(
            "config", "Print the configuration file and each setting that differs from its default",
            "Each setting has its origin: the line of a file, an environment variable, or an option. Keys are not printed."
        ),
        Row("version", "Print the versions of gifplay, giflib and libcurl"),
        Row("help", operands: "[<command>]", "Show the help of a command"),
    ]

    /// The first words of all commands.
    public static var names: [String] {
        var names: [String] = []
        for command in allCases {
            let word = command.name.prefix { $0 != " " }
            if names.last != String(word) { names.append(String(word)) }
        }
        return names
    }

    public static func summary(of word: String) -> String? {
        word == "library"
            ? "Show and manage favourites, history and dismissed GIFs"
            : allCases.first { $0.name == word }?.row.summary
    }

    /// The commands of the library, for which `library` alone is `library list`.
    public static let library: [Command] = [.list, .clear]

    /// Removes the words that select a command from the beginning of the arguments; nil if there are none.
    public init?(removedFrom arguments: inout ArraySlice<String>) {
        guard let word = arguments.first else { return nil }
        if word == "library" {
            arguments.removeFirst()
            let name = arguments.first.map { "library " + $0 }
            let found = Self.library.first { $0.name == name }
            if found != nil { arguments.removeFirst() }
            self = found ?? .list
            return
        }
        guard let found = Self.allCases.first(where: { $0.name == word }) else { return nil }
        arguments.removeFirst()
        self = found
    }
}

public struct CommandSet: Sendable, ExpressibleByArrayLiteral {
    private let bits: UInt32

    public init(arrayLiteral commands: Command...) {
        var bits: UInt32 = 0
        for command in commands { bits |= 1 << UInt32(command.rawValue) }
        self.bits = bits
    }

    public func contains(_ command: Command) -> Bool { bits >> UInt32(command.rawValue) & 1 != 0 }
}
