import Catalog
import Playback

/// What is known of a GIF, in words.
struct Details {
    let author: String?
    let source: String
    let licence: String?
    let size: String?
    let age: String?
    let comments: String?

    init(_ reference: GIFReference, words: Words, sourceTitle: String, seconds: Int) {
        author = Self.clean(reference.author).map(words.by)
        source = TerminalText.safe(sourceTitle)
        licence = Self.clean(reference.licence)
        size = Self.size(of: reference, words)
        age = reference.posting.map { words.age(of: $0, at: seconds) }
        comments = reference.commentCount.map(words.comments)
    }

    var inOrder: [String] { [author, source, licence, size, age, comments].compactMap(\.self) }

    private static func clean(_ text: String?) -> String? {
        guard let text = text.map(TerminalText.safe), !text.isEmpty else { return nil }
        return text
    }

    /// Of the largest file: its pixels and bytes.
    private static func size(of reference: GIFReference, _ words: Words) -> String? {
        let largest = reference.renditions.max { ($0.width ?? 0) < ($1.width ?? 0) }
        guard let largest else { return nil }
        let pixels = largest.width.flatMap { width in largest.height.map { "\(width)×\($0)" } }
        let parts = [pixels, largest.bytes.map(words.bytes)].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}

/// When a GIF was published, as exactly as its source says.
enum Posting: Equatable {
    /// Since 1970.
    case second(Int)
    /// Since 1970.
    case day(Int)
}

extension GIFReference {
    /// The one place that knows which fields of a reference tell its age.
    var posting: Posting? { created.flatMap(CivilDay.init).map { .day($0.number) } }

    /// The one place that knows where comments are counted.
    var commentCount: Int? { nil }
}

/// A date of the form 2026-11-21, as days since 1970.
struct CivilDay {
    let number: Int

    init?(_ text: String) {
        let parts = text.prefix(10).split(separator: "-").map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        // Years begin in March here, so that the leap day is the last of its year.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear
        // 719,468 days lie between March 1 of year 0 and 1970.
        number = dayOfEra - 719_468
    }
}
