import Base
import Playback

/// An editable line of text.
struct SearchField: Equatable, Sendable {
    private(set) var text: [Character]
    /// The index in `text` at which the next character is inserted.
    private(set) var cursor: Int

    /// The maximum number of characters.
    static let maxLength = 500

    init(_ text: String) {
        self.text = Array(text.prefix(Self.maxLength))
        cursor = self.text.count
    }

    /// The query, which is the text without white space at its ends and with single spaces between words.
    var query: String {
        text.split(whereSeparator: \.isWhitespace).map { String($0) }.joined(separator: " ")
    }

    /// Edits the text if the key is an editing key.
    /// - Returns: whether the key is an editing key. Not every editing key changes the query. To detect a change,
    ///   compare ``query`` before and after the call.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(character)
        case .backspace, .control("h"): remove(from: cursor - 1, to: cursor)
        case .delete, .control("d"): remove(from: cursor, to: cursor + 1)
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(text.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        case .control("u"): remove(from: 0, to: cursor)
        case .control("k"): remove(from: cursor, to: text.count)
        case .control("w"): remove(from: startOfWord, to: cursor)
        default: return false
        }
        return true
    }

    private mutating func insert(_ character: Character) {
        let isPrintable = character == " " || SafeText.line(String(character)) == String(character)
        guard isPrintable, text.count < Self.maxLength else { return }
        text.insert(character, at: cursor)
        cursor += 1
    }

    /// Inserts the printable characters of a text, with spaces in place of its line breaks.
    mutating func insert(contentsOf text: String) {
        let characters = SafeText.line(text).prefix(Self.maxLength - self.text.count)
        self.text.insert(contentsOf: characters, at: cursor)
        cursor += characters.count
    }

    private mutating func remove(from first: Int, to end: Int) {
        let range = max(0, first)..<min(text.count, end)
        text.removeSubrange(range)
        cursor = min(range.lowerBound, text.count)
    }

    private var startOfWord: Int {
        var position = cursor
        while position > 0, text[position - 1].isWhitespace { position -= 1 }
        while position > 0, !text[position - 1].isWhitespace { position -= 1 }
        return position
    }
}
