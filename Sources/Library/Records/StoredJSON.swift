import Catalog
import FoundationEssentials

/// For columns that no SQL query reads: the tags and renditions of a work, and the page token of a listing.
enum StoredJSON {
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// Nil if the text does not represent a value of this type.
    static func value<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

/// The format of a rendition in the database and in exports.
struct RenditionRecord: Codable {
    var url: String
    var alternatives: [String]?
    var width: Int?
    var height: Int?
    var bytes: Int?
    var frames: Int?
    var mayBeStill: Bool?

    init(_ rendition: Rendition) {
        url = rendition.url
        alternatives = rendition.alternatives.isEmpty ? nil : rendition.alternatives
        width = rendition.width
        height = rendition.height
        bytes = rendition.bytes
        frames = rendition.frames
        mayBeStill = rendition.mayBeStill ? true : nil
    }

    var rendition: Rendition {
        Rendition(
            url: url, alternatives: alternatives ?? [], width: width, height: height, bytes: bytes, frames: frames,
            mayBeStill: mayBeStill ?? false)
    }
}
