import Base
import Catalog

/// The metadata of a GIF as texts for display.
struct Details {
    let author: String?
    let source: String
    let community: String?
    let licence: String?
    let size: String?
    let age: String?
    let comments: String?

    init(_ reference: GIFReference, strings: GalleryStrings, sourceTitle: String, seconds: Int) {
        author = Self.clean(reference.author).map(strings.by)
        source = SafeText.line(sourceTitle)
        community = Self.clean(reference.community)
        licence = Self.clean(reference.licence)
        size = Self.size(of: reference, strings)
        age = reference.posted.map { strings.age(of: PublicationDate($0), at: seconds) }
        comments = reference.comments.map(strings.comments)
    }

    var inOrder: [String] { [author, source, community, licence, size, age, comments].compactMap(\.self) }

    private static func clean(_ text: String?) -> String? {
        guard let text = text.map(SafeText.line), !text.isEmpty else { return nil }
        return text
    }

    /// Returns the text for the dimensions and the file size of the widest rendition.
    private static func size(of reference: GIFReference, _ strings: GalleryStrings) -> String? {
        let largest = reference.renditions.max { ($0.width ?? 0) < ($1.width ?? 0) }
        guard let largest else { return nil }
        let pixels = largest.width.flatMap { width in largest.height.map { "\(width)×\($0)" } }
        let parts = [pixels, largest.bytes.map(strings.bytes)].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}

/// The time at which a GIF was published, with the precision that its source provides.
enum PublicationDate: Equatable {
    /// The source provides the time, in seconds since 1970.
    case second(Int)
    /// The source provides only the day, in days since 1970.
    case day(Int)

    private static let secondsOfDay = 86_400

    /// Treats midnight UTC as a date without a time, because `seconds` is midnight UTC if the source provides only a
    /// date.
    init(_ seconds: Int) {
        self = seconds % Self.secondsOfDay == 0 ? .day(seconds / Self.secondsOfDay) : .second(seconds)
    }
}
