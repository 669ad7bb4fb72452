/// No frame of a file can be drawn. A defect in a part of a file is a ``Damage``.
public enum GIFError: Error, Equatable, Sendable {
    case system(call: String, errno: Int32)
    /// The source is a terminal.
    case terminal
    /// The file is also open as standard output, so reading it would find what the program writes.
    case output
    /// A pipe delivered more than `limit` bytes, the most that are buffered so that a GIF can loop.
    case tooManyBytes(name: String, limit: Int)
    /// The producer of the bytes, for example a download, failed, and knows the reason.
    case interrupted
    case empty
    case notGIF(FileKind)
    /// The file ends within its header or its global palette.
    case headerCut
    /// No image could be read, or the canvas is empty. The value lists the damage that was found until then.
    case noImage([Damage])
    case canvasTooLarge(PixelSize, limit: Int)
    case outOfMemory
    /// The thread that decodes the file cannot be created.
    case noThread
}

/// A defect in a file. The other parts of the file can be played.
public struct Damage: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// The image data ended or became invalid after `decoded` of `count` pixels. The decoded pixels are drawn.
        case imageCut(decoded: Int, count: Int)
        /// The LZW minimum code size is invalid: 0 or above 8. The frame is not drawn.
        case codeSize(Int)
        /// The frame has more pixels than ``DecodeLimits/canvasPixels``. The frame is not drawn.
        case frameTooLarge(PixelSize, limit: Int)
        /// The file ends in the middle of a block.
        case fileCut
        /// The file ends after a whole frame, without the byte that ends a GIF. Nothing that is displayed is missing.
        case noTrailer
        /// As in browsers, a block of an unknown type ends the file.
        case unknownBlock
        /// A limit was reached, so the rest of the file is not read.
        case overLimit(Limit)
        /// The source of the bytes failed, so the rest of the file is missing.
        case unreadable(GIFError)
    }

    public enum Limit: Equatable, Sendable {
        case frames(Int)
        case totalPixels(Int)
        case bytes(Int)
    }

    /// Counted from 0.
    public var frame: Int
    public var kind: Kind

    /// Whether the displayed frames differ from those of the undamaged file, or could.
    public var isVisible: Bool { !isLimit && kind != .noTrailer }

    /// Whether reading stopped at a limit of ``DecodeLimits``. In this case, the file might have no defect.
    public var isLimit: Bool { if case .overLimit = kind { true } else { false } }
}

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
