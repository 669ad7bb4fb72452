/// Detects whether a GIF is animated, so that a download can stop early if it is not.
///
/// A GIF is animated if a second image begins within ``searchLimit`` bytes after the first image.
public enum AnimationProbe {
    public enum Outcome: Sendable {
        case animated
        case still
    }

    /// In bytes after the first image.
    public static let searchLimit = 64 << 10

    /// Nil if the detection needs more bytes.
    /// - Parameters:
    ///   - bytes: the first bytes of the file.
    ///   - isEnd: whether no more bytes will arrive. If true, the result is never nil.
    public static func outcome(of bytes: [UInt8], isEnd: Bool) -> Outcome? {
        var blocks = BlockReader(bytes)
        var isComplete = blocks.takeHead() != nil
        var afterImage: Int?
        while isComplete, let kind = blocks.take(1)?.first {
            switch kind {
            case 0x2C where afterImage != nil: return .animated
            case 0x2C:
                isComplete = blocks.takeImage() != nil
                if isComplete { afterImage = blocks.rest.count }
            case 0x21: isComplete = blocks.take(1) != nil && blocks.takeSubBlocks() != nil
            // The block is the trailer or an unknown block. Decoders draw nothing after such a block.
            default: return .still
            }
        }
        return isEnd || afterImage ?? 0 > searchLimit ? .still : nil
    }
}
