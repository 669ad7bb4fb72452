import Application
import CTerminal

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

    static func options(_ command: Command) -> [Option] {
        Option.table.filter { $0.belongs(to: command) && !$0.isHidden }
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
            let options = Command.allCases.first { $0.name == name }.map(options) ?? []
            lines.append(".Bl -tag -width Ds")
            for option in options where option.group != .general || option.name == "generate" {
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
        let names = option.short.map { ["Fl \($0)"] } ?? []
        let long = [option.name] + [option.negation].compactMap(\.self)
        let value = option.value.isEmpty ? "" : " Ar \(option.value)"
        let line = ".It " + (names + long.map { "Fl -\($0)" }).joined(separator: " , ") + value
        let text = option.summary + "." + (isFirst && !option.more.isEmpty ? " " + option.more : "")
        return [line] + sentences(text)
    }

    /// Escapes text for mdoc, so that it is printed as it is, and begins a line with each sentence.
    private static func sentences(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let isFirst = lines[lines.count - 1].isEmpty
            if !isFirst, [".", "!", "?"].contains(lines[lines.count - 1].last), word.first?.isUppercase == true {
                lines.append("")
            }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines.map { line in
            let escaped = line.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
            return escaped.hasPrefix("'") || escaped.hasPrefix(".") ? "\\&" + escaped : escaped
        }
    }

    // MARK: - docs/REFERENCE.md

    /// A table for each group of options.
    private static var reference: String {
        var lines: [String] = []
        for group in Option.Group.allCases {
            let options = Option.table.filter { $0.group == group && !$0.isHidden }
            lines += ["### \(group.rawValue)", "", "| option | effect | default | commands |", "|---|---|---|---|"]
            for option in options {
                let short = option.short.map { "`-\($0)`, " } ?? ""
                let value = option.value.isEmpty ? "" : " \(option.value.uppercased())"
                let negation = option.negation.map { ", `--\($0)`" } ?? ""
                let text = option.help + (option.more.isEmpty ? "" : ". " + option.more)
                let commands = Command.allCases.filter { $0 != .config && option.belongs(to: $0) }.map(\.name)
                let users = commands.count > 8 ? "all" : commands.joined(separator: ", ")
                lines.append(
                    "| \(short)`--\(option.name)\(value)`\(negation) | \(text) | \(option.standard) | \(users) |")
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }
}
