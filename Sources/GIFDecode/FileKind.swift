/// The type of a file that is not a GIF, for error messages.
public enum FileKind: String, Equatable, Sendable {
    case html = "HTML page"
    case json = "JSON"
    case xml = "XML"
    case png = "PNG image"
    case jpeg = "JPEG image"
    case webp = "WebP image"
    case avif = "AVIF image"
    case heic = "HEIC image"
    case mp4 = "MP4 video"
    case webm = "WebM video"
    case gzip = "gzip-compressed data"
    case text = "text"
    case unknown = "unknown data"

    /// The number of bytes that the detection needs.
    public static let length = 512

    /// - Parameter start: the first bytes of the file, at least ``length`` bytes unless the whole file is shorter.
    public init(start: some Collection<UInt8>) {
        let bytes = Array(start.prefix(Self.length))
        func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        let trimmed = bytes.drop { $0 == 0x20 || (9...13).contains($0) || [0xEF, 0xBB, 0xBF].contains($0) }
        func begins(_ text: String) -> Bool {
            trimmed.prefix(text.utf8.count).map { $0 | 0x20 }.elementsEqual(text.utf8.map { $0 | 0x20 })
        }
        func contains(_ text: String) -> Bool { String(decoding: bytes, as: UTF8.self).lowercased().contains(text) }
        let htmlStarts = [
            "<!doctype html", "<!--", "<html", "<head", "<body", "<title", "<meta", "<script", "<link", "<p>", "<div",
        ]
        let isText = !bytes.isEmpty && bytes.allSatisfy { $0 >= 0x20 || (9...13).contains($0) }
        let kinds: [(FileKind, Bool)] = [
            (.png, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])), (.jpeg, bytes.starts(with: [0xFF, 0xD8, 0xFF])),
            (.webp, has("RIFF") && has("WEBP", at: 8)), (.avif, has("ftypavi", at: 4)),
            (.heic, has("ftyp", at: 4) && ["hei", "hev", "mif1", "msf1"].contains { has($0, at: 8) }),
            (.mp4, has("ftyp", at: 4)),
            (.webm, bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3])), (.gzip, bytes.starts(with: [0x1F, 0x8B])),
            (.html, htmlStarts.contains(where: begins) || begins("<?xml") && contains("<html")),
            (.xml, begins("<")), (.json, begins("{") || begins("[")), (.text, isText),
        ]
        self = kinds.first(where: \.1)?.0 ?? .unknown
    }
}
