import Base
import Pixels

/// Writes layers as an animated SVG. The animation uses SMIL, which browsers also play if a page uses the SVG as an
/// image. A renderer without animation displays the first frame.
struct SVGDocument {
    /// The width of a picture's pixel in the units of the SVG. A cell has the width of one pixel and the height of two.
    private static let scale = 8

    /// In half-block pixels.
    let size: PixelSize
    let background: CellColor
    let title: String
    /// The end of a loop iteration.
    let end: Instant
    /// The number of loop iterations; nil for no end.
    let repetitions: Int?

    func write(_ segments: [SVGLayers.Segment], to sink: Recording.Sink) {
        // Lines of width 1 are centred at whole numbers, so the first row begins at -0.5.
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size.width * Self.scale)" \
            height="\(size.height * Self.scale)" viewBox="0 -.5 \(size.width) \(size.height)" \
            shape-rendering="crispEdges"><title>\(Self.escaped(title))</title>\
            <path fill="\(Self.text(background.bits))" d="M0-.5h\(size.width)v\(size.height)H0z"/>\n
            """
        guard sink(Array(head.utf8)) else { return }
        for (number, segment) in segments.enumerated() {
            let next = number + 1 < segments.count ? segments[number + 1].first?.start : nil
            guard let first = segment.first, sink(opening(from: first.start, to: next)), sink(first.content) else {
                return
            }
            for layer in segment.dropFirst() {
                guard sink(opening(from: layer.start, to: nil)), sink(layer.content), sink(Array("</g>\n".utf8)) else {
                    return
                }
            }
            guard sink(Array("</g>\n".utf8)) else { return }
        }
        _ = sink(Array("</svg>\n".utf8))
    }

    /// Begins a group that is visible from `start` to `end`; nil is the end of the loop iteration.
    private func opening(from start: Instant, to end: Instant?) -> [UInt8] {
        var (values, times) =
            start.nanoseconds == 0 ? (["inline"], ["0"]) : (["none", "inline"], ["0", fraction(start)])
        if let end {
            values.append("none")
            times.append(fraction(end))
        }
        guard values.count > 1 else { return Array("<g>".utf8) }
        let repetition = repetitions.map { "\($0)\" fill=\"freeze" } ?? "indefinite"
        let group = start.nanoseconds == 0 ? "<g>" : "<g display=\"none\">"
        return Array(
            """
            \(group)<animate attributeName="display" values="\(values.joined(separator: ";"))" \
            keyTimes="\(times.joined(separator: ";"))" dur="\(CastWriter.seconds(self.end))s" \
            calcMode="discrete" repeatCount="\(repetition)"/>
            """.utf8)
    }

    /// Returns the time as a fraction of the length of the loop iteration, with at most eight decimals.
    private func fraction(_ time: Instant) -> String {
        let billionths = Double(time.nanoseconds) / Double(max(1, end.nanoseconds)) * 1e8
        let digits = String(Int(billionths.rounded()))
        let decimals = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        return decimals.count > 8 ? "1" : "." + String(decimals.reversed().drop { $0 == "0" }.reversed())
    }

    /// Returns a colour in the notation of CSS, with three digits if possible.
    static func text(_ color: UInt32) -> String {
        let digits = Array(String(color, radix: 16))
        let six = Array(repeating: Character("0"), count: 6 - digits.count) + digits
        let isShort = six[0] == six[1] && six[2] == six[3] && six[4] == six[5]
        return "#" + String(isShort ? [six[0], six[2], six[4]] : six)
    }

    /// Returns the text for XML, without the scalars that XML does not allow.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

/// Converts pictures to layers of an SVG. A layer contains the pixels that differ from the previous picture. It is
/// drawn over the earlier layers of its segment.
struct SVGLayers {
    /// A layer is visible from its time to the end of its segment.
    struct Layer {
        var start: Instant
        var content: [UInt8]
    }

    /// A sequence of layers. The first one contains a whole picture, so the previous segments can be hidden.
    typealias Segment = [Layer]

    /// A multiple of the size of a whole picture. Renderers draw all visible layers again for each frame, and this
    /// limit bounds that work. The additional whole pictures make the document at most about 6 percent larger.
    private static let maximumRatio = 16

    private(set) var segments: [Segment] = []
    /// The size of the contents of all layers.
    private(set) var bytes = 0
    private let size: PixelSize
    private let background: UInt32
    private let tolerance: ColorTolerance
    /// The displayed colours as 0xRRGGBB, row by row.
    private(set) var shown: [UInt32]
    /// The size in bytes of the current segment, and of the whole picture with which this segment begins.
    private var (segmentBytes, wholeBytes) = (0, 1)

    /// - Parameter tolerance: the changes that are not recorded.
    init(size: PixelSize, background: CellColor, tolerance: ColorTolerance) {
        self.size = size
        self.tolerance = tolerance
        self.background = background.bits
        shown = Array(repeating: background.bits, count: size.area)
    }

    /// - Parameter pixels: the colours, row by row. Rows beyond the height of the picture are ignored.
    mutating func add(_ pixels: [CellColor], at start: Instant) {
        var changed: [Int] = []
        for index in shown.indices {
            let color = pixels[index] == .terminalDefault ? background : pixels[index].bits
            guard segments.isEmpty || tolerance.isExceeded(UInt64(color), UInt64(shown[index])) else { continue }
            let rounded = color == background ? color : snapped(color)
            guard rounded != shown[index] else { continue }
            shown[index] = rounded
            changed.append(index)
        }
        guard !segments.isEmpty else { return beginSegment(Layer(start: start, content: drawn(changed))) }
        guard !changed.isEmpty else { return }
        let content = drawn(changed)
        if changed.count * 2 > shown.count || segmentBytes > Self.maximumRatio * wholeBytes {
            let whole = drawn(shown.indices.filter { shown[$0] != background })
            if whole.count <= content.count || segmentBytes > Self.maximumRatio * whole.count {
                return beginSegment(Layer(start: start, content: whole))
            }
        }
        segments[segments.count - 1].append(Layer(start: start, content: content))
        segmentBytes += content.count
        bytes += content.count
    }

    private mutating func beginSegment(_ layer: Layer) {
        segments.append([layer])
        wholeBytes = max(1, layer.content.count)
        segmentBytes = wholeBytes
        bytes += wholeBytes
    }

    /// Rounds each channel to a multiple of an odd number (or to 255), which changes it by at most the tolerance.
    /// More pixels then have the same colour. This makes a layer smaller, because it contains each colour only once.
    private func snapped(_ color: UInt32) -> UInt32 {
        let changes = tolerance.withheldChanges(color)
        return stride(from: UInt32(0), through: 16, by: 8).reduce(0) { result, shift in
            let change = changes >> shift & 0xFF
            let value = ((color >> shift & 0xFF) + change) / (2 * change + 1) * (2 * change + 1)
            return result | min(255, value) << shift
        }
    }

    /// Returns one path for each colour, with a horizontal line for each run of pixels, which must be in order. A line
    /// takes fewer bytes than a rectangle, and its default width is one pixel.
    private func drawn(_ indices: [Int]) -> [UInt8] {
        var numbers: [UInt32: Int] = [:]
        var paths: [SVGPath] = []
        var next = 0
        while next < indices.count {
            let start = indices[next]
            let color = shown[start]
            let (y, x) = start.quotientAndRemainder(dividingBy: size.width)
            var length = 1
            while next + length < indices.count, x + length < size.width, indices[next + length] == start + length,
                shown[start + length] == color
            { length += 1 }
            let number = numbers[color] ?? paths.count
            if number == paths.count {
                numbers[color] = number
                paths.append(SVGPath(color: color))
            }
            paths[number].addLine(x: x, y: y, length: length)
            next += length
        }
        return paths.flatMap(\.element)
    }
}

private struct SVGPath {
    let color: UInt32
    private var data: [UInt8] = []
    private var position: (x: Int, y: Int)?

    init(color: UInt32) { self.color = color }

    mutating func addLine(x: Int, y: Int, length: Int) {
        if let position {
            let dy = y - position.y
            // The lines are in row order, so only the horizontal distance can be negative.
            data += Array("m\(x - position.x) \(dy)h\(length)".utf8)
        } else {
            data += Array("M\(x) \(y)h\(length)".utf8)
        }
        position = (x + length, y)
    }

    var element: [UInt8] { Array("<path stroke=\"\(SVGDocument.text(color))\" d=\"".utf8) + data + Array("\"/>".utf8) }
}
