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
