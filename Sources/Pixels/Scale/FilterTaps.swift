/// The taps of a filter along one axis: the source pixels that contribute to each target pixel, with their weights.
///
/// The weights of a target pixel add up to 1.
struct FilterTaps {
    struct Span {
        /// The first source pixel.
        var start: Int
        var count: Int
        /// The index of the first source pixel's weight in `weights`.
        var weightIndex: Int
    }

    let spans: [Span]
    let weights: [Float]

    init(source: Int, target: Int, filter: PictureFit.Filter) {
        var spans: [Span] = []
        var weights: [Float] = []
        spans.reserveCapacity(target)
        for position in 0..<target {
            let (start, taps) = Self.taps(position, source, target, filter)
            spans.append(Span(start: start, count: taps.count, weightIndex: weights.count))
            weights.append(contentsOf: taps.map { Float($0) })
        }
        self.spans = spans
        self.weights = weights
    }

    private static func taps(
        _ position: Int, _ source: Int, _ target: Int, _ filter: PictureFit.Filter
    ) -> (start: Int, weights: [Double]) {
        let ratio = Double(source) / Double(target)
        switch filter {
        case .pixelated: return (min(source - 1, Int((Double(position) + 0.5) * ratio)), [1])
        case .smooth where target > source:
            let centre = (Double(position) + 0.5) * ratio - 0.5
            let lower = Int(centre.rounded(.down))
            let fraction = centre - Double(lower)
            if lower < 0 { return (0, [1]) }
            if lower >= source - 1 { return (source - 1, [1]) }
            return fraction == 0 ? (lower, [1]) : (lower, [1 - fraction, fraction])
        case .smooth: return area(from: Double(position) * ratio, to: Double(position + 1) * ratio, source)
        }
    }

    /// Returns the source pixels that overlap `from..<to`. The weight of each pixel is its share of the interval.
    private static func area(from: Double, to: Double, _ source: Int) -> (start: Int, weights: [Double]) {
        let start = min(source - 1, Int(from))
        // A rounding error can put `to` slightly past the start of a pixel. The term 1e-9 excludes this pixel.
        let end = max(start + 1, min(source, Int((to - 1e-9).rounded(.up))))
        let length = to - from
        let weights = (start..<end).map { pixel in
            max(0, min(to, Double(pixel + 1)) - max(from, Double(pixel))) / length
        }
        return (start, weights)
    }

    /// Returns the target pixels that depend on any of the source pixels `lower..<upper`.
    func targets(touching lower: Int, _ upper: Int) -> Range<Int> {
        var first = spans.count
        var last = -1
        // The spans are in ascending order, so the first and the last match determine the range. A linear search is
        // fast enough, because an axis has at most 1,600 target pixels.
        for (index, span) in spans.enumerated() where span.start < upper && span.start + span.count > lower {
            first = index
            break
        }
        for index in stride(from: spans.count - 1, through: 0, by: -1) {
            let span = spans[index]
            if span.start < upper && span.start + span.count > lower {
                last = index
                break
            }
        }
        return first <= last ? first..<last + 1 : 0..<0
    }
}
