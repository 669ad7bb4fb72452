import Pixels

/// The reason why nothing of a file can be drawn. ``Damage`` describes a file of which a part is wrong.
public enum GIFError: Error, Equatable, Sendable {
    /// The bytes could not be read.
    case unreadable(ByteSourceError)
    /// The source has no bytes.
    case empty
    /// The bytes do not begin with "GIF".
    case notGIF(FileKind)
    /// The file ends within its header or its global palette.
    case headerCut
    /// No image follows the header, or the canvas is empty. The damage says what was there instead of an image.
    case noImage([Damage])
    /// The canvas has more pixels than ``DecodeLimits/canvasPixels``.
    case canvasTooLarge(PixelSize, limit: Int)
    case outOfMemory
}

/// A defect of a file that can be played nevertheless.
public struct Damage: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// The image data ended or broke after `decoded` of `count` pixels; those are drawn.
        case imageCut(decoded: Int, count: Int)
        /// The LZW minimum code size is 0, or above 8, which giflib refuses. The frame is not drawn.
        case codeSize(Int)
        /// The frame has more pixels than ``DecodeLimits/canvasPixels``. It is not drawn.
        case frameTooLarge(PixelSize, limit: Int)
        /// The file ends in the middle of a block.
        case fileCut
        /// A block of an unknown type. Like browsers, the reader treats it as the end of the file.
        case unknownBlock
        /// A limit was reached, so the rest of the file is not read.
        case overLimit(Limit)
        /// The source failed; the rest of the file is missing.
        case unreadable(ByteSourceError)
    }

    public enum Limit: Equatable, Sendable {
        case frames(Int)
        case totalPixels(Int)
        case bytes(Int)
    }

    /// Number of the damaged frame, from 0.
    public var frame: Int
    public var kind: Kind

    /// Whether the reason is one of ``DecodeLimits``, not a defect of the file.
    public var isLimit: Bool { if case .overLimit = kind { true } else { false } }
}
