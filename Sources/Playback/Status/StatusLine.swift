import Base
import Pixels

public struct PlaybackLabel: Equatable, Sendable {
    public var title: String
    /// The credit that the source requires: the source's attribution mark, or the author and the licence. If the credit
    /// needs room, the title is shortened.
    public var credit: String
    /// The position in a listing, such as "3 of 40"; empty for none.
    public var position: String
    /// The origin of the GIF, such as a link or a folder. Shown if there is room.
    public var detail: String
    /// The address to which title, credit, position and detail lead in terminals with hyperlinks, in printable ASCII.
    public var link: String?

    public init(
        title: String, credit: String = "", position: String = "", detail: String = "", link: String? = nil
    ) {
        self.title = SafeText.line(title)
        self.credit = SafeText.line(credit)
        (self.position, self.link) = (position, link)
        self.detail = SafeText.line(detail)
    }
}

/// The line of text below the picture, written only when it changes.
struct StatusLine {
    /// The playback state that the line shows besides the label.
    struct PlaybackState: Equatable {
        var isPaused: Bool
        var speed: Double
        /// The time since the start of the loop iteration, in nanoseconds.
        var elapsed: Int64
        /// The length of a loop iteration in nanoseconds; nil until it is known.
        var length: Int64?
        var frame: Int
        var frames: Int?
        /// A note to show in place of the label's detail; empty if there is none.
        var note = ""
        /// Whether the note is the outcome of a key, which has the line for itself.
        var isOutcome = false
        /// The largest error of a colour channel (0 to 255) if the fidelity is coarser than requested; otherwise nil.
        var bound: Int?
        /// Whether a part of the file could not be decoded.
        var isDamaged = false
        /// The number of loop iterations if all were played and the last frame is held; otherwise nil.
        var playedLoops: Int?
        /// Whether the line shows which key opens the help.
        var hasKeyHint = false

        /// A copy without the values that the line does not show: equal copies produce the same line.
        fileprivate var shown: PlaybackState {
            var shown = self
            if isPaused {
                shown.elapsed = 0
                shown.length = nil
            } else {
                shown.elapsed -= elapsed % Span.second
                shown.frame = 0
                shown.frames = nil
            }
            return shown
        }
    }

    var label: PlaybackLabel { didSet { if label != oldValue { composed = nil } } }
    private let language: Language
    private let hints: [KeyHint]
    private var written = ""
    /// The columns of the hints on the line.
    private var hintColumns: [(Range<Int>, Key)] = []
    /// The state and the position for which the line was last composed. If neither has changed, the line is not
    /// composed again, which saves allocations.
    private var composed: (state: PlaybackState, position: PaneLayout.StatusPosition)?

    /// - Parameter hints: the keys that the line names if there is room, the most important ones last.
    init(_ label: PlaybackLabel, _ language: Language, hints: [KeyHint] = []) {
        (self.label, self.language, self.hints) = (label, language, hints)
    }

    /// Records that the screen no longer shows the line.
    mutating func forget() {
        written = ""
        composed = nil
    }

    /// Appends the bytes that update the line on the screen, if it changed.
    mutating func write(_ state: PlaybackState, at position: PaneLayout.StatusPosition?, into out: inout ByteBuffer) {
        guard let position else { return }
        let shown = state.shown
        if let composed, composed.state == shown, composed.position == position { return }
        composed = (shown, position)
        let line: Line
        switch position {
        case .row(_, let width), .belowPicture(let width): line = arrange(state, width: width)
        }
        hintColumns = line.hints
        guard line.text != written else { return }
        written = line.text
        if case .row(let row, _) = position {
            out.append("\u{1B}[")
            out.appendDecimal(row)
            // Without the semicolon, Emacs's eat takes the row for a column.
            out.append(";H")
        }
        out.append("\u{1B}[0;2m")
        if let link = label.link {
            out.append("\u{1B}]8;;" + link + "\u{1B}\\" + line.left + "\u{1B}]8;;\u{1B}\\" + line.right)
        } else {
            out.append(line.text)
        }
        out.append("\u{1B}[0m\u{1B}[K\r")
    }

    /// The key that the line names at this cell of the screen; nil if there is none.
    func key(atRow row: Int, column: Int) -> Key? {
        guard case .row(row + 1, _)? = composed?.position else { return nil }
        return hintColumns.first { $0.0.contains(column) }?.1
    }

    /// Composes the line: title, credit, position and detail at the left, hints and time at the right. Parts that do not
    /// fit are left out. The credit is the last part to be left out.
    func compose(_ state: PlaybackState, width: Int) -> String { arrange(state, width: width).text }

    private struct Line {
        var left: String
        /// With the gap before it.
        var right = ""
        var hints: [(Range<Int>, Key)] = []
        var text: String { left + right }
    }

    private func arrange(_ state: PlaybackState, width: Int) -> Line {
        // The last column stays empty, because terminals differ in where the cursor is after it.
        let room = width - 1
        if state.isOutcome { return Line(left: TerminalText.fittedTitle(state.note, to: room)) }
        let least = 2 + TerminalText.width(label.credit)
        // A narrow pane has no room for the number of loops, but the key is still needed.
        var right = playbackPosition(state, width: width)
        if state.playedLoops != nil, room <= TerminalText.width(right) + least { right = replayHint }
        let rightWidth = TerminalText.width(right)
        // A note that would be cut beside a short title has the line for itself. A credit that is required stays.
        if !state.note.isEmpty, label.credit.isEmpty, room < TerminalText.width(state.note) + rightWidth + 15 {
            return Line(left: TerminalText.fitted(state.note, to: room))
        }
        guard room > rightWidth + least else {
            return Line(left: TerminalText.credited(label.title, label.credit, "", room: max(0, room)))
        }
        let leftRoom = room - rightWidth - 2
        let left = left(state.note, in: leftRoom)
        let hints = KeyHint.fitting(hints, in: leftRoom - TerminalText.width(left) - 2)
        if !hints.isEmpty { right = KeyHint.line(hints) + "  " + right }
        let column = room - TerminalText.width(right)
        let gap = String(repeating: " ", count: column - TerminalText.width(left))
        return Line(left: left, right: gap + right, hints: KeyHint.columns(hints, from: column))
    }

    /// Returns the left part of the line. The two most important hints displace the detail, but nothing else.
    private func left(_ note: String, in room: Int) -> String {
        let required = Self.joined(label.position, note)
        let line = TerminalText.credited(title(beside: required, room: room), label.credit, required, room: room)
        guard note.isEmpty, !label.detail.isEmpty else { return line }
        guard !hints.isEmpty else { return TerminalText.credited(line, "", label.detail, room: room) }
        let rest = room - TerminalText.width(line) - TerminalText.width(KeyHint.line(hints.suffix(2))) - 2
        let isUseful = rest - 3 >= min(Self.narrowestDetail, TerminalText.width(label.detail))
        return isUseful ? TerminalText.credited(line, "", label.detail, room: TerminalText.width(line) + rest) : line
    }

    private static func joined(_ first: String, _ second: String) -> String {
        first.isEmpty ? second : second.isEmpty ? first : first + " · " + second
    }

    /// Returns the title. If the note needs room, the title is shortened, but never to fewer than ten cells.
    private func title(beside note: String, room: Int) -> String {
        guard !note.isEmpty else { return label.title }
        let others = [label.credit, note].map(TerminalText.width).filter { $0 > 0 }.reduce(0) { $0 + $1 + 3 }
        return TerminalText.fittedTitle(label.title, to: max(10, room - others))
    }

    /// Returns the right part of the line: key hint, damage, fidelity, speed and playback position. The position is in
    /// whole seconds, so that it needs only one small update per second. In a pause, it is the frame number.
    private func playbackPosition(_ state: PlaybackState, width: Int) -> String {
        var parts: [String] = []
        // In a narrow pane the title is more important than the hint.
        if state.hasKeyHint, width >= Self.narrowestForHint { parts.append(language(en: "? keys ", de: "? Tasten ")) }
        if state.isDamaged { parts.append(language(en: "damaged", de: "beschädigt")) }
        if let bound = state.bound { parts.append("±\(bound)") }
        if state.speed != 1 { parts.append("×\(PlaybackSpeeds.text(state.speed))") }
        if let count = state.playedLoops {
            parts.append(language(en: "played \(count) of \(count)", de: "\(count) von \(count) gespielt"))
            parts.append("· \(replayHint)")
        } else if state.isPaused {
            parts.append(language.paused(frame: state.frame, of: state.frames, isShort: width < Self.narrowestForPause))
        } else {
            let total = state.length.map { "/" + Self.clock($0 + Span.second / 2) } ?? ""
            parts.append(Self.clock(state.elapsed) + total)
        }
        // Before the first frame, joined(separator:) would search for types, which takes 0.2 million instructions.
        return parts.dropFirst().reduce(into: parts.first ?? "") { $0 += " " + $1 }
    }

    private var replayHint: String { language(en: "space replays", de: "Leertaste wiederholt") }

    private static let narrowestForHint = 40
    private static let narrowestForPause = 60
    /// A shorter part of a link beside the hints says nothing.
    private static let narrowestDetail = 16

    private static func clock(_ span: Int64) -> String {
        let seconds = span / Span.second
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension Language {
    /// The text for a pause.
    /// - Parameters:
    ///   - frame: the number of the displayed frame, from 0.
    ///   - frames: the number of frames; nil until it is known.
    public func paused(frame: Int, of frames: Int?, isShort: Bool = false) -> String {
        let number = frame + 1
        if isShort { return self(en: "paused", de: "Pause") + " \(number)" + (frames.map { "/\($0)" } ?? "") }
        let total = frames.map { self(en: " of \($0)", de: " von \($0)") } ?? ""
        return self(en: "paused · frame \(number)", de: "Pause · Bild \(number)") + total
    }
}

/// A key that a status line names, such as `s save`. A click on it presses the key.
public struct KeyHint: Equatable, Sendable {
    public let key: Key
    public let text: String

    public init(_ key: Key, _ text: String) { (self.key, self.text) = (key, text) }

    public static func line(_ hints: some Sequence<KeyHint>) -> String { hints.map(\.text).joined(separator: "  ") }

    /// Returns the last hints, which are the most important ones, as many as fit into `room` cells.
    public static func fitting(_ hints: [KeyHint], in room: Int) -> ArraySlice<KeyHint> {
        hints.indices.map { hints[$0...] }.first { TerminalText.width(line($0)) <= room } ?? []
    }

    /// Returns the columns of each hint on a line that begins at `column`.
    public static func columns(_ hints: some Sequence<KeyHint>, from column: Int) -> [(Range<Int>, Key)] {
        var column = column
        return hints.map { hint in
            defer { column += TerminalText.width(hint.text) + 2 }
            return (column..<column + TerminalText.width(hint.text), hint.key)
        }
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
