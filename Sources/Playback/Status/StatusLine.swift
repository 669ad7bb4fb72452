import Base
import Pixels

/// What the status line says of the GIF itself.
public struct PlaybackLabel: Equatable, Sendable {
    public var title: String
    /// What the source requires: its mark, or author and licence. The title is shortened for it.
    public var credit: String
    /// Where it is from: a link, a folder. Shown where there is room.
    public var detail: String

    public init(title: String, credit: String = "", detail: String = "") {
        self.title = SafeText.line(title)
        self.credit = SafeText.line(credit)
        self.detail = SafeText.line(detail)
    }
}

/// The line of words below the picture, written only when it changes.
struct StatusLine {
    /// What the line shows besides the label.
    struct Moment: Equatable {
        var isPaused: Bool
        var speed: Double
        /// Nanoseconds into the pass.
        var elapsed: Int64
        /// Of a pass, once it is known.
        var length: Int64?
        var frame: Int
        var frames: Int?
        /// Stands in the detail's place.
        var note = ""
        /// How far colours may be off, of 255, where that is more than was asked for.
        var bound: Int?
        /// Something of the file could not be decoded.
        var isDamaged = false
        /// Says which key shows the keys.
        var hasKeyHint = false

        /// Without what the line does not show.
        fileprivate var shown: Moment {
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

    private let label: PlaybackLabel
    private var written = ""
    /// What the line was composed of: the same again needs no composing, nor the memory that it takes.
    private var composed: (moment: Moment, place: PaneLayout.StatusPlace)?

    init(_ label: PlaybackLabel) {
        self.label = label
    }

    /// The screen holds nothing of the line any more.
    mutating func forget() {
        written = ""
        composed = nil
    }

    /// Appends the bytes that bring the line up to date, if it is not.
    mutating func write(_ moment: Moment, at place: PaneLayout.StatusPlace?, into out: inout ByteBuffer) {
        guard let place else { return }
        let shown = moment.shown
        if let composed, composed.moment == shown, composed.place == place { return }
        composed = (shown, place)
        let text: String
        switch place {
        case .row(_, let width), .rest(let width): text = compose(moment, width: width)
        }
        guard text != written else { return }
        written = text
        if case .row(let row, _) = place {
            out.append("\u{1B}[")
            out.appendDecimal(row)
            out.append("H")
        }
        out.append("\u{1B}[0;2m")
        out.append(text)
        out.append("\u{1B}[0m\u{1B}[K\r")
    }

    /// Title, credit and detail at the left, position at the right; what does not fit goes, the credit last.
    func compose(_ moment: Moment, width: Int) -> String {
        // The last column stays free: a character there leaves terminals in two minds about the cursor.
        let room = width - 1
        let right = position(moment, width: width)
        let rightWidth = TerminalText.width(right)
        guard room > rightWidth + 2 + TerminalText.width(label.credit) else {
            return TerminalText.credited(label.title, label.credit, "", room: max(0, room))
        }
        let leftRoom = room - rightWidth - 2
        let left = TerminalText.credited(
            title(beside: moment.note, room: leftRoom), label.credit, moment.note.isEmpty ? label.detail : moment.note,
            room: leftRoom)
        let gap = room - TerminalText.width(left) - rightWidth
        return left + String(repeating: " ", count: gap) + right
    }

    /// The title, shortened to ten cells at most where a note needs the room.
    private func title(beside note: String, room: Int) -> String {
        guard !note.isEmpty else { return label.title }
        let others = [label.credit, note].map(TerminalText.width).filter { $0 > 0 }.reduce(0) { $0 + $1 + 3 }
        return TerminalText.fitted(label.title, to: max(10, room - others))
    }

    /// By whole seconds, so that it costs the line one small update a second; by frames when paused.
    private func position(_ moment: Moment, width: Int) -> String {
        var parts: [String] = []
        // Where there is little room, the title matters more.
        if moment.hasKeyHint, width >= Self.narrowestForHint { parts.append("? keys ") }
        if moment.isDamaged { parts.append("damaged") }
        if let bound = moment.bound { parts.append("±\(bound)") }
        if moment.speed != 1 { parts.append("×\(Self.number(moment.speed))") }
        if moment.isPaused {
            parts.append("⏸ \(moment.frame + 1)/\(moment.frames.map(String.init) ?? "…")")
        } else {
            let total = moment.length.map { "/" + Self.clock($0 + Span.second / 2) } ?? ""
            parts.append(Self.clock(moment.elapsed) + total)
        }
        return parts.joined(separator: " ")
    }

    private static let narrowestForHint = 40

    private static func clock(_ span: Int64) -> String {
        let seconds = span / Span.second
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}
