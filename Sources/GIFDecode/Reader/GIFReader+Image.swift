import CGif
import Pixels

extension GIFReader {
    /// Decodes as much of the image as possible into the frame's indices, and reads the file to the end of its data.
    /// - Returns: false if a limit ends reading here.
    func readPixels(
        _ file: UnsafeMutablePointer<GifFileType>, into frame: IndexedFrame, hasKnownCodeSize: Bool
    ) throws(GIFError) -> Bool {
        let count = frame.rect.width * frame.rect.height
        let codeSize = Int(input.lastByte)
        frame.decodedCount = 0
        guard count > 0, count <= limits.canvasPixels else {
            if count > 0 {
                let size = PixelSize(width: frame.rect.width, height: frame.rect.height)
                recordDamage(.frameTooLarge(size, limit: limits.canvasPixels))
            }
            drain(file)
            return true
        }
        pixelsLeft -= count
        guard pixelsLeft + input.count * limits.pixelsPerByte >= 0 else {
            recordDamage(.overLimit(.totalPixels(limits.totalPixels)))
            return false
        }
        // giflib refuses minimum code sizes above 8. With size 0 every bit can be a clear code, and giflib resets its
        // table of 16 KiB for each: a file of 1 MB takes 3 s. No encoder writes size 0.
        guard hasKnownCodeSize, codeSize > 0 else {
            recordDamage(.codeSize(codeSize))
            drain(file)
            return true
        }
        do { try frame.reserve(count) } catch { throw .outOfMemory }
        let indices = UnsafeMutableBufferPointer(rebasing: frame.indices[..<count])
        frame.decodedCount = decode(file, into: indices)
        if frame.decodedCount < count { recordDamage(.imageCut(decoded: frame.decodedCount, count: count)) }
        return true
    }

    /// Lets giflib decode the whole image in one call.
    /// - Returns: the number of decoded indices.
    private func decode(
        _ file: UnsafeMutablePointer<GifFileType>, into indices: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        UndecodedMarks.fill(indices)
        input.beginImageData()
        if DGifGetLine(file, indices.baseAddress, Int32(indices.count)) == GIF_OK { return indices.count }
        // After the empty sub-block that ends the data, draining would consume the next block of the file.
        if !input.hasImageDataEnded { drain(file) }
        return UndecodedMarks.decodedCount(indices)
    }

    /// Skips the rest of the image's data.
    private func drain(_ file: UnsafeMutablePointer<GifFileType>) {
        var block: UnsafeMutablePointer<GifByteType>?
        while DGifGetCodeNext(file, &block) == GIF_OK, block != nil {}
    }
}

/// Finds out how much of a damaged image giflib decoded, which giflib does not report.
///
/// The indices are filled with marks before decoding; the decoded part ends before the last run of marks. The marks are
/// 128 or more, so the count is exact for code sizes below 8. For code size 8 the count is too low by the decoded
/// pixels at the end that happen to equal their marks: one pixel for every 256th damaged image.
private enum UndecodedMarks {
    /// The mark differs from pixel to pixel, so that an area of one colour does not look undecoded.
    @inline(__always)
    private static func mark(_ index: Int) -> UInt8 { ~UInt8(truncatingIfNeeded: index) | 0x80 }

    static func fill(_ indices: UnsafeMutableBufferPointer<UInt8>) {
        guard let base = indices.baseAddress else { return }
        for index in 0..<indices.count { base[index] = mark(index) }
    }

    static func decodedCount(_ indices: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var count = indices.count
        while count > 0, indices[count - 1] == mark(count - 1) { count -= 1 }
        return count
    }
}

extension IndexedFrame {
    /// Copies the palette from giflib. Without one every index is opaque black.
    func setPalette(_ map: UnsafeMutablePointer<ColorMapObject>?) {
        let count = map.map { min(256, Int($0.pointee.ColorCount)) } ?? 0
        if let colors = map?.pointee.Colors {
            for index in 0..<count {
                let color = colors[index]
                palette[index] = RGBA(red: color.Red, green: color.Green, blue: color.Blue)
            }
        }
        for index in count..<256 { palette[index] = .opaqueBlack }
        paletteCount = count
    }
}
