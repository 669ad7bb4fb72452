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
