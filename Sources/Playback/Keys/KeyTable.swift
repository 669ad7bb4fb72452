import Base

/// A line of the help: keys that belong together, and what they do.
public struct KeyRow: Sendable {
    public typealias Text = @Sendable (Language) -> String

    public let group: KeyGroup
    public let views: KeyViews
    /// Includes keys that the help does not name, such as `=` for `+`.
    public let keys: [(key: Key, command: KeyCommand)]
    /// The keys as the help names them, separated by spaces.
    public let names: Text
    public let meaning: Text
    /// The meaning for a file on this machine; nil if the row does not apply to files.
    public let fileMeaning: Text?
    let isOnlyForFiles: Bool

    init(
        _ group: KeyGroup, _ views: KeyViews, _ keys: [(Key, KeyCommand)], _ names: @escaping Text,
        _ meaning: @escaping Text, files: FileMeaning = .same
    ) {
        (self.group, self.views, self.names, self.meaning) = (group, views, names, meaning)
        self.keys = keys.map { (key: $0.0, command: $0.1) }
        fileMeaning =
            switch files {
            case .same, .only: meaning
            case .none: nil
            case .other(let text): text
            }
        isOnlyForFiles = if case .only = files { true } else { false }
    }

    enum FileMeaning {
        case same
        /// The row does not apply to GIFs of a source.
        case only
        case none
        case other(Text)
    }
}

/// The keys of the player and of the gallery. The player, the gallery and both helps read them here.
public enum KeyTable {
    /// In each group, the most important row comes first.
    public static let rows = move + play + keep + find

    /// The rows of a view, for its help.
    /// - Parameter isOfFiles: whether the view shows files on this machine.
    public static func rows(in view: KeyViews, isOfFiles: Bool = false) -> [KeyRow] {
        rows.filter { $0.views.contains(view) && (isOfFiles ? $0.fileMeaning != nil : !$0.isOnlyForFiles) }
    }

    /// - Returns: nil if the key has no command in this view.
    public static func command(of key: Key, in view: KeyViews) -> KeyCommand? {
        for row in rows where row.views.contains(view) {
            if let entry = row.keys.first(where: { $0.key == key }) { return entry.command }
        }
        return nil
    }

    private static func same(_ text: String) -> KeyRow.Text { { _ in text } }

    private static func text(_ english: String, _ german: String) -> KeyRow.Text {
        { language in language(en: english, de: german) }
    }

    private static func letters(_ commands: KeyValuePairs<Character, KeyCommand>) -> [(Key, KeyCommand)] {
        commands.map { (.character($0.key), $0.value) }
    }

    private static let move = [
        KeyRow(
            .move, .single, letters(["n": .show(distance: 1), "p": .show(distance: -1)]), same("n p"),
            text("next, previous GIF", "nächstes, voriges GIF")),
        KeyRow(
            .move, .player, letters(["r": .random]), same("r"), text("random GIF", "zufälliges GIF")),
        KeyRow(
            .move, .grid,
            [
                (.left, .select(.left)), (.down, .select(.down)), (.up, .select(.up)), (.right, .select(.right)),
                (.character("h"), .select(.left)), (.character("j"), .select(.down)), (.character("k"), .select(.up)),
                (.character("l"), .select(.right)),
            ], same("← ↓ ↑ → h j k l"), text("select a GIF", "GIF auswählen")),
        KeyRow(
            .move, .grid, [(.control("n"), .select(.right)), (.control("p"), .select(.left))],
            text("Ctrl-N Ctrl-P", "Strg-N Strg-P"), text("next, previous GIF", "nächstes, voriges GIF")),
        KeyRow(
            .move, [.grid, .screensaver], [(.enter, .enter)], same("Enter"),
            text("open the large view", "Großansicht öffnen")),
        KeyRow(
            .move, .large, [(.enter, .enter)], same("Enter"), text("back to the grid", "zurück zur Übersicht")),
        KeyRow(
            .move, .large, [(.pageDown, .show(distance: 1)), (.pageUp, .show(distance: -1))],
            text("PgDn PgUp", "Bild↓ Bild↑"), text("next, previous GIF", "nächstes, voriges GIF")),
        KeyRow(
            .move, .grid,
            [
                (.pageDown, .scroll(halfScreens: 2)), (.pageUp, .scroll(halfScreens: -2)),
                (.control("f"), .scroll(halfScreens: 2)), (.control("b"), .scroll(halfScreens: -2)),
                (.character(" "), .scroll(halfScreens: 2)),
            ], text("PgDn PgUp Ctrl-F Ctrl-B space", "Bild↓ Bild↑ Strg-F Strg-B Leertaste"),
            text("next, previous screen", "seitenweise blättern")),
        KeyRow(
            .move, .grid, [(.control("d"), .scroll(halfScreens: 1)), (.control("u"), .scroll(halfScreens: -1))],
            text("Ctrl-D Ctrl-U", "Strg-D Strg-U"), text("half a screen down, up", "halbe Seite vor, zurück")),
        KeyRow(
            .move, .gallery,
            [
                (.home, .showFirst), (.end, .showLast), (.character("g"), .showFirst), (.character("G"), .showLast),
            ], text("Home End g G", "Pos1 Ende g G"), text("first, last GIF", "erstes, letztes GIF")),
        KeyRow(
            .move, .grid,
            letters(["H": .selectVisible(.top), "M": .selectVisible(.middle), "L": .selectVisible(.bottom)]),
            same("H M L"), text("first, middle, last on the screen", "erstes, mittleres, letztes im Bild")),
        KeyRow(
            .move, .grid,
            letters([
                "+": .resizeTiles(isLarger: true), "-": .resizeTiles(isLarger: false),
                "=": .resizeTiles(isLarger: true),
            ]), same("+ -"), text("larger, smaller tiles", "größere, kleinere Kacheln")),
        KeyRow(
            .move, .grid, letters(["v": .toggleSide]), same("v"),
            text("large picture beside the list", "großes Bild neben der Liste")),
        KeyRow(
            .move, .player, [(.escape, .quit), (.character("q"), .quit)], same("Esc q"), text("quit", "beenden")),
        KeyRow(
            .move, .large, [(.escape, .back), (.character("q"), .back), (.backspace, .back)],
            text("Esc q Backspace", "Esc q Rücktaste"), text("back to the grid", "zurück zur Übersicht")),
        KeyRow(
            .move, .grid, [(.escape, .back)], same("Esc"),
            text("back to the first feed; there: quit", "zurück zur ersten Liste; dort: beenden")),
        KeyRow(
            .move, .grid, letters(["q": .quit]), same("q"), text("quit", "beenden")),
    ]

    private static let play = [
        KeyRow(
            .play, .single, letters([" ": .togglePause]), text("space", "Leertaste"),
            text("pause, continue", "Pause, weiter")),
        KeyRow(
            .play, .single, letters([".": .step(isBackward: false), ",": .step(isBackward: true)]), same(". ,"),
            text("one frame forward, back", "ein Bild vor, zurück")),
        KeyRow(
            .play, .single,
            [
                (.left, .seek(seconds: -1)), (.right, .seek(seconds: 1)), (.character("h"), .seek(seconds: -1)),
                (.character("l"), .seek(seconds: 1)),
            ], same("← → h l"), text("1 s back, forward", "1 s zurück, vor")),
        KeyRow(
            .play, .single,
            [
                (.down, .seek(seconds: -5)), (.up, .seek(seconds: 5)), (.character("j"), .seek(seconds: -5)),
                (.character("k"), .seek(seconds: 5)),
            ], same("↓ ↑ j k"), text("5 s back, forward", "5 s zurück, vor")),
        KeyRow(
            .play, .single,
            letters([
                "-": .changeSpeed(isFaster: false), "+": .changeSpeed(isFaster: true),
                "=": .changeSpeed(isFaster: true),
            ]), same("- +"), text("slower, faster", "langsamer, schneller")),
        KeyRow(
            .play, .everywhere, letters(["m": .changeDrawing]), same("m"),
            text("sharper characters, pixels", "schärfere Zeichen, Pixel")),
    ]

    private static let keep = [
        KeyRow(
            .keep, .grid, letters(["t": .mark]), same("t"),
            text("mark for the keys below and Enter", "für die Tasten darunter markieren")),
        KeyRow(
            .keep, [.everywhere, .screensaver], letters(["s": .act(.save)]), same("s"),
            text("save the original", "Original speichern"), files: .none),
        KeyRow(
            .keep, [.everywhere, .screensaver], letters(["f": .act(.favourite)]), same("f"),
            text("favourite on, off", "Favorit ein, aus"), files: .none),
        KeyRow(
            .keep, [.everywhere, .screensaver], letters(["y": .act(.copyLink), "Y": .act(.copyAddress)]), same("y Y"),
            text("copy the page link, the GIF URL", "Link der Seite, des GIFs kopieren"),
            files: .other(text("copy the path", "Pfad kopieren"))),
        KeyRow(
            .keep, [.everywhere, .screensaver], letters(["c": .act(.copyFile)]), same("c"),
            text("copy the GIF (saves it)", "GIF kopieren (speichert es)"),
            files: .other(text("copy the file", "Datei kopieren"))),
        KeyRow(
            .keep, [.everywhere, .screensaver], letters(["o": .act(.open)]), same("o"),
            text("open the page", "Seite öffnen"), files: .other(text("open the folder", "Ordner öffnen"))),
        KeyRow(
            .keep, [.everywhere, .screensaver], letters(["d": .act(.dismiss)]), same("d"),
            text("dismiss, show the next", "ausblenden, nächstes zeigen"), files: .none),
        KeyRow(
            .keep, .grid, letters(["D": .dismissAll]), same("D"),
            text("dismiss all on the screen", "alle sichtbaren ausblenden"), files: .none),
        KeyRow(
            .keep, [.everywhere, .screensaver], letters(["u": .act(.undo)]), same("u"),
            text("undo a dismissal", "Ausblenden rückgängig"), files: .none),
    ]

    private static let find = [
        KeyRow(
            .find, .grid, letters([",": .sort]), same(","),
            text("sort by name, newest, largest", "nach Name, neueste, größte"), files: .only),
        KeyRow(
            .find, .everywhere, letters(["/": .search]), same("/"), text("type a query", "Suche eingeben"),
            files: .other(text("filter by name", "nach Namen filtern"))),
        KeyRow(
            .find, .gallery, [(.tab, .changeFeed(distance: 1)), (.backTab, .changeFeed(distance: -1))],
            text("Tab Shift-Tab", "Tab Umschalt-Tab"), text("next, previous feed", "nächste, vorige Liste"),
            files: .none),
        KeyRow(
            .find, .gallery,
            (1...9).map { (.character(Character("\($0)")), .selectFeed(number: $0)) }, same("1…9"),
            text("feed by its number", "Liste nach Nummer"), files: .none),
        KeyRow(
            .find, .gallery, letters(["r": .refresh]), same("r"),
            text("refresh, try again", "aktualisieren, neu versuchen")),
        KeyRow(
            .find, .player, [(.control("r"), .reload)], text("Ctrl-R", "Strg-R"),
            text("load the GIF again", "GIF neu laden")),
        KeyRow(
            .find, .everywhere, letters(["?": .help]), same("?"), text("show the keys", "Tasten zeigen")),
        KeyRow(
            .find, .gallery, [(.control("l"), .redraw)], text("Ctrl-L", "Strg-L"),
            text("redraw", "neu zeichnen")),
        KeyRow(
            .find, [.everywhere, .screensaver], [(.control("z"), .suspend), (.control("c"), .interrupt)],
            text("Ctrl-Z Ctrl-C", "Strg-Z Strg-C"), text("suspend, quit", "anhalten, beenden")),
    ]
}

/// What a key does. ``KeyTable`` assigns the keys.
public enum KeyCommand: Hashable, Sendable {
    case togglePause
    /// Shows the next frame and pauses, or the previous one if `isBackward`.
    case step(isBackward: Bool)
    /// Seeks by this number of seconds, backwards if it is negative.
    case seek(seconds: Int64)
    case changeSpeed(isFaster: Bool)
    /// Draws with other characters, or with the graphics of the terminal.
    case changeDrawing
    /// Selects or shows another GIF, the next one at 1 and the previous one at -1.
    case show(distance: Int)
    case showFirst
    case showLast
    case random
    /// Asks the server for a newer version of the GIF, or reads the file again.
    case reload
    case select(GridStep)
    /// Scrolls by this number of half screens, backwards if it is negative.
    case scroll(halfScreens: Int)
    /// Opens the large view, or returns to the grid. A picker prints the GIF instead.
    case enter
    case resizeTiles(isLarger: Bool)
    /// Shows or removes the large picture beside the tiles.
    case toggleSide
    case selectVisible(ScreenPlace)
    /// Changes the order of files.
    case sort
    /// Marks the selected GIF for the next actions, or removes its mark.
    case mark
    case act(ItemAction)
    case dismissAll
    case search
    case changeFeed(distance: Int)
    /// The first feed has the number 1.
    case selectFeed(number: Int)
    case refresh
    case help
    case redraw
    case suspend
    /// Goes one step back. At the first step, quits.
    case back
    case quit
    case interrupt
}

public enum GridStep: Hashable, Sendable {
    case up
    case down
    case left
    case right
}

/// A place among the GIFs that are completely visible.
public enum ScreenPlace: Hashable, Sendable {
    case top
    case middle
    case bottom
}

/// The views in which a key has the same command.
public struct KeyViews: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let player = KeyViews(rawValue: 1)
    /// The large view of the gallery.
    public static let large = KeyViews(rawValue: 2)
    /// The screensaver of the gallery. Keys without a row for it return to the grid and act there.
    public static let screensaver = KeyViews(rawValue: 4)
    public static let grid = KeyViews(rawValue: 8)

    /// The views that show one GIF.
    public static let single: KeyViews = [.player, .large]
    public static let gallery: KeyViews = [.large, .grid]
    public static let everywhere: KeyViews = [.player, .large, .grid]
}

/// A part of the help.
public enum KeyGroup: CaseIterable, Sendable {
    case move
    case play
    case keep
    case find
}
