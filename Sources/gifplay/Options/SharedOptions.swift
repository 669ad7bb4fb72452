import Application
import ArgumentParser
import Pixels

/// The options that several commands share. Only the help texts differ.
extension Option where Value == PlaybackChange? {
    init(size help: String) {
        self.init(
            name: [.customShort("s", allowingJoined: true), .long], help: ArgumentHelp(help, valueName: "colsxrows"),
            transform: PlaybackChange.by(OptionValue.size) { $0.player.size = $1 })
    }

    init(mode valueName: String) {
        self.init(
            help: ArgumentHelp(
                "Draw with 'half' blocks, or sharper 'quadrant', 'sextant' or 'octant' if the font has them, or pixels by "
                    + "'kitty', 'iterm2' or 'sixel' graphics if the terminal reports them ('sixel!': in any case); "
                    + "'auto' uses the best graphics that the terminal reports (default: half)",
                valueName: valueName),
            completion: .list(OptionValue.modes.map(\.key)),
            transform: PlaybackChange.by(OptionValue.mode) { $0.mode = $1 })
    }

    init(background help: String) {
        self.init(
            name: [.customShort("b", allowingJoined: true), .long],
            help: ArgumentHelp("Colour behind transparent pixels, such as #1e1e2e \(help)", valueName: "color"),
            transform: PlaybackChange.by(OptionValue.color) { $0.player.background = $1 })
    }

    init(loop help: String) {
        self.init(
            name: [.customShort("l", allowingJoined: true), .long],
            help: ArgumentHelp("Number of loops, or 'forever' \(help)", valueName: "n"),
            completion: .list(["forever"]), transform: PlaybackChange.by(OptionValue.loops) { $0.player.loops = $1 })
    }

    init(speed help: String, completions: [String]) {
        self.init(
            help: ArgumentHelp("Speed from 0.01 to 100\(help) (default: 1)", valueName: "factor"),
            completion: .list(completions), transform: PlaybackChange.by(OptionValue.speed) { $0.player.speed = $1 })
    }

    init(duration help: String) {
        self.init(
            name: [.customShort("d", allowingJoined: true), .long], help: ArgumentHelp(help, valueName: "time"),
            transform: PlaybackChange.by(OptionValue.duration) { $0.player.duration = $1 })
    }

    init(colors valueName: String) {
        self.init(
            help: ArgumentHelp(
                "Colours of the terminal: 24bit, 256, 16, 8, none or auto (default: auto)", valueName: valueName),
            completion: .list(OptionValue.depths.map(\.key)),
            transform: PlaybackChange.by(OptionValue.depth) { $0.colors.depth = $1 })
    }

    init(dither valueName: String) {
        self.init(
            help: ArgumentHelp(
                "Dithering with fewer than 24-bit colours: ordered (a fixed pattern) or none (default: ordered)",
                valueName: valueName),
            completion: .list(["none", "ordered"]),
            transform: PlaybackChange.by(OptionValue.dithering) { $0.colors.dithering = $1 })
    }
}

extension ArgumentHelp {
    static let color = ArgumentHelp("'auto' obeys NO_COLOR, 'always' ignores it (default: auto)", valueName: "when")
    static let fidelity = ArgumentHelp(
        "Colour accuracy: 'exact'; 'standard' omits differences too small to notice, 'low' larger ones",
        valueName: "level")
    static let pixelated: ArgumentHelp = "Scale by nearest neighbour, enlarge by whole factors (for pixel art)"
    static let search = ArgumentHelp("Search for this query even if a file has that name", valueName: "query")

    static func files0(_ verb: String) -> ArgumentHelp {
        ArgumentHelp(
            "\(verb) the files in this NUL-separated list, as from 'find -print0'; '-' is standard input",
            valueName: "list")
    }
}

extension ParsableCommand {
    static func validate(search: String?, with others: [String]) throws {
        guard let search, let other = others.first else { return }
        throw ValidationError("--search \(search): cannot be combined with '\(other)'")
    }
}
