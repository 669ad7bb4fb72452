import Foundation
import FoundationXML
import Pixels

/// An SVG from 'gifplay record', drawn as a browser draws it. At any time, only the visible groups are drawn, in order.
final class AnimatedSVG: NSObject, XMLParserDelegate {
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    /// A group of paths.
    private final class Group {
        var isVisibleWithoutAnimation = true
        /// The values of the attribute `display` with the times from which they apply, as fractions of an iteration.
        var steps: [(time: Double, isVisible: Bool)] = []
        /// Colours and the indices of the pixels that have them.
        var paths: [(color: CellColor, runs: [Range<Int>])] = []
        var groups: [Group] = []
    }

    private(set) var title = ""
    /// The length of an iteration in seconds; 0 without an animation.
    private(set) var length = 0.0
    /// The values of `repeatCount`.
    private(set) var repetitions: Set<String> = []
    private(set) var size = PixelSize(width: 0, height: 0)
    private var background = CellColor.black
    private let root = Group()
    private var open: [Group] = []
    private var isInTitle = false
    private var fault: String?

    init(_ bytes: [UInt8]) throws {
        super.init()
        open = [root]
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        guard parser.parse(), fault == nil else { throw Fault(description: fault ?? "\(parser.parserError as Any)") }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        switch name {
        case "svg":
            let box = (attributes["viewBox"] ?? "").split(separator: " ").compactMap { Double($0) }
            guard box.count == 4, box[0] == 0, box[1] == -0.5 else { return fault = "viewBox" }
            size = PixelSize(width: Int(box[2]), height: Int(box[3]))
        case "title": isInTitle = true
        case "g":
            let group = Group()
            group.isVisibleWithoutAnimation = attributes["display"] != "none"
            open.last?.groups.append(group)
            open.append(group)
        case "path":
            if let fill = attributes["fill"] { return background = Self.color(fill) }
            open.last?.paths.append((Self.color(attributes["stroke"] ?? ""), runs(attributes["d"] ?? "")))
        case "animate":
            let values = (attributes["values"] ?? "").split(separator: ";")
            let times = (attributes["keyTimes"] ?? "").split(separator: ";").compactMap { Double($0) }
            guard values.count == times.count, attributes["attributeName"] == "display",
                attributes["calcMode"] == "discrete"
            else { return fault = "animate" }
            open.last?.steps = zip(times, values).map { ($0, $1 == "inline") }
            length = Double((attributes["dur"] ?? "").dropLast()) ?? 0
            repetitions.insert(attributes["repeatCount"] ?? "")
        default: fault = name
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        if name == "g" { open.removeLast() }
        if name == "title" { isInTitle = false }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { if isInTitle { title += text } }

    /// Returns the colours at a time, row by row. If `seconds` is nil, returns the colours that a renderer without
    /// animation draws.
    func pixels(at seconds: Double?) -> [CellColor] {
        var pixels = Array(repeating: background, count: size.area)
        draw(root, seconds, &pixels)
        return pixels
    }

    private func draw(_ group: Group, _ seconds: Double?, _ pixels: inout [CellColor]) {
        var isVisible = group.isVisibleWithoutAnimation
        // The tolerance of half a microsecond is necessary, because the times in the file are rounded.
        if let seconds, let step = group.steps.last(where: { $0.time * length <= seconds + 5e-7 }) {
            isVisible = step.isVisible
        }
        guard isVisible else { return }
        for (color, runs) in group.paths {
            for run in runs { for index in run { pixels[index] = color } }
        }
        for child in group.groups { draw(child, seconds, &pixels) }
    }

    /// Returns the pixels of a path, which consists of the commands `M x y`, `m dx dy` and `h dx` with whole numbers.
    private func runs(_ data: String) -> [Range<Int>] {
        var (x, y) = (0, 0)
        var runs: [Range<Int>] = []
        for match in data.matches(of: /([Mmh])(-?\d+)(?: (-?\d+))?/) {
            let first = Int(match.output.2) ?? 0
            let second = match.output.3.flatMap { Int($0) } ?? 0
            switch match.output.1 {
            case "M": (x, y) = (first, second)
            case "m": (x, y) = (x + first, y + second)
            default:
                runs.append(y * size.width + x..<y * size.width + x + first)
                x += first
            }
        }
        return runs
    }

    private static func color(_ text: String) -> CellColor {
        var digits = Array(text.dropFirst())
        if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
        let value = UInt32(String(digits), radix: 16) ?? 0
        return CellColor(
            red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
    }
}
