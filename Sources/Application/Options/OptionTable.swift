import Base
import Catalog
import Glibc
import Playback

// Each closure says what its option changes.

extension CommandSet {
    static let drawing: CommandSet = [.play, .browse]
    static let pictures: CommandSet = [.play, .record]
    static let gallery: CommandSet = [.play, .browse, .doctor]
    static let services: CommandSet = [.play, .browse, .record, .sources, .doctor]
    static let limits: CommandSet = [.play, .record, .info]
}

extension Option {
    static let items: [Option] = [
        Option(
            "file", value: "path", files: .gifs, .pictures, .items, configurable: false,
            "Play this file even if its name looks like a URL or option", "May be repeated."
        ) { $0.files.append($1.text) },
        Option(
            "files0", value: "list", files: .all, .drawing, .items, configurable: false,
            "Play or show the files in this NUL-separated list, as from 'find -print0'; '-' is standard input"
        ) { $0.files0 = $1.text },
        Option(
            "search", value: "query", [.play, .browse, .record], .items, configurable: false,
            "Search for this query even if a file has that name"
        ) { $0.search = $1.text },
        Option(
            "follow", value: "path", files: .all, [.play], .items, configurable: false,
            "Show the newest GIF of a folder, a list or a named pipe as soon as it is written, or of a URL when it changes",
            "'-' is a list on standard input."
        ) { $0.follow = $1.text },
        Option(
            "recursive", short: "r", [.browse], .items, configurable: false, "Show the GIFs of subfolders too",
            "They are shown folder by folder; links to folders are not followed."
        ) { $0.isRecursive = $1.isOn },
        Option(
            "sort", value: "order", of: FileOrder.allCases.map(\.rawValue), .drawing, .items, default: "name",
            "Order of the files: 'name', 'time' (newest first), 'size' (largest first) or 'random'",
            "Files that are named in another order than that of a shell's pattern keep theirs without this option."
        ) { $0.sort = try OptionValue.choice($1.text) as FileOrder },
    ]

    static let picture: [Option] = [
        Option(
            "size", short: "s", value: "size", .pictures, .picture, default: "the pane; record: 80x24",
            "Largest number of columns and rows, such as 80x24"
        ) { $0.playback.player.size = try OptionValue.size($1.text) },
        Option(
            "inline", [.play], .picture, configurable: false, "Play below the prompt, leave the last frame there"
        ) { $0.playback.player.screen = $1.isOn ? .inline : .full },
        Option(
            "leave", [.play], .picture, configurable: false,
            "Print below the prompt and end; kitty and others repeat the GIF there, others show the last frame",
            "kitty from 0.20, Ghostty from 1.4, iTerm2 and WezTerm repeat it."
        ) { $0.leaves = $1.isOn },
        Option(
            "bare", [.play], .picture, "Hide the status line", "Panes with fewer than 6 rows never have one."
        ) { $0.playback.player.showsStatus = !$1.isOn },
        Option(
            "upscale", short: "U", .pictures, .picture, default: "yes, except with --inline and --leave",
            "Enlarge small GIFs"
        ) { $0.enlarges = $1.isOn },
        Option(
            "pixelated", .pictures, .picture, "Scale by nearest neighbour, enlarge by whole factors (for pixel art)"
        ) { $0.playback.player.fit.filter = $1.isOn ? .pixelated : .smooth },
        Option(
            "mode", value: "mode", of: OptionValue.modes.map(\.key), .drawing, .picture, default: "half",
            "Draw with other characters or with pixels; 'half' blocks, or sharper 'quadrant', 'sextant' or 'octant' if the font has them, or pixels by "
                + "'kitty', 'iterm2' or 'sixel' graphics if the terminal reports them; 'auto' uses the best graphics",
            "With an exclamation mark, as in 'sixel!', gifplay uses these graphics whatever the terminal reports."
        ) { $0.playback.mode = try OptionValue.mode($1.text) },
        Option(
            "background", short: "b", value: "color", .pictures, .picture,
            default: "the terminal's own; record to SVG: black",
            "Colour behind transparent pixels, such as #1e1e2e, fff, black or white"
        ) { $0.playback.player.background = try OptionValue.color($1.text) },
        Option(
            "color", value: "when", of: ColorRule.allCases.map(\.rawValue), .drawing, .picture, default: "auto",
            "'auto' obeys NO_COLOR, 'always' ignores it"
        ) { $0.playback.colorRule = try OptionValue.choice($1.text) },
        Option(
            "colors", value: "depth", of: OptionValue.depths.map(\.key), .drawing, .picture, default: "auto",
            "Colours of the terminal: 24bit, 256, 16, 8, none or auto"
        ) { $0.playback.colors.depth = try OptionValue.depth($1.text) },
        Option(
            "dither", value: "pattern", of: ["none", "ordered"], .drawing, .picture, default: "ordered",
            "Dithering with fewer than 24-bit colours: ordered (a fixed pattern) or none",
            "'ordered' chooses colours by hue before lightness and, with 256 colours and characters, mixes two that are "
                + "almost equal where the picture is smooth; 'none' shows the colour nearest in RGB."
        ) { $0.playback.colors.dithering = try OptionValue.dithering($1.text) },
        Option(
            "fidelity", value: "level", of: OptionValue.fidelities, .pictures, .picture, default: "standard",
            "Colour accuracy: 'exact'; 'standard' omits differences too small to notice, 'low' larger ones"
        ) { $0.playback.player.fidelity = try OptionValue.fidelity($1.text) },
    ]

    static let time: [Option] = [
        Option(
            "loop", short: "l", value: "n", of: ["forever"], .pictures, .time,
            default: "as the file says; record to a cast: 1", "Number of loops, or 'forever'",
            "In a configuration file: the loops of GIFs on a terminal, except random ones; the last frame stays."
        ) {
            let loops = try OptionValue.loops($1.text)
            if $1.isConfigured { $0.playback.loops = loops } else { $0.playback.player.loops = loops }
        },
        Option(
            "speed", value: "factor", of: ["0.5", "2", "max"], .pictures, .time, default: "1",
            "Speed from 0.01 to 100; 'max' plays every frame without waiting"
        ) { $0.playback.player.speed = try OptionValue.speed($1.text) },
        Option(
            "duration", short: "d", value: "time", .pictures, .time,
            "Stop each GIF after this time, such as 30s or 2m"
        ) { $0.playback.player.duration = try OptionValue.duration($1.text) },
        Option(
            "every", value: "time", [.play], .time, default: "10s",
            "Time for each random GIF; with several files, for each that loops forever",
            "With --follow URL, the time between two requests: at least 5s, and 1m without this option."
        ) {
            $0.playback.switchInterval = try OptionValue.duration($1.text)
            $0.followInterval = max($0.playback.switchInterval, $1.isConfigured ? 5 * Span.second : 0)
        },
        Option("screensaver", [.play], .time, configurable: false, "Quit on any key") {
            $0.playback.player.anyKeyEnds = $1.isOn
            $0.playback.player.showsKeyHint = !$1.isOn
        },
    ]

    static let output: [Option] = [
        Option(
            "output", short: "o", value: "path", files: .all, [.record], .output, configurable: false,
            "Output file, or '-' for standard output (required)"
        ) { $0.output = $1.text },
        Option(
            "format", value: "format", of: ["cast", "svg"], [.record], .output,
            default: "from the ending of the file name; '-': cast", configurable: false, "Output format"
        ) { $0.format = try OptionValue.word($1.text, of: ["cast", "svg"]) },
        Option(
            "animate", [.play], .output, configurable: false,
            "Write all frames, not a still, if the output is not a terminal; with --mode kitty, they repeat there"
        ) { $0.playback.writesAllFrames = $1.isOn },
        Option(
            "upload", value: "path", files: .all, [.play], .output, configurable: false,
            "Send the image to this terminal, such as /dev/tty, and write only the characters that show it",
            "Sets --mode kitty."
        ) { $0.upload = $1.text },
        Option(
            "json", [.play, .info, .list, .doctor], .output, configurable: false,
            "Print JSON, one object per line, even to a terminal; play: with --list"
        ) { $0.printsJSON = $1.isOn },
        Option(
            "picture", [.doctor], .output, configurable: false, "Draw a test picture in the best mode of the terminal"
        ) {
            $0.drawsPicture = $1.isOn
        },
    ]

    static let gallery: [Option] = [
        Option("reduced-motion", [.browse], .gallery, "Animate only the selected GIF; no random GIFs when idle") {
            $0.reducesMotion = $1.isOn
        },
        Option(
            "plain", [.browse], .gallery, configurable: false,
            "Print the results line by line, for screen readers and scripts",
            "Prints up to three pages of results, or all paths."
        ) { $0.isPlain = $1.isOn },
        Option(
            "print", value: "part", of: pickedParts, [.browse], .gallery,
            default: "url if the output is not a terminal",
            configurable: false,
            "Let the user choose a GIF, and print its 'url', its 'page', the path of its saved 'file', or 'markdown'",
            "'markdown' has the credit. Without a choice, the status is 130."
        ) { $0.printedPart = try OptionValue.word($1.text, of: pickedParts) },
        Option(
            "no-history", .drawing, .gallery, "Store only favourites and dismissed GIFs, not viewed ones"
        ) { $0.keepsHistory = !$1.isOn },
        Option("favourites", [.list], .gallery, configurable: false, "List only favourites", set: list),
        Option("history", [.list], .gallery, configurable: false, "List only viewed GIFs", set: list),
        Option("dismissed", [.list], .gallery, configurable: false, "List only dismissed GIFs", set: list),
        Option("all", [.clear], .gallery, configurable: false, "Delete favourites and dismissed GIFs too; asks first") {
            $0.clearsAll = $1.isOn
        },
        Option(
            "yes", [.clear], .gallery, configurable: false, "With --all: do not ask; required without a terminal"
        ) { $0.isConfirmed = $1.isOn },
    ]

    private static let pickedParts = ["url", "page", "file", "markdown"]

    private static func list(_ settings: inout Settings, _ setting: Setting) throws(OptionError) {
        let name = setting.option.name
        if let other = settings.list, other != name { throw OptionError("cannot be combined with --\(other)") }
        settings.list = name
    }
}
