import Base
import CTerminal
import Pixels

/// Measures text in terminal cells, and shortens it to a number of cells.
public enum TerminalText {
    public static func width(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + width($1) } }

    /// Returns `text`. If it fills more than `cells` cells, it is truncated to that width and ends with an ellipsis.
    public static func fitted(_ text: String, to cells: Int) -> String {
        guard width(text) > cells else { return text }
        guard cells > 0 else { return "" }
        var result = String.UnicodeScalarView()
        var used = 1
        for scalar in text.unicodeScalars {
            used += width(scalar)
            guard used <= cells else { break }
            result.append(scalar)
        }
        result.append("…")
        return String(result)
    }

    /// As ``fitted(_:to:)``, but cuts the name of a GIF file in the middle, so that its end stays. A name that is cut
    /// already is cut at the same place.
    public static func fittedTitle(_ title: String, to cells: Int) -> String {
        guard width(title) > cells, cells >= 12, title.lowercased().hasSuffix(".gif") else {
            return fitted(title, to: cells)
        }
        let gap = title.lastIndex(of: "…")
        let end = title[(gap.map(title.index(after:)) ?? title.startIndex)...].suffix(cells / 4 + 4)
        return fitted(String(title[..<(gap ?? end.startIndex)]) + "…", to: cells - width(String(end))) + end
    }

    /// Breaks the text at spaces into lines of at most `cells` cells, but never inside a word.
    public static func wrapped(_ text: String, to cells: Int) -> [String] {
        text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }.reduce(into: []) {
            lines, word in
            if let last = lines.last, width(last) + 1 + width(word) <= cells {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        scalar.isASCII ? 1 : Int(gifplay_cell_width(scalar.value))
    }

    /// The fields of a line, and the text at its right end. Those that do not fit are dropped from the right and empty.
    public typealias StatusFields = (fields: [String], right: String)

    /// Fits a title, a state and a credit into a line, with " · " between them and a text at the right end. The title
    /// keeps at least 20 cells. A state that does not fit beside it has the line for itself.
    public static func statusLine(
        _ title: String, _ state: String, _ credit: String, _ right: String, room: Int
    ) -> StatusFields {
        let least = min(20, width(title))
        for (credit, right) in [(credit, right), (credit, ""), ("", right), ("", "")] {
            let fields = [state, credit].map(width).filter { $0 > 0 }.reduce(0) { $0 + $1 + 3 }
            let rest = room - fields - (right.isEmpty ? 0 : width(right) + 2)
            if rest >= least { return ([fittedTitle(title, to: rest), state, credit], right) }
        }
        let alone = fittedTitle(state.isEmpty ? title : state, to: room)
        return (state.isEmpty ? [alone, "", ""] : ["", alone, ""], "")
    }

    /// The minimum width of a shortened title, in cells. If there is less room beside a credit, the title is left out.
    private static let narrowestTitle = 4
    /// The minimum width of a shortened detail, in cells. If there is less room, the detail is left out.
    private static let narrowestDetail = 8

    /// Returns title, credit and detail in one line of at most `room` cells. If the line is too long, the detail is
    /// shortened and then left out. If it is still too long, the title is shortened and then left out. The credit is
    /// shortened only if it does not fit alone.
    public static func credited(
        _ title: String, _ credit: String, _ detail: String, room: Int, separator: String = " · "
    ) -> String {
        var line = ""
        let titleRoom = credit.isEmpty ? room : room - width(credit) - width(separator)
        if !title.isEmpty, titleRoom >= min(narrowestTitle, width(title)) || credit.isEmpty {
            line = fittedTitle(title, to: titleRoom) + (credit.isEmpty ? "" : separator)
        }
        line += fitted(credit, to: max(0, room - width(line)))
        let gap = line.isEmpty ? "" : " · "
        let detailRoom = room - width(line) - gap.count
        if !detail.isEmpty, detailRoom >= min(narrowestDetail, width(detail)) {
            line += gap + fitted(detail, to: detailRoom)
        }
        return line
    }
}

/// The text that is drawn with the picture: the status line, with its note and key hint, and the help.
struct TextLayer: ~Copyable {
    private static let noteInterval = Span.second / 2
    /// The first note comes earlier in the large view, because the tiles are on the screen until then.
    private static let lentNoteDelay = Span.second / 10
    private static let keyHintTime = 5 * Span.second
    static let outcomeTime = 3 * Span.second

    private let options: PlaybackOptions
    private var line: StatusLine
    private var output = ByteBuffer(capacity: 512)
    /// The note on the status line; empty if there is none.
    private var note = ""
    private var isOutcome = false
    /// The time at which the player requests the next note; nil if no more notes follow.
    private var noteDeadline: Instant?
    /// The time at which the key hint disappears from the status line; nil if it is not shown.
    private var keyHintEnd: Instant?
    /// Whether playback continues when the help is closed; nil if the help is not open.
    private var resumesAfterHelp: Bool?
    /// The first line of the help, and the last useful one.
    private var (helpLine, lastHelpLine, helpRows) = (0, 0, 0)
    /// Whether the screen no longer has the text of the program that lends it.
    private var hasCleared = false
    /// Whether the text has to be sent when the terminal has processed the current update.
    private(set) var isPending = false

    init(_ label: PlaybackLabel, _ options: PlaybackOptions, requestsNotes: Bool, at now: Instant) {
        self.options = options
        line = StatusLine(label, options.language, hints: options.hints)
        let isLent = options.view == .large
        noteDeadline = requestsNotes ? now + (isLent ? Self.lentNoteDelay : Self.noteInterval) : nil
        keyHintEnd = options.showsKeyHint ? now + Self.keyHintTime : nil
    }

    mutating func setLabel(_ label: PlaybackLabel) { line.label = label }

    /// The key of the hint that the user has clicked; nil if there is none.
    func key(at pointer: PointerEvent) -> Key? {
        pointer.kind == .press ? line.key(atRow: pointer.row, column: pointer.column) : nil
    }

    /// The time of the next update of the note or the key hint; nil if no update follows.
    var deadline: Instant? { .earliest(noteDeadline, keyHintEnd) }
    var isHelpOpen: Bool { resumesAfterHelp != nil }

    /// Records that the screen no longer shows the status line.
    mutating func forgetScreen() { line.forget() }

    /// Requests the next note if it is due. If `request` returns nil, no further notes are requested.
    /// - Parameter isBlank: whether there is no picture yet, so that an empty note is replaced by what is waited for.
    /// - Returns: whether the note has changed.
    mutating func updateNote(at now: Instant, isBlank: Bool = false, _ request: () -> String?) -> Bool {
        guard let noteDeadline, now >= noteDeadline else { return false }
        var new = request()
        let waits = isBlank && new?.isEmpty != false
        if waits {
            new = options.language(en: "waiting for \(line.label.title)…", de: "wartet auf \(line.label.title) …")
        }
        self.noteDeadline = new == nil ? nil : now + Self.noteInterval
        defer { (note, isOutcome) = (new ?? "", waits) }
        return note != new ?? "" || isOutcome != waits
    }

    /// Shows the outcome of a key's action for a limited time.
    mutating func showOutcome(_ outcome: String, at now: Instant) {
        (note, isOutcome) = (outcome, true)
        noteDeadline = now + Self.outcomeTime
    }

    /// Removes the key hint if its time is over.
    /// - Returns: whether it was removed.
    mutating func endKeyHint(at now: Instant) -> Bool {
        guard let end = keyHintEnd, now >= end else { return false }
        keyHintEnd = nil
        return true
    }

    mutating func openHelp(resumesPlayback: Bool) { (resumesAfterHelp, helpLine) = (resumesPlayback, 0) }

    /// - Returns: whether the command scrolls the help.
    mutating func scrollHelp(_ command: KeyCommand?) -> Bool {
        let line = KeySheet.firstLine(after: command, helpLine, last: lastHelpLine, rows: helpRows)
        helpLine = line ?? helpLine
        return line != nil
    }

    mutating func closeHelp() -> Bool {
        defer { resumesAfterHelp = nil }
        return resumesAfterHelp ?? false
    }

    static var noBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// Returns the bytes that update the text on the screen; empty without a change. Valid until the next call.
    /// - Parameters:
    ///   - layout: nil before the first frame, when only a note is shown.
    ///   - waits: whether the terminal is still processing an update, so that the text has to wait.
    mutating func update(
        _ state: StatusLine.PlaybackState, _ layout: PaneLayout?, _ traits: @autoclosure () -> TerminalTraits,
        waits: Bool
    ) -> UnsafeRawBufferPointer {
        guard layout != nil || !note.isEmpty else { return Self.noBytes }
        isPending = waits
        guard !waits else { return Self.noBytes }
        output.removeAll()
        var state = state
        (state.note, state.isOutcome) = (note, isOutcome)
        state.hasKeyHint = keyHintEnd != nil
        if layout == nil, options.view == .large, !hasCleared { output.append("\u{1B}[0m\u{1B}[2J") }
        hasCleared = true
        let position = layout?.status ?? PaneLayout.status(traits: traits(), options: options)
        line.write(state, at: position, into: &output)
        // Draw the help with each update, because the picture can be drawn over the help.
        if isHelpOpen, let layout {
            let terminal = traits()
            let accent = terminal.colors.accent(on: terminal.background)
            let groups = options.help ?? .all(in: .player, options.language)
            let sheet = KeySheet(groups, in: layout.helpSize, options.language, from: helpLine, isPacked: true)
            (lastHelpLine, helpRows) = (sheet.lastFirstLine, layout.helpSize.rows)
            sheet.write(over: layout, accent: accent, into: &output)
        }
        return output.bytes
    }
}

/// Notes that a status line displays one at a time, each for the same time.
///
/// Inlinable, because the first note would otherwise run the generic code of collections, with 0.3 MiB more memory.
public struct TimedNotes<Note: Equatable & Sendable>: Equatable, Sendable {
    @usableFromInline var displayed: Note?
    @usableFromInline var end: Instant?
    @usableFromInline var pending: [Note] = []
    /// In nanoseconds.
    @usableFromInline let duration: Int64

    @inlinable
    public init(for duration: Int64) { self.duration = duration }

    @inlinable public var note: Note? { displayed }

    /// The time at which the note disappears; nil without one.
    @inlinable public var deadline: Instant? { end }

    /// Replaces the displayed note.
    @inlinable
    public mutating func show(_ note: Note, at now: Instant) { (displayed, end) = (note, now + duration) }

    /// Displays the note after the displayed one and those before it.
    @inlinable
    public mutating func add(_ note: Note) { pending.append(note) }

    /// Displays the next note if there is one and the time of the displayed one is over.
    @inlinable
    public mutating func update(at now: Instant) {
        if let end, end <= now { (displayed, self.end) = (nil, nil) }
        if displayed == nil, !pending.isEmpty { show(pending.removeFirst(), at: now) }
    }

    /// Ends the displayed note.
    @inlinable
    public mutating func skip(at now: Instant) {
        end = displayed.map { _ in now }
        update(at: now)
    }

    /// Returns and removes the notes that were not displayed.
    @inlinable
    public mutating func takePending() -> [Note] {
        defer { pending = [] }
        return pending
    }
}
