import Base
import CTerminal
import Playback

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
