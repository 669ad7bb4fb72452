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
