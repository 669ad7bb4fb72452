import Pixels

/// Represents pictures as text with one character per pixel: `k` black, `r` red, `g` green, `b` blue, `.` transparent.
public enum Letters {
    static let all: [Character] = ["k", "r", "g", "b", "."]

    /// Returns the contents of a canvas, one string per row. `?` stands for a colour without a letter.
    public static func rows(of canvas: Canvas) -> [String] {
        let size = canvas.size
        let pixels = canvas.pixels
        return (0..<size.height).map { y in
            String((0..<size.width).map { x in letter(pixels[y * size.width + x]) })
        }
    }

    private static func letter(_ pixel: RGBA) -> Character {
        if pixel == .transparent { return "." }
        for (index, color) in GIFBuilder.fourColors.enumerated()
        where pixel == RGBA(red: UInt8(color.red), green: UInt8(color.green), blue: UInt8(color.blue)) {
            return all[index]
        }
        return "?"
    }
}

extension IndexedFrame {
    /// Creates a frame from rows of ``Letters``, in order from the top.
    /// - Parameter decoded: the number of decoded pixels, in transmission order; nil for all.
    public convenience init(
        _ rows: [String], x: Int = 0, y: Int = 0, disposal: Disposal = .keep, interlaced: Bool = false,
        decoded: Int? = nil
    ) {
        let width = rows.first?.count ?? 0
        let letters = rows.flatMap { Array($0) }
        let indices = letters.map { UInt8(Letters.all.firstIndex(of: $0) ?? 0) }
        self.init(
            rect: PixelRect(x: x, y: y, width: width, height: rows.count), palette: GIFBuilder.fourColors,
            interlaced: interlaced, indices)
        self.disposal = disposal
        transparentIndex = letters.contains(".") ? 4 : -1
        if let decoded { decodedCount = decoded }
    }

    /// Creates a frame from indices, row by row from the top.
    public convenience init(rect: PixelRect, palette colors: [CellColor], interlaced: Bool = false, _ display: [UInt8])
    {
        self.init()
        self.rect = rect
        isInterlaced = interlaced
        do { try reserve(display.count) } catch { preconditionFailure("no memory for \(display.count) indices") }
        let order = interlaced ? interlacedRows(rect.height) : Array(0..<rect.height)
        for (position, row) in order.enumerated() {
            for x in 0..<rect.width { indices[position * rect.width + x] = display[row * rect.width + x] }
        }
        decodedCount = display.count
        for (index, color) in colors.enumerated() {
            palette[index] = RGBA(red: UInt8(color.red), green: UInt8(color.green), blue: UInt8(color.blue))
        }
    }

    /// Returns a frame with random properties. Parts of the frame can be outside the canvas.
    public static func random(on canvas: PixelSize, using random: inout SeededRandom) -> IndexedFrame {
        let rect = PixelRect(
            x: .random(in: -3...canvas.width, using: &random), y: .random(in: -3...canvas.height, using: &random),
            width: .random(in: 0...canvas.width + 2, using: &random),
            height: .random(in: 0...canvas.height + 2, using: &random))
        let colors = (0..<8).map { _ in CellColor.random(using: &random) }
        let indices = (0..<rect.width * rect.height).map { _ in UInt8.random(in: 0..<8, using: &random) }
        let frame = IndexedFrame(rect: rect, palette: colors, interlaced: .random(using: &random), indices)
        frame.disposal = [.keep, .keep, .clear, .restore].randomElement(using: &random) ?? .keep
        frame.transparentIndex = .random(in: -1..<8, using: &random)
        if Int.random(in: 0..<4, using: &random) == 0 {
            frame.decodedCount = .random(in: 0...indices.count, using: &random)
        }
        frame.canvas = canvas
        return frame
    }
}

extension CellColor {
    public static func random(using random: inout SeededRandom) -> CellColor {
        CellColor(
            red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
            blue: .random(in: 0...255, using: &random))
    }
}
