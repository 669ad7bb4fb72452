import Pixels

/// An image of the kitty graphics protocol with its frames, as the terminal keeps it.
public struct KittyAnimation: Equatable {
    public struct Frame: Equatable {
        /// Red, green, blue and alpha of each pixel.
        var rgba: [UInt8]
        /// Whether the terminal stores the frame without alpha.
        var isOpaque: Bool
        /// The time to the next frame in milliseconds. kitty skips a frame without a time.
        public var gap: Int

        public func color(at index: Int) -> CellColor {
            let pixel = rgba[index * 4..<index * 4 + 4].map { $0 }
            return pixel[3] == 0 ? .terminalDefault : CellColor(red: pixel[0], green: pixel[1], blue: pixel[2])
        }
    }

    /// The distance from the top of the screen in pixels.
    let y: Int
    public let size: PixelSize
    public private(set) var frames: [Frame]
    /// The index of the displayed frame.
    public private(set) var current = 0
    public private(set) var isRunning = false
    /// How often the terminal plays the frames; nil for ever.
    public private(set) var plays: Int?
    /// The number of pixels that were received.
    public private(set) var receivedPixels: Int

    init(y: Int, size: PixelSize, isOpaque: Bool, _ raw: [UInt8]) {
        (self.y, self.size, receivedPixels) = (y, size, size.area)
        frames = [Frame(rgba: Self.rgba(raw, isOpaque: isOpaque), isOpaque: isOpaque, gap: 0)]
    }

    private static func rgba(_ raw: [UInt8], isOpaque: Bool) -> [UInt8] {
        guard isOpaque else { return raw }
        return (0..<raw.count / 3 * 4).map { $0 % 4 == 3 ? 255 : raw[$0 / 4 * 3 + $0 % 4] }
    }

    /// Executes a command that adds or changes a frame.
    mutating func add(_ keys: [String: String], _ raw: [UInt8]) throws {
        func number(_ key: String) -> Int { Int(keys[key] ?? "") ?? 0 }
        let (base, edited, isOpaque) = (number("c"), number("r"), keys["f"] == "24")
        let (x, y, width, height) = (number("x"), number("y"), number("s"), number("v"))
        guard base <= frames.count, edited <= frames.count, width > 0, height > 0,
            x + width <= size.width, y + height <= size.height, raw.count == width * height * (isOpaque ? 3 : 4)
        else { throw KittyScreen.Failure(text: "\(keys): \(raw.count) bytes for \(frames.count) frames") }
        let empty = Frame(rgba: Array(repeating: 0, count: size.area * 4), isOpaque: isOpaque, gap: 40)
        var frame = edited > 0 ? frames[edited - 1] : base > 0 ? frames[base - 1] : empty
        if edited == 0 { frame.gap = number("z") > 0 ? number("z") : 40 }
        let pixels = Self.rgba(raw, isOpaque: isOpaque)
        for row in 0..<height {
            for column in 0..<width {
                let (from, to) = ((row * width + column) * 4, ((y + row) * size.width + x + column) * 4)
                if keys["X"] != "1", pixels[from + 3] == 0 { continue }
                frame.rgba.replaceSubrange(to..<to + 4, with: pixels[from..<from + 4])
                if frame.isOpaque { frame.rgba[to + 3] = 255 }
            }
        }
        receivedPixels += width * height
        if edited > 0 { frames[edited - 1] = frame } else { frames.append(frame) }
    }

    /// Executes a command that controls the animation.
    mutating func control(_ keys: [String: String]) throws {
        func number(_ key: String) -> Int { Int(keys[key] ?? "") ?? 0 }
        guard number("r") <= frames.count, number("c") <= frames.count else {
            throw KittyScreen.Failure(text: "\(keys): only \(frames.count) frames")
        }
        if number("r") > 0, number("z") > 0 { frames[number("r") - 1].gap = number("z") }
        if number("c") > 0 { current = number("c") - 1 }
        if let state = keys["s"] { isRunning = state == "3" }
        guard !isRunning || number("v") > 0 || keys["s"] == nil else {
            throw KittyScreen.Failure(text: "\(keys): an unknown number of loops")
        }
        if number("v") > 0 { plays = number("v") == 1 ? nil : number("v") - 1 }
    }

    /// The index of the frame that is displayed some time after the animation was started.
    public func frame(after milliseconds: Int64) -> Int {
        var rest = Int(milliseconds)
        var index = current
        while isRunning, rest >= frames[index].gap {
            rest -= frames[index].gap
            index = (index + 1) % frames.count
        }
        return index
    }
}
