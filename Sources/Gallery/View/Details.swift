import Base
import Catalog

/// What is known of a GIF, in words.
struct Details {
    let author: String?
    let source: String
    let community: String?
    let licence: String?
    let size: String?
    let age: String?
    let comments: String?

    init(_ reference: GIFReference, words: Words, sourceTitle: String, seconds: Int) {
        author = Self.clean(reference.author).map(words.by)
        source = SafeText.line(sourceTitle)
        community = Self.clean(reference.community)
        licence = Self.clean(reference.licence)
        size = Self.size(of: reference, words)
        age = reference.posted.map { words.age(of: Posting($0), at: seconds) }
        comments = reference.comments.map(words.comments)
    }

    var inOrder: [String] { [author, source, community, licence, size, age, comments].compactMap(\.self) }

    private static func clean(_ text: String?) -> String? {
        guard let text = text.map(SafeText.line), !text.isEmpty else { return nil }
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

    private static let secondsOfDay = 86_400

    /// A whole day is what dates without a time become.
    init(_ seconds: Int) {
        self = seconds % Self.secondsOfDay == 0 ? .day(seconds / Self.secondsOfDay) : .second(seconds)
    }
}
