import Application
import CTerminal

/// The completions for shells. The command `play` may be omitted, so its options and files also follow the program name.
struct Completion {
    /// The words that select a command, such as `library list`; empty for the program itself.
    let path: String
    let options: [Option]
    let files: Option.Files
    /// The words that complete an operand, with their descriptions.
    let words: [(name: String, text: String)]

    private init(_ path: String, _ command: Command, words: [(String, String)] = []) {
        (self.path, self.words) = (path, words)
        // Completion offers no key, because a command line must not contain one.
        options = Generator.options(command).filter { $0.name != "key" }
        files = command.row.files
    }

    /// The position of ``words`` on the command line, counted from the name of the program.
    private var depth: Int { path.split(separator: " ").count + 1 }

    private static let all: [Completion] = {
        let names = Command.names.map { name in
            let row = Command.allCases.first { $0.name == name }?.row
            return (name, row?.summary ?? "Show and manage favourites, history and dismissed GIFs")
        }
        let library = Command.library.map { (String($0.name.dropFirst("library ".count)), $0.row.summary) }
        let commands = Command.allCases.map { Completion($0.name, $0, words: $0 == .help ? names : []) }
        return [Completion("", .play, words: names), Completion("library", .list, words: library)] + commands
    }()

    private static let top = Command.names.joined(separator: " ")
    private static let nested = Command.library.map { "'\($0.name)'" }

    private static func filled(_ template: UnsafePointer<CChar>, _ lines: [String]) -> String {
        String(cString: template).replacing("@commands", with: top)
            .replacing("@patterns", with: top.replacing(" ", with: "|"))
            .replacing("@nested", with: nested.joined(separator: " "))
            .replacing("@alternatives", with: nested.joined(separator: "|"))
            .replacing("@lines", with: lines.joined(separator: "\n"))
    }

    // MARK: - bash

    static var bash: String {
        filled(
            gifplay_bash_completion(),
            all.flatMap { node in
                let values = node.options.filter { !$0.value.isEmpty }.map { option in
                    let names = (option.short.map { "-\($0)|" } ?? "") + "--" + option.name
                    return "                \(names)) \(bash(option.files, option.values())) ;;"
                }
                let names = node.options.flatMap(\.names).joined(separator: " ")
                let words = node.words.map(\.name).joined(separator: " ")
                return ["        '\(node.path)')", "            case $prev in"] + values + [
                    "            esac", "            if [[ $cur == -* ]]; then _gifplay_words \(names); return; fi",
                    "            ((COMP_CWORD == \(node.depth))) && _gifplay_words \(words)",
                    "            \(bash(node.files, [])) ;;",
                ]
            })
    }

    /// The commands that complete a value and end the function.
    private static func bash(_ files: Option.Files, _ values: [String]) -> String {
        switch files {
        case .gifs: "_gifplay_files gif; return"
        case .all: "_gifplay_files; return"
        case .none: values.isEmpty ? "return" : "_gifplay_words \(values.joined(separator: " ")); return"
        }
    }

    // MARK: - zsh

    static var zsh: String {
        let functions = all.map { node in
            var lines = [
                "_gifplay_\(node.path.isEmpty ? "main" : node.path.replacing(" ", with: "_"))() {", "    local ret=1",
            ]
            if !node.words.isEmpty {
                lines += ["    local -a subcommands=("]
                lines += node.words.map { "        " + quoted("\($0.name):\(zshEscaped($0.text))") }
                lines += ["    )"]
                if node.path != "help" {
                    lines += [
                        "    if (( CURRENT > 2 )) && (( ${subcommands[(I)${(b)words[2]}:*]} )); then",
                        "        local next=${words[2]}", "        shift words", "        (( CURRENT-- ))",
                        "        _gifplay_\(node.path)\(node.path.isEmpty ? "" : "_")$next", "        return", "    fi",
                    ]
                }
                // Without operands, _arguments would offer the options beside the words.
                let end = node.files == .none ? "return" : "ret=0"
                lines += ["    if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then"]
                lines += ["        _describe -t commands command subcommands && \(end)", "    fi"]
            }
            lines += ["    _arguments -s -S : \\"]
            lines += zshSpecifications(node).map { "        \($0) \\" }
            return (lines + ["        && ret=0", "    return ret", "}", ""]).joined(separator: "\n")
        }
        let head = "#compdef gifplay\n# Written by gifplay --generate complete-zsh; do not edit.\n\n"
        return head + functions.joined(separator: "\n") + "\n_gifplay() { _gifplay_main }\n\n_gifplay \"$@\"\n"
    }

    private static func zshSpecifications(_ node: Completion) -> [String] {
        var lines = node.options.flatMap { option in
            option.names.map { name in
                let prefix = option.more.hasPrefix("May be repeated") ? "*" : "(\(option.names.joined(separator: " ")))"
                let values = option.values().isEmpty ? " " : "(\(option.values().joined(separator: " ")))"
                let action = zsh(option.files) ?? values
                let value = option.value.isEmpty ? "" : ":\(zshEscaped(option.value)):\(action)"
                let sign = option.value.isEmpty ? "" : name.hasPrefix("--") ? "=" : "+"
                return quoted("\(prefix)\(name)\(sign)[\(zshEscaped(option.summary))]\(value)")
            }
        }
        if let action = zsh(node.files) { lines.append(quoted("*:argument:\(action)")) }
        return lines
    }

    private static func zsh(_ files: Option.Files) -> String? {
        switch files {
        // The qualifier (-.) matches files only; _files adds the folders.
        case .gifs: "_files -g \"*.(#i)gif(-.)\""
        case .all: "_files"
        case .none: nil
        }
    }

    private static func zshEscaped(_ text: String) -> String {
        text.map { "\\[]:".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

    // MARK: - fish

    static var fish: String {
        filled(
            gifplay_fish_completion(),
            all.flatMap { node in
                let test = "complete -c gifplay -n " + fishQuoted("__gifplay_in \(fishQuoted(node.path))")
                let first =
                    "complete -c gifplay -n " + fishQuoted("__gifplay_in \(fishQuoted(node.path)) \(node.depth)")
                let words = node.words.map { "\(first) -a \($0.name) -d \(fishQuoted($0.text))" }
                let options = node.options.map { option in
                    let short = option.short.map { " -s \($0)" } ?? ""
                    let negation = option.negation.map { "\n\(test) -l \($0) -d \(fishQuoted(option.summary))" } ?? ""
                    return
                        "\(test)\(short) -l \(option.name) -d \(fishQuoted(option.summary))\(fishValues(option))\(negation)"
                }
                return words + options + (fish(node.files).map { ["\(test) \($0)"] } ?? [])
            })
    }

    private static func fishValues(_ option: Option) -> String {
        guard !option.value.isEmpty else { return "" }
        if let files = fish(option.files) { return option.files == .all ? " -r \(files)" : " -x \(files)" }
        // fish shows a description beside each value; without one, it would repeat the option's own text.
        let texts = option.name == "mode" ? modes : [:]
        let values = option.values().map { "\($0)\\t\(fishQuoted(texts[$0] ?? ""))" }
        return " -x" + (values.isEmpty ? "" : " -a " + fishQuoted(values.joined(separator: " ")))
    }

    private static let modes = [
        "half": "1x2 per cell, in every font", "quadrant": "2x2 per cell", "sextant": "2x3 per cell",
        "octant": "2x4 per cell", "kitty": "pixels in kitty, Ghostty", "iterm2": "pixels in iTerm2, WezTerm",
        "sixel": "pixels in foot, xterm", "auto": "pixels if the terminal reports them",
    ]

    private static func fish(_ files: Option.Files) -> String? {
        switch files {
        case .gifs: "-a '(__gifplay_files gif)'"
        case .all: "-F"
        case .none: nil
        }
    }

    private static func fishQuoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}

extension Option {
    /// All names with their dashes.
    fileprivate var names: [String] {
        (short.map { ["-\($0)"] } ?? []) + ["--" + name] + (negation.map { ["--" + $0] } ?? [])
    }
}
