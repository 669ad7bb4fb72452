import Pixels

/// No frame of a file can be drawn. A defect in a part of a file is a ``Damage``.
public enum GIFError: Error, Equatable, Sendable {
    case unreadable(ByteSourceError)
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
        case unreadable(ByteSourceError)
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
