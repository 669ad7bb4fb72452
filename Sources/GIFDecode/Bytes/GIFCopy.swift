/// A copy of a GIF file for a terminal that plays GIF files by itself.
public enum GIFCopy {
    /// Returns a copy with other delays that is repeated without end. It contains no comments.
    /// - Parameter delays: the delay of each frame in hundredths of a second, up to 65,535.
    /// - Returns: nil unless the file is complete and has exactly these frames.
    public static func repeating(_ file: [UInt8], delays: [Int]) -> [UInt8]? {
        var blocks = BlockReader(file)
        guard let screen = blocks.take(13), let palette = blocks.take(tableSize(screen[10])) else { return nil }
        var copy = Array("GIF89a".utf8) + screen[6...] + palette
        copy += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        let noControl: [UInt8] = [4, 0, 0, 0, 0, 0]
        var (control, frames) = (noControl, 0)
        while let kind = blocks.take(1)?.first {
            switch kind {
            case 0x21:
                guard let code = blocks.take(1)?.first, let content = blocks.takeSubBlocks() else { return nil }
                // Decoders disagree about the frame to which a control extension before a plain text applies.
                if code == 0x01 || code == 0xF9 && content.count != noControl.count { return nil }
                if code == 0xF9 { control = Array(content) }
            case 0x2C:
                guard frames < delays.count, let image = blocks.take(9), let flags = image.last,
                    let palette = blocks.take(tableSize(flags)), let codeSize = blocks.take(1),
                    let pixels = blocks.takeSubBlocks()
                else { return nil }
                control[2] = UInt8(truncatingIfNeeded: delays[frames])
                control[3] = UInt8(truncatingIfNeeded: delays[frames] >> 8)
                copy += [0x21, 0xF9] + control + [0x2C] + image + palette + codeSize + pixels
                (control, frames) = (noControl, frames + 1)
            case 0x3B: return frames == delays.count ? copy + [0x3B] : nil
            default: return nil
            }
        }
        return nil
    }

    /// The size of a colour table in bytes, from the flags of a screen or image descriptor.
    static func tableSize(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
}

private struct BlockReader {
    private var rest: ArraySlice<UInt8>

    init(_ file: [UInt8]) { rest = file[...] }

    /// Returns nil if fewer bytes are left.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Returns the sub-blocks up to and including the empty one that ends them.
    mutating func takeSubBlocks() -> ArraySlice<UInt8>? {
        let start = rest
        while let size = take(1)?.first, take(Int(size)) != nil {
            if size == 0 { return start[..<rest.startIndex] }
        }
        return nil
    }
}
