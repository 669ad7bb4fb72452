import CGif
import Pixels

extension GIFReader {
    /// Fills the frame's indices with what decodes, and leaves the file behind the image.
    /// - Returns: false when a limit ends the reading here.
    func readPixels(
        _ file: UnsafeMutablePointer<GifFileType>, into frame: IndexedFrame, hasKnownCodeSize: Bool
    ) -> Bool {
        let count = frame.rect.width * frame.rect.height
        let codeSize = Int(input.lastByte)
        frame.decodedCount = 0
        input.beginImageData()
        defer { input.endImageData() }
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
        if hasKnownCodeSize {
            decode(file, count, into: frame)
        } else if let decoder = WideCodeDecoder(minimumCodeSize: codeSize) {
            decode(file, count, into: frame, with: decoder)
        } else {
            note(.codeSize(codeSize))
            drain(file)
        }
        return true
    }

    private func decode(_ file: UnsafeMutablePointer<GifFileType>, _ count: Int, into frame: IndexedFrame) {
        frame.reserve(count)
        let indices = frame.indices
        // giflib does not say how far it came when it fails: what still holds this value was not
        // reached. The transparent index makes the guess exact; else an index beyond the palette does.
        let unreached = UInt8(
            truncatingIfNeeded: frame.transparentIndex >= 0 ? frame.transparentIndex : frame.paletteCount)
        indices.baseAddress?.update(repeating: unreached, count: count)
        // One call for the whole frame: giflib's line by line is no faster, and the rest is the same.
        if DGifGetLine(file, indices.baseAddress, Int32(count)) == GIF_OK {
            frame.decodedCount = count
            return
        }
        var decoded = count
        while decoded > 0, indices[decoded - 1] == unreached { decoded -= 1 }
        frame.decodedCount = decoded
        // With every pixel there, it was the end of the data that was missing; the file's end tells that.
        if decoded < count { note(.imageCut(decoded: decoded, count: count)) }
        drain(file)
    }

    /// For code sizes that giflib does not take: it hands over the sub-blocks as they are.
    private func decode(
        _ file: UnsafeMutablePointer<GifFileType>, _ count: Int, into frame: IndexedFrame, with decoder: WideCodeDecoder
    ) {
        frame.reserve(count)
        var decoder = decoder
        var block: UnsafeMutablePointer<GifByteType>?
        while DGifGetCodeNext(file, &block) == GIF_OK, let bytes = block {
            decoder.take(UnsafeBufferPointer(start: bytes + 1, count: Int(bytes[0])), into: frame.indices, count)
        }
        frame.decodedCount = decoder.count
        if decoder.count < count { note(.imageCut(decoded: decoder.count, count: count)) }
    }

    /// Passes over the rest of the image's data.
    private func drain(_ file: UnsafeMutablePointer<GifFileType>) {
        guard !input.sawTerminator else { return }
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
