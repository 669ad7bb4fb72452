import Base
import CTerminal
import Playback

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
    static func print(_ command: Command?) { printExactLine(text(command).joined(separator: "\n")) }

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

/// The texts of `--generate`: the manual, the completions and the tables of docs/REFERENCE.md.
enum Generator {
    static func text(_ kind: String) -> String {
        switch kind {
        case "man": manual
        case "complete-bash": String(cString: gifplay_bash_completion())
        case "complete-zsh": String(cString: gifplay_zsh_completion())
        case "complete-fish": String(cString: gifplay_fish_completion())
        default: reference
        }
    }

    // MARK: - Manual

    /// docs/man/gifplay.1.in, in which each line "@options COMMAND" stands for the options of that command.
    private static var manual: String {
        var described: [String] = []
        var lines: [String] = []
        for line in String(cString: gifplay_manual()).split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("@options ") else {
                lines.append(String(line))
                continue
            }
            let name = line.dropFirst("@options ".count)
            let options = Command.allCases.first { $0.name == name }.map(Option.visible) ?? []
            lines.append(".Bl -tag -width Ds")
            for option in options where !["version", "help"].contains(option.name) {
                // The longer text appears only once.
                lines += entry(option, isFirst: !described.contains(option.name))
                described.append(option.name)
            }
            lines.append(".El")
        }
        lines[0] = ".\\\" Written by gifplay --generate man from gifplay.1.in and the table of options; do not edit."
        return lines.joined(separator: "\n")
    }

    private static func entry(_ option: Option, isFirst: Bool) -> [String] {
        let value = option.value.isEmpty ? "" : " Ar \(option.value)"
        let text = option.summary + "." + (isFirst && !option.more.isEmpty ? " " + option.more : "")
        return [".It " + option.names.map { "Fl " + $0.dropFirst() }.joined(separator: " , ") + value] + sentences(text)
    }

    /// Escapes text for mdoc, so that it is printed as it is, and begins a line with each sentence.
    private static func sentences(_ text: String) -> [String] {
        Help.lines(text) { [".", "!", "?"].contains($0.last) && $1.first?.isUppercase == true }.map { line in
            let escaped = line.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
            return escaped.hasPrefix("'") || escaped.hasPrefix(".") ? "\\&" + escaped : escaped
        }
    }

    // MARK: - docs/REFERENCE.md

    /// The tables of the commands, of the keys, and of each group of options.
    private static var reference: String {
        let commands = Command.allCases.map { command in
            let row = command.row
            let words = row.operands.isEmpty ? row.name : row.name + " " + row.operands
            return ["`gifplay \(words)`", row.text.isEmpty ? row.summary : row.summary + ". " + row.text]
        }
        let keys = KeyTable.rows.map { row in
            let names = row.names(.english).split(separator: " ").map { "`\($0)`" }.joined(separator: " ")
            let meaning = row.meaning(.english)
            let ofFile = row.fileMeaning.map { "files: " + $0(.english) } ?? "not for files"
            return [names, views(row.views), ofFile == "files: " + meaning ? meaning : "\(meaning) (\(ofFile))"]
        }
        var lines = ["## Commands", ""] + table(["command", "effect"], commands)
        lines += ["## Keys", ""] + table(["key", "where", "action"], keys) + ["## Options", ""]
        for (title, options) in Option.groups {
            let rows = options.filter { !$0.isHidden }.map(row)
            lines += ["### \(title)", ""] + table(["option", "effect", "default", "commands"], rows)
        }
        return lines.joined(separator: "\n")
    }

    private static func table(_ heading: [String], _ rows: [[String]]) -> [String] {
        let line = "|" + String(repeating: "---|", count: heading.count)
        let cells = ([heading] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
        return [cells[0], line] + cells.dropFirst() + [""]
    }

    private static func views(_ views: KeyViews) -> String {
        let names: [(KeyViews, String)] = [
            (.player, "player"), (.large, "large view"), (.grid, "grid"), (.screensaver, "screensaver"),
        ]
        return names.filter { views.contains($0.0) }.map(\.1).joined(separator: ", ")
    }

    private static func row(_ option: Option) -> [String] {
        let value = option.value.isEmpty ? "" : " \(option.value.uppercased())"
        let names = option.names.map { $0.hasPrefix("--") ? "`\($0)\(value)`" : "`\($0)`" }
        let text = option.help + (option.more.isEmpty ? "" : ". " + option.more)
        let commands = Command.allCases.filter { $0 != .config && option.belongs(to: $0) }.map(\.name)
        let users = commands.count > 8 ? "all" : commands.joined(separator: ", ")
        return [names.joined(separator: ", "), text, option.standard, users]
    }
}

/// The words that complete a command line. The scripts for the shells in share/ ask for them with `--complete`.
enum Completion {
    /// - Parameter words: the command line without the name of the program, to the word that is completed.
    /// - Returns: each word with a tab and its description. `:gifs` and `:files` stand for the names of files.
    static func lines(_ words: [String]) -> [String] {
        var before = words.dropLast()
        let command = Command(removedFrom: &before) ?? .play
        // bash makes three words of --option=value.
        if before.last == "=" { before.removeLast() }
        // A command line must not contain a key.
        let options = Option.visible(for: command).filter { $0.name != "key" }
        let last = before.last ?? ""
        if let option = options.first(where: { !$0.value.isEmpty && $0.names.contains(last) }) {
            return names(option.files) + option.values().map { described($0, option.name == "mode" ? modes[$0] : nil) }
        }
        if words.last?.hasPrefix("-") == true {
            return options.flatMap { option in
                option.names.map {
                    described(
                        $0, $0.dropFirst(2) == option.negation ?? "" ? "Turn off --\(option.name)" : option.summary)
                }
            }
        }
        // `library` is the only command of two words.
        let isFirst = words.count == 1 || command == .help && words.count == 2
        if isFirst { return Command.names.map { described($0, Command.summary(of: $0)) } + names(command.row.files) }
        let library = words.count == 2 && words[0] == "library" ? Command.library : []
        return library.map { described(String($0.name.dropFirst("library ".count)), $0.row.summary) }
            + names(command.row.files)
    }

    private static func described(_ word: String, _ text: String?) -> String { word + (text.map { "\t" + $0 } ?? "") }

    private static func names(_ files: Option.Files) -> [String] { files == .none ? [] : [files.rawValue] }

    private static let modes = [
        "half": "1x2 per cell, in every font", "quadrant": "2x2 per cell", "sextant": "2x3 per cell",
        "octant": "2x4 per cell", "kitty": "pixels in kitty, Ghostty", "iterm2": "pixels in iTerm2, WezTerm",
        "sixel": "pixels in foot, xterm", "auto": "pixels if the terminal reports them",
    ]
}
