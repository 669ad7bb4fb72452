import CGif
import Pixels

extension GIFReader {
    /// Fills the frame's indices with what decodes, and leaves the file behind the image.
    /// - Returns: false when a limit ends the reading here.
    func readPixels(
        _ file: UnsafeMutablePointer<GifFileType>, into frame: IndexedFrame, hasKnownCodeSize: Bool
    ) throws(GIFError) -> Bool {
        let count = frame.rect.width * frame.rect.height
        let codeSize = Int(input.lastByte)
        frame.decodedCount = 0
        guard count > 0, count <= limits.canvasPixels else {
            if count > 0 {
                let size = PixelSize(width: frame.rect.width, height: frame.rect.height)
                note(.frameTooLarge(size, limit: limits.canvasPixels))
            }
            drain(file)
            return true
        }
        pixelsLeft -= count
        guard pixelsLeft + input.count * limits.pixelsPerByte >= 0 else {
            note(.overLimit(.totalPixels(limits.totalPixels)))
            return false
        }
        // giflib refuses code sizes above 8, of which browsers draw 9 to 11.
        guard hasKnownCodeSize || (9...11).contains(codeSize) else {
            note(.codeSize(codeSize))
            drain(file)
            return true
        }
        try decoder.begin(frame, count: count, codeSize: codeSize)
        var block: UnsafeMutablePointer<GifByteType>?
        while DGifGetCodeNext(file, &block) == GIF_OK, let bytes = block {
            decoder.take(UnsafeBufferPointer(start: bytes + 1, count: Int(bytes[0])))
        }
        frame.decodedCount = decoder.count
        // With every pixel there, it was the end of the data that was missing; the file's end tells that.
        if decoder.count < count { note(.imageCut(decoded: decoder.count, count: count)) }
        return true
    }

    /// Passes over the rest of the image's data.
    private func drain(_ file: UnsafeMutablePointer<GifFileType>) {
        var block: UnsafeMutablePointer<GifByteType>?
        while DGifGetCodeNext(file, &block) == GIF_OK, block != nil {}
    }
}

extension IndexedFrame {
    /// Takes giflib's palette; without one every index is opaque black.
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
