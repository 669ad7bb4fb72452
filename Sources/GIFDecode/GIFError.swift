import Pixels

/// Why a file cannot be drawn at all. What is wrong with a part of it is ``Damage``.
public enum GIFError: Error, Equatable, Sendable {
    /// The bytes could not be had.
    case unreadable(ByteSourceError)
    /// No byte came.
    case empty
    /// The bytes are something else's.
    case notGIF(FileKind)
    /// The file ends within its header or its global palette.
    case headerCut
    /// A header, but no image follows. The damage says what stood in its place.
    case noImage([Damage])
    case canvasTooLarge(PixelSize, limit: Int)
    case outOfMemory
}

/// What was wrong with a file that plays all the same.
public struct Damage: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// The image data ended or broke after `decoded` of `count` pixels; those are drawn.
        case imageCut(decoded: Int, count: Int)
        /// The LZW minimum code size is 0, or above 8, which giflib refuses; nothing of the frame is drawn.
        case codeSize(Int)
        /// The frame is larger than ``DecodeLimits/canvasPixels``; it is passed over.
        case frameTooLarge(PixelSize, limit: Int)
        /// The file ends in the middle of a block.
        case fileCut
        /// A block that GIF does not know: taken for the end, as browsers do.
        case unknownBlock
        /// The rest is left out because a limit was reached.
        case overLimit(Limit)
        /// The bytes stopped coming.
        case unreadable(ByteSourceError)
    }

    public enum Limit: Equatable, Sendable {
        case frames(Int)
        case totalPixels(Int)
        case bytes(Int)
    }

    /// The frame it concerns, from 0.
    public var frame: Int
    public var kind: Kind

    /// Whether a limit of the user's, and no defect of the file, is the reason.
    public var isLimit: Bool { if case .overLimit = kind { true } else { false } }
}
