import Base
import Pixels

/// An action on the link of the GIF's page, which a key starts.
public enum LinkAction: Sendable {
    case copy
    case open
}

/// The immediate result of a ``LinkAction``.
public struct LinkResult: Equatable, Sendable {
    /// Bytes that are sent to the terminal to set its clipboard; empty for none.
    public var sequence: [UInt8]
    /// Shown on the status line for five seconds.
    public var note: String

    public init(sequence: [UInt8] = [], note: String) {
        self.sequence = sequence
        self.note = note
    }
}

extension Player {
    private static var noteSpan: Int64 { 5 * Span.second }

    func perform(_ action: LinkAction) {
        guard let result = callbacks.performLinkAction(action) else { return }
        if !result.sequence.isEmpty {
            result.sequence.withUnsafeBytes {
                terminal.present(UnsafeRawBufferPointer(start: nil, count: 0), $0)
            }
        }
        show(result.note)
    }

    func showLinkOutcome() {
        guard let sentence = callbacks.linkOutcome() else { return }
        show(sentence)
        showStatus()
    }

    private func show(_ sentence: String) {
        note = sentence
        noteDeadline = terminal.now + Self.noteSpan
    }
}
