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

    init(_ reference: GIFReference, language: Language, sourceTitle: String, seconds: Int) {
        author = Self.clean(reference.author).map { language(en: "by \($0)", de: "von \($0)") }
        source = SafeText.line(sourceTitle)
        community = Self.clean(reference.community)
        licence = Self.clean(reference.licence)
        size = Self.size(of: reference, language)
        age = reference.posted.map { language.age(of: $0, at: seconds) }
        comments = reference.comments.map {
            language(en: "\($0) comment\($0.ending("s"))", de: "\($0) Kommentar\($0.ending("e"))")
        }
    }

    var inOrder: [String] { [author, source, community, licence, size, age, comments].compactMap(\.self) }

    private static func clean(_ text: String?) -> String? {
        guard let text = text.map(SafeText.line), !text.isEmpty else { return nil }
        return text
    }

    /// Returns the text for the dimensions and the file size of the widest rendition.
    private static func size(of reference: GIFReference, _ language: Language) -> String? {
        let largest = reference.renditions.max { ($0.width ?? 0) < ($1.width ?? 0) }
        guard let largest else { return nil }
        let pixels = largest.width.flatMap { width in largest.height.map { "\(width)×\($0)" } }
        let parts = [pixels, largest.bytes.map(language.bytes)].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
