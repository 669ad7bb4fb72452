import Base

/// The texts of `-h`, `--help` and `gifplay help`.
enum Help {
    /// One screen of 80x24 cells.
    static let short = """
        gifplay finds and plays animated GIFs in the terminal.
        Usage: gifplay [<options>] [<file> | <folder> | <url> | <query> ...]

          gifplay "dancing cat"            search for a GIF and play it
          gifplay cat.gif                  play a file; a folder plays its GIFs
          gifplay https://…/cat.gif        play a URL, or the GIF that a page shows
          gifplay                          play random GIFs; q quits, ? lists the keys
          gifplay browse                   browse GIFs in an animated gallery
          gifplay record cat.gif -o a.svg  record a GIF as SVG or asciicast


        """

    /// The options of ``short``.
    static let important = [
        "search", "list", "pick", "size", "mode", "inline", "loop", "speed", "duration", "every", "offline",
        "screensaver",
    ]

    private static var mostUsed: [Option] {
        important.compactMap { name in Option.table.first { $0.name == name } }
    }

    static var shortText: String {
        let lines = mostUsed.flatMap {
            columns("  " + names($0, negation: false), String($0.help.prefix { $0 != ";" && $0 != ":" }))
        }
        return short + lines.joined(separator: "\n")
            + "\n'gifplay --help' lists all, 'gifplay config' the settings; see 'man gifplay'."
    }

    /// - Parameter command: nil for the program as a whole, which has the options of `play`.
    static func print(_ command: Command?) { printText(text(command).joined(separator: "\n")) }

    static func text(_ command: Command?) -> [String] {
        let row = (command ?? .play).row
        var lines = wrapped(command == nil ? "Play animated GIFs in the terminal" : row.summary)
        if !row.text.isEmpty { lines += [""] + wrapped(row.text) }
        let name = command == nil ? "" : " " + row.name
        lines += ["", "Usage: gifplay\(name) [<options>]\(row.operands.isEmpty ? "" : " " + row.operands)"]
        if command == nil || command == .help {
            lines += ["", "Commands:"]
            for command in Command.allCases { lines += columns("  " + command.name, command.row.summary) }
        }
        let isPlay = (command ?? .play) == .play
        let groups = Option.groups.map { title, options in
            (title, isPlay ? options.filter { !important.contains($0.name) } : options)
        }
        for (title, options) in (isPlay ? [("Most used", mostUsed)] : []) + groups {
            let options = options.filter { $0.isVisible(for: command ?? .play) }
            if !options.isEmpty { lines += ["", "\(title):"] }
            for option in options { lines += columns("  " + names(option), option.summary) }
        }
        guard command == nil else { return lines }
        return lines + ["", "Exit status: 0 played or quit, 1 could not play, 2 usage, 128+N signal N."]
    }

    /// The names of an option with its value, such as `-s, --size <size>`.
    static func names(_ option: Option, negation: Bool = true) -> String {
        let names = negation ? option.names[...] : option.names.prefix(option.short == nil ? 1 : 2)
        let value = option.value.isEmpty ? "" : " <\(option.value)>"
        return (option.short == nil ? "    " : "") + names.joined(separator: ", ") + value
    }

    static func printText(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { printLine(String(line)) }
    }

    private static let indent = 28

    /// Two columns, of which the second is wrapped.
    private static func columns(_ left: String, _ right: String) -> [String] {
        let lines = wrapped(right, width: 79 - indent)
        let gap = String(repeating: " ", count: indent)
        let first = left.count + 2 > indent ? [left] : [left + String(gap.dropFirst(left.count)) + lines[0]]
        return first + lines.dropFirst(left.count + 2 > indent ? 0 : 1).map { gap + $0 }
    }

    private static func wrapped(_ text: String, width: Int = 79) -> [String] {
        lines(text) { $0.count + $1.count >= width }
    }

    /// Divides a text into lines between two words, wherever the closure is true for the line so far and the next word.
    static func lines(_ text: String, breaks: (String, Substring) -> Bool) -> [String] {
        text.split(separator: " ").reduce(into: [""]) { lines, word in
            let line = lines.removeLast()
            lines += line.isEmpty ? [String(word)] : breaks(line, word) ? [line, String(word)] : [line + " " + word]
        }
    }
}
